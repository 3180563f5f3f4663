<?php
// PHP's PDO and pgsql functions: statements, types of columns, COPY and large objects; a line of JSON for each step.
[, $host, $port, $database, $user] = $argv;
$pdo = new PDO("pgsql:host=$host;port=$port;dbname=$database", $user, '', [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);

function step($name, $work) {
    global $pdo;
    try {
        $told = $work();
    } catch (PDOException $error) {
        $told = ['error' => $error->getCode()];
        if ($pdo->inTransaction()) $pdo->rollBack();
    } catch (Throwable $error) {
        $told = ['failed' => get_class($error)];
    }
    echo $name, "\t", json_encode($told, JSON_PARTIAL_OUTPUT_ON_ERROR), "\n";
}

$all = fn($sql) => $pdo->query($sql)->fetchAll(PDO::FETCH_NUM);

$pdo->exec("CREATE TABLE things (id serial PRIMARY KEY, name varchar(20) NOT NULL, price numeric(8,2), big bigint, small smallint, ok boolean,
    at timestamp, day date, data bytea, doc jsonb, tags text[], ratio double precision)");

step('server version', fn() => str_starts_with($pdo->getAttribute(PDO::ATTR_SERVER_VERSION), '15'));
step('insert', function () use ($pdo) {
    $statement = $pdo->prepare('INSERT INTO things (name, price, ok, at) VALUES (:name, :price, :ok, :at)');
    $statement->bindValue('name', 'one');
    $statement->bindValue('price', '2.50');
    $statement->bindValue('ok', true, PDO::PARAM_BOOL);
    $statement->bindValue('at', '2024-01-02 03:04:05');
    $statement->execute();
    return $statement->rowCount();
});
step('lastInsertId', fn() => [$pdo->lastInsertId(), $pdo->lastInsertId('things_id_seq')]);
step('native types', fn() => array_map('gettype', $pdo->query('SELECT id, name, price, big, ok, ratio FROM things')->fetch(PDO::FETCH_NUM)));
step('getColumnMeta', function () use ($pdo) {
    $statement = $pdo->query('SELECT id, name, price, ok, at, data, doc, tags, id + 1 AS more FROM things');
    $meta = [];
    for ($at = 0; $at < $statement->columnCount(); $at++) {
        $column = $statement->getColumnMeta($at);
        $meta[] = [$column['name'], $column['native_type'] ?? null, $column['pgsql:oid'] ?? null, $column['table'] ?? null, $column['len'], $column['precision']];
    }
    return $meta;
});
step('emulated', function () use ($pdo) {
    $statement = $pdo->prepare('SELECT name FROM things WHERE id = ? AND ok = ?', [PDO::ATTR_EMULATE_PREPARES => true]);
    $statement->execute([1, 'true']);
    return $statement->fetchAll(PDO::FETCH_ASSOC);
});
step('a failed statement', fn() => $pdo->exec("INSERT INTO things (name) VALUES (NULL)"));
step('transaction', function () use ($pdo, $all) {
    $pdo->beginTransaction();
    $pdo->exec("INSERT INTO things (name) VALUES ('gone')");
    $pdo->rollBack();
    return [$all('SELECT count(*) FROM things'), $pdo->inTransaction()];
});
step('bytea as a stream', function () use ($pdo) {
    $stream = fopen('php://memory', 'w+');
    fwrite($stream, "\x00\xff\x10");
    rewind($stream);
    $statement = $pdo->prepare('UPDATE things SET data = ? WHERE id = 1');
    $statement->bindParam(1, $stream, PDO::PARAM_LOB);
    $statement->execute();
    return bin2hex(stream_get_contents($pdo->query('SELECT data FROM things WHERE id = 1')->fetchColumn()));
});
step('pgsqlCopyFromArray', fn() => [$pdo->pgsqlCopyFromArray('things', ["10\tten\t1.5", "11\televen\t\\N"], "\t", '\\\\N', 'id, name, price'), $all('SELECT id, name, price FROM things WHERE id >= 10 ORDER BY id')]);
step('pgsqlCopyToArray', fn() => $pdo->pgsqlCopyToArray('things', "\t", '\\\\N', 'id, name'));
step('scrolling', function () use ($pdo) {
    $statement = $pdo->prepare('SELECT id FROM things ORDER BY id', [PDO::ATTR_CURSOR => PDO::CURSOR_SCROLL]);
    $statement->execute();
    return [$statement->fetch(PDO::FETCH_NUM, PDO::FETCH_ORI_LAST), $statement->fetch(PDO::FETCH_NUM, PDO::FETCH_ORI_FIRST)];
});
step('large object', function () use ($pdo) {
    $pdo->beginTransaction();
    $number = $pdo->pgsqlLOBCreate();
    $stream = $pdo->pgsqlLOBOpen($number, 'w');
    fwrite($stream, str_repeat('0123456789', 5000));
    fclose($stream);
    $stream = $pdo->pgsqlLOBOpen($number, 'r');
    fseek($stream, 49990);
    $end = stream_get_contents($stream);
    $gone = $pdo->pgsqlLOBUnlink($number);
    $pdo->commit();
    return [$end, $gone];
});
step('notifications', function () use ($pdo) {
    $pdo->exec('LISTEN here');
    $pdo->exec("NOTIFY here, 'hello'");
    $got = $pdo->pgsqlGetNotify(PDO::FETCH_ASSOC, 1000);
    return [$got['message'], $got['payload']];
});
$pdo = null;

$link = pg_connect("host=$host port=$port dbname=$database user=$user");
step('pg_meta_data', function () use ($link) {
    $meta = pg_meta_data($link, 'things');
    return array_map(fn($column) => [$column['num'], $column['type'], $column['not null'], $column['has default'], $column['array dims']], $meta);
});
step('pg_insert', fn() => pg_insert($link, 'things', ['id' => 20, 'name' => 'twenty', 'ok' => 't']) !== false);
step('pg_select', fn() => array_map(fn($row) => [$row['id'], $row['name'], $row['ok']], pg_select($link, 'things', ['id' => 20])));
step('pg_update', fn() => pg_update($link, 'things', ['name' => 'score'], ['id' => 20]));
step('pg_delete', fn() => pg_delete($link, 'things', ['id' => 20]));
step('pg_field_table', fn() => [pg_field_table(pg_query($link, 'SELECT id FROM things'), 0), pg_field_type(pg_query($link, 'SELECT tags FROM things'), 0)]);
step('pg_copy_to', fn() => pg_copy_to($link, 'things (id, name)'));
step('pg_lo', function () use ($link) {
    pg_query($link, 'BEGIN');
    $number = pg_lo_create($link);
    $large = pg_lo_open($link, $number, 'w');
    $written = pg_lo_write($large, 'some bytes');
    pg_lo_close($large);
    $large = pg_lo_open($link, $number, 'r');
    $read = pg_lo_read($large, 100);
    $unlinked = pg_lo_unlink($link, $number);
    pg_query($link, 'COMMIT');
    return [$written, $read, $unlinked];
});
