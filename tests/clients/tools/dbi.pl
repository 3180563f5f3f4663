# Perl's DBD::Pg: what it finds in the catalogue, statements, COPY and large objects; a line of JSON for each step.
use strict;
use warnings;
use DBI qw(:sql_types);
use DBD::Pg qw(:pg_types);
use JSON::PP;

my ($host, $port, $database, $user) = @ARGV;
my $dbh = DBI->connect("dbi:Pg:dbname=$database;host=$host;port=$port", $user, "",
    { RaiseError => 1, PrintError => 0, AutoCommit => 1, pg_enable_utf8 => 1 });
my $json = JSON::PP->new->canonical->allow_nonref;

sub step {
    my ($name, $work) = @_;
    my $told = eval { $work->() };
    if ($@) {
        my $state = $dbh->state;
        $told = { error => $state };
        eval { $dbh->rollback unless $dbh->{AutoCommit} };
    }
    print "$name\t", $json->encode($told), "\n";
}

# Names of columns that differ from server to server are left out.
sub rows {
    my ($sth, @columns) = @_;
    my @rows;
    while (my $row = $sth->fetchrow_hashref) {
        push @rows, @columns ? { map { $_ => $row->{$_} } @columns } : $row;
    }
    return \@rows;
}

$dbh->do("CREATE TABLE parents (id serial PRIMARY KEY, name varchar(20) NOT NULL UNIQUE, price numeric(8,2) DEFAULT 1.5)");
$dbh->do("CREATE TABLE children (id integer PRIMARY KEY, parent integer NOT NULL REFERENCES parents (id) ON DELETE CASCADE, note text, at timestamp, data bytea, tags text[])");
$dbh->do("CREATE INDEX children_note ON children (note, at)");
$dbh->do("CREATE VIEW both_of_them AS SELECT p.name, c.note FROM parents p JOIN children c ON c.parent = p.id");
$dbh->do("COMMENT ON TABLE parents IS 'those before'");

step("ping" => sub { $dbh->ping > 0 ? 1 : 0 });
step("table_info" => sub { rows($dbh->table_info(undef, "public", "%", "TABLE,VIEW"), qw(TABLE_SCHEM TABLE_NAME TABLE_TYPE REMARKS)) });
step("tables" => sub { [ sort $dbh->tables("", "public", "%", "TABLE") ] });
step("column_info" => sub { rows($dbh->column_info(undef, "public", "parents", "%"),
    qw(COLUMN_NAME DATA_TYPE TYPE_NAME COLUMN_SIZE DECIMAL_DIGITS NULLABLE ORDINAL_POSITION IS_NULLABLE)) });
step("column_info of children" => sub { rows($dbh->column_info(undef, "public", "children", "%"),
    qw(COLUMN_NAME DATA_TYPE TYPE_NAME COLUMN_SIZE NULLABLE ORDINAL_POSITION pg_type)) });
step("primary_key_info" => sub { rows($dbh->primary_key_info(undef, "public", "parents"), qw(TABLE_NAME COLUMN_NAME KEY_SEQ PK_NAME)) });
step("primary_key" => sub { [ $dbh->primary_key(undef, "public", "children") ] });
step("foreign_key_info" => sub { rows($dbh->foreign_key_info(undef, undef, undef, undef, "public", "children"),
    qw(UK_TABLE_NAME UK_COLUMN_NAME FK_TABLE_NAME FK_COLUMN_NAME ORDINAL_POSITION UPDATE_RULE DELETE_RULE FK_NAME UK_NAME DEFERABILITY)) });
step("statistics_info" => sub { [ map { join ",", map { defined $_ ? $_ : "" } @$_{qw(NON_UNIQUE INDEX_NAME TYPE ORDINAL_POSITION COLUMN_NAME)} }
    grep { $_->{TYPE} ne "table" } @{ rows($dbh->statistics_info(undef, "public", "children", 0, 0)) } ] });
step("type_info" => sub { scalar(@{ $dbh->type_info_all }) > 10 ? 1 : 0 });
step("get_info" => sub { [ map { $dbh->get_info($_) } 17, 29, 41 ] });

step("placeholders" => sub { my $sth = $dbh->prepare("INSERT INTO parents (name, price) VALUES (?, ?) RETURNING id, price");
    $sth->execute("one", "2.50"); $sth->fetchall_arrayref });
