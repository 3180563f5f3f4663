"""peewee: models with keys, JSON, arrays and full queries; introspection by pwiz; migrations by playhouse.migrate."""

import datetime
import decimal
import uuid

import peewee
from peewee import fn
from playhouse import migrate, postgres_ext, reflection
from steps import QUESTION, arguments, step

host, port, user, database, asks = arguments()
db = postgres_ext.PostgresqlExtDatabase(database, host=host, port=port, user=user)


class Base(peewee.Model):
    class Meta:
        database = db


class Author(Base):
    name = peewee.CharField(max_length=40, unique=True)
    born = peewee.DateField(null=True)
    active = peewee.BooleanField(default=True)

    class Meta:
        table_name = "pw_author"


class Book(Base):
    author = peewee.ForeignKeyField(Author, backref="books", on_delete="CASCADE")
    title = peewee.TextField(index=True)
    price = peewee.DecimalField(max_digits=9, decimal_places=2, default=decimal.Decimal("1.50"))
    stars = peewee.SmallIntegerField(null=True, constraints=[peewee.Check("stars < 6")])
    seen = peewee.DateTimeField(default=datetime.datetime(2024, 2, 29, 12))
    code = peewee.UUIDField(null=True)
    raw = peewee.BlobField(null=True)
    tags = postgres_ext.ArrayField(peewee.CharField, null=True, index=False)
    extra = postgres_ext.BinaryJSONField(null=True, index=False)
    rate = peewee.DoubleField(null=True)
    clock = peewee.TimeField(null=True)

    class Meta:
        table_name = "pw_book"
        indexes = ((("author", "title"), True),)


MODELS = [Author, Book]


@step("create")
def _():
    db.drop_tables(MODELS, safe=True)
    db.create_tables(MODELS)
    return [model.table_exists() for model in MODELS]


@step("insert")
def _():
    ann = Author.create(name="Ann", born=datetime.date(1970, 1, 2))
    bob = Author.create(name="Bob")
    Author.insert_many([{"name": f"n{n}"} for n in range(3)]).execute()
    Book.create(author=ann, title="One", tags=["a", "b c"], extra={"x": [1, {"y": None}]}, code=uuid.UUID(int=7), raw=b"\x00\xff", stars=4, clock=datetime.time(1, 2, 3))
    Book.create(author=ann, title="Two", price=decimal.Decimal("2.25"), stars=5, rate=1.5)
    Book.create(author=bob, title="Three")
    return [ann.id, bob.id, Author.select().count()]


@step("read")
def _():
    return list(Book.select(Book, Author.name.alias("by")).join(Author).order_by(Book.id).dicts())


@step("filter")
def _():
    return [book.title for book in Book.select().where((Book.title ** "t%") & (Book.stars.is_null() | (Book.stars > 4))).order_by(Book.title)]


@step("aggregate")
def _():
    query = Author.select(Author.name, fn.COUNT(Book.id).alias("n"), fn.SUM(Book.price).alias("sum"), fn.AVG(Book.stars).alias("avg")).join(Book, peewee.JOIN.LEFT_OUTER).group_by(Author.name).having(fn.COUNT(Book.id) > 0).order_by(Author.name)
    return list(query.tuples())


@step("dates")
def _():
    return list(Book.select(Book.seen.year, Book.seen.month, fn.date_trunc("month", Book.seen), Book.seen.to_timestamp()).where(Book.seen.day == 29).limit(1).tuples())


@step("arrays")
def _():
    return [
        [book.title for book in Book.select().where(Book.tags.contains("a"))],
        [book.title for book in Book.select().where(Book.tags.contains_any("b c", "z"))],
        list(Book.select(Book.tags[0]).where(Book.tags.is_null(False)).tuples()),
    ]


@step("json")
def _():
    return [
        list(Book.select(Book.extra["x"][1]["y"], Book.extra["x"][0]).where(Book.extra.is_null(False)).tuples()),
        [book.title for book in Book.select().where(Book.extra.contains({"x": [1]}))],
        [book.title for book in Book.select().where(Book.extra.has_key("x"))],
    ]


@step("upsert")
def _():
    Author.insert(name="Ann", active=False).on_conflict(conflict_target=[Author.name], update={Author.active: False}).execute()
    Author.insert(name="Bob").on_conflict_ignore().execute()
    return list(Author.select(Author.name, Author.active).order_by(Author.id).tuples())


@step("update and delete returning")
def _():
    changed = list(Book.update(price=Book.price * 2).where(Book.stars > 4).returning(Book.title, Book.price).tuples())
    gone = list(Author.delete().where(Author.name.startswith("n")).returning(Author.name).tuples())
    return [changed, sorted(gone)]


@step("update from")
def _():
    query = Book.update(title=Author.name.concat("'s")).from_(Author).where((Book.author == Author.id) & (Author.name == "Bob"))
    return [query.execute(), Book.get(Book.author == Author.get(Author.name == "Bob")).title]