step("dollar placeholders" => sub { my $sth = $dbh->prepare('INSERT INTO parents (name) VALUES ($1)'); $sth->execute("two"); $sth->rows });
step("named placeholders" => sub { my $sth = $dbh->prepare("SELECT name FROM parents WHERE id = :id"); $sth->bind_param(":id", 1); $sth->execute; $sth->fetchall_arrayref });
step("last_insert_id" => sub { $dbh->last_insert_id(undef, "public", "parents", undef) });
step("bytea" => sub { my $sth = $dbh->prepare("INSERT INTO children (id, parent, data, tags) VALUES (1, 1, ?, ?)");
    $sth->bind_param(1, "\x00\xff\x10", { pg_type => PG_BYTEA }); $sth->bind_param(2, ["a", "b c"]); $sth->execute;
    my ($data, $tags) = $dbh->selectrow_array("SELECT data, tags FROM children WHERE id = 1"); [ unpack("H*", $data), $tags ] });
step("a violated key" => sub { $dbh->do("INSERT INTO parents (name) VALUES ('one')") });
step("a violated reference" => sub { $dbh->do("INSERT INTO children (id, parent) VALUES (9, 99)") });
step("types of a result" => sub { my $sth = $dbh->prepare("SELECT id, name, price FROM parents"); $sth->execute;
    [ $sth->{NAME}, $sth->{pg_type}, $sth->{TYPE}, $sth->{PRECISION}, $sth->{SCALE}, $sth->{NULLABLE} ] });
step("rollback" => sub { $dbh->begin_work; $dbh->do("DELETE FROM parents"); $dbh->rollback; $dbh->selectrow_array("SELECT count(*) FROM parents") });
step("savepoints" => sub { $dbh->begin_work; $dbh->pg_savepoint("s"); $dbh->do("DELETE FROM parents"); $dbh->pg_rollback_to("s"); $dbh->commit;
    $dbh->selectrow_array("SELECT count(*) FROM parents") });
step("copy in" => sub { $dbh->do("COPY children (id, parent, note) FROM STDIN"); $dbh->pg_putcopydata("$_\t1\tnote $_\n") for 2 .. 4; $dbh->pg_putcopyend;
    $dbh->selectrow_array("SELECT count(*) FROM children") });
step("copy out" => sub { $dbh->do("COPY (SELECT id, note FROM children ORDER BY id) TO STDOUT"); my @lines; my $line = "";
    while ($dbh->pg_getcopydata($line) >= 0) { push @lines, $line } \@lines });
step("a cursor" => sub { $dbh->begin_work; $dbh->do("DECLARE c CURSOR FOR SELECT id FROM children ORDER BY id");
    my $rows = $dbh->selectcol_arrayref("FETCH 2 FROM c"); $dbh->commit; $rows });
step("large object" => sub { $dbh->begin_work;
    my $number = $dbh->pg_lo_creat($dbh->{pg_INV_WRITE} | $dbh->{pg_INV_READ});
    my $fd = $dbh->pg_lo_open($number, $dbh->{pg_INV_WRITE} | $dbh->{pg_INV_READ});
    my $written = $dbh->pg_lo_write($fd, "0123456789" x 5000, 50000);
    my $at = $dbh->pg_lo_lseek($fd, 49_995, 0);
    my $end = ""; my $read = $dbh->pg_lo_read($fd, $end, 100);
    my $tell = $dbh->pg_lo_tell($fd);
    my $cut = $dbh->pg_lo_truncate($fd, 7);
    my $closed = $dbh->pg_lo_close($fd); $dbh->commit;
    my ($left) = $dbh->selectrow_array("SELECT length(lo_get(?))", undef, $number);
    [ $number > 0 ? 1 : 0, $written, $at, $end, $read, $tell, $cut ? 1 : 0, $closed ? 1 : 0, $left, $dbh->pg_lo_unlink($number) ? 1 : 0 ] });
step("a large object that is not there" => sub { $dbh->begin_work; my $fd = $dbh->pg_lo_open(4_000_000_000, $dbh->{pg_INV_READ}); $dbh->rollback; $fd });
step("notifications" => sub { $dbh->do("LISTEN here"); $dbh->do("NOTIFY here, 'hello'"); my $got = $dbh->pg_notifies; [ @$got[0, 2] ] });
$dbh->disconnect;