@step("bulk update")
def _():
    books = list(Book.select().order_by(Book.id))
    for at, book in enumerate(books):
        book.stars = at
    return [Book.bulk_update(books, [Book.stars]), [book.stars for book in Book.select().order_by(Book.id)]]


@step("windows and unions")
def _():
    ranked = Book.select(Book.title, fn.RANK().over(partition_by=[Book.author], order_by=[Book.price.desc()]).alias("r")).order_by(Book.title)
    union = (Author.select(Author.name) | Book.select(Book.title)).order_by(peewee.SQL("1"))
    cte = Author.select(Author.id, Author.name).cte("a")
    joined = Book.select(Book.title, cte.c.name).join(cte, on=(Book.author == cte.c.id)).with_cte(cte).order_by(Book.title)
    return [list(ranked.tuples()), list(union.tuples()), list(joined.tuples())]


@step("a transaction")
def _():
    with db.atomic() as outer:
        Author.create(name="Gone")
        try:
            with db.atomic():
                Author.create(name="Ann")
        except peewee.IntegrityError as error:
            told = str(error).splitlines()[0]
        outer.rollback()
    return [told, Author.select().where(Author.name == "Gone").count()]


@step("a check")
def _():
    with db.atomic():
        Book.create(author=1, title="No", stars=9)


@step("server side")
def _():
    with db.atomic():
        return [row[0] for row in postgres_ext.ServerSide(Author.select(Author.name).order_by(Author.name).tuples())]


@step("locked")
def _():
    with db.atomic():
        return [author.name for author in Author.select().where(Author.id == 1).for_update()]


@step("tables")
def _():
    return [name for name in db.get_tables() if name.startswith("pw_")]


@step("columns")
def _():
    return [[column.name, column.data_type, column.null, column.primary_key, column.default] for column in db.get_columns("pw_book")]


@step("indexes")
def _():
    return sorted([index.name, index.columns, index.unique] for index in db.get_indexes("pw_book"))


@step("keys")
def _():
    return [db.get_primary_keys("pw_book"), [[key.column, key.dest_table, key.dest_column] for key in db.get_foreign_keys("pw_book")], db.sequence_exists("pw_book_id_seq")]


@step("pwiz")
def _():
    models = reflection.Introspector.from_database(db).generate_models(table_names=["pw_author", "pw_book"])
    return {
        name: [[field.name, type(field).__name__, field.null, field.unique, field.index] for field in model._meta.sorted_fields]
        for name, model in sorted(models.items())
    }


migrator = migrate.PostgresqlMigrator(db)

MIGRATIONS = {
    "add a column": lambda: migrator.add_column("pw_book", "pages", peewee.IntegerField(default=3)),
    "add a key": lambda: migrator.add_column("pw_book", "editor_id", peewee.ForeignKeyField(Author, field=Author.id, null=True)),
    "rename a column": lambda: migrator.rename_column("pw_book", "pages", "sheets"),
    "add not null": lambda: migrator.add_not_null("pw_author", "active"),
    "drop not null": lambda: migrator.drop_not_null("pw_author", "active"),
    "add an index": lambda: migrator.add_index("pw_book", ("sheets", "stars"), False),
    "drop an index": lambda: migrator.drop_index("pw_book", "pw_book_sheets_stars"),
    "alter a type": lambda: migrator.alter_column_type("pw_book", "sheets", peewee.BigIntegerField()),
    "add a default": lambda: migrator.add_column_default("pw_book", "rate", 2.5),
    "drop a default": lambda: migrator.drop_column_default("pw_book", "rate"),
    "add a unique constraint": lambda: migrator.add_unique("pw_book", "code"),
    "add a constraint": lambda: migrator.add_constraint("pw_book", "pw_sheets", peewee.Check("sheets > 0")),
    "drop a constraint": lambda: migrator.drop_constraint("pw_book", "pw_sheets"),
    "drop a column": lambda: migrator.drop_column("pw_book", "editor_id"),
    "rename a table": lambda: migrator.rename_table("pw_book", "pw_tome"),
}

for name, operation in MIGRATIONS.items():
    @step(f"migrate: {name}")
    def _():
        with db.atomic():
            migrate.migrate(operation())
        table = "pw_tome" if "pw_tome" in db.get_tables() else "pw_book"
        return [
            [[column.name, column.data_type, column.null, column.default] for column in db.get_columns(table)][-3:],
            sorted(index.name for index in db.get_indexes(table)),
            db.execute_sql(f"SELECT count(*) FROM {table}").fetchone(),
        ]


if asks:
    @step("ask")
    def _():
        return sorted(db.execute_sql("SELECT * FROM nl(%s)", [QUESTION]).fetchall())

    @step("ask raw")
    def _():
        return sorted(row.name for row in Author.raw(f"SELECT * FROM nl('{QUESTION}')"))


@step("drop")
def _():
    db.execute_sql("DROP TABLE IF EXISTS pw_tome, pw_book, pw_author CASCADE")
    return [name for name in db.get_tables() if name.startswith("pw_")]
