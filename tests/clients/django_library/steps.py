"""What an application does with its database, in themes; each yields the name of a step and what it gave, or how to get it."""

import contextlib
import datetime
import decimal
import io
import json
import pathlib
import tempfile
import uuid

from django.contrib.auth import authenticate
from django.contrib.auth.models import Group, Permission, User
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.backends.db import SessionStore
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.db.models import Avg, Case, Count, Exists, F, Max, Min, OuterRef, Q, StdDev, Subquery, Sum, Value, When, Window
from django.db.models import functions as f
from django.test import Client

from library import models
from library.models import Author, Book, Loan, Topic

UTC = datetime.timezone.utc
D = decimal.Decimal


def rows(sql, parameters=None):
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return cursor.fetchall()


def write():
    ann = Author.objects.create(name="Ann Ames", born=datetime.date(1950, 2, 28), facts={"prizes": ["a", "b"], "height": 1.7})
    yield "create", [ann.pk, ann.born, ann.living]
    bulk = Author.objects.bulk_create(Author(name=name, living=living) for name, living in [("Ben Bo", True), ("Cy Cox", False), ("Zoe Zu", True)])
    yield "bulk_create", [author.pk for author in bulk]
    yield "get_or_create", lambda: [Author.objects.get_or_create(name=name)[1] for name in ("Ann Ames", "Dee Dun")]
    yield "update_or_create", lambda: Author.objects.update_or_create(name="Dee Dun", defaults={"living": False})[1]
    yield "ignore_conflicts", lambda: len(Author.objects.bulk_create([Author(name="Ann Ames"), Author(name="Eve Ely")], ignore_conflicts=True))
    yield "update_conflicts", lambda: len(
        Author.objects.bulk_create([Author(name="Eve Ely", living=False)], update_conflicts=True, unique_fields=["name"], update_fields=["living"])
    )
    Topic.objects.bulk_create(Topic(slug=slug) for slug in ("art", "birds", "cells"))
    for number in range(12):
        book = Book.objects.create(
            key=uuid.UUID(int=number),
            title=f"Book {chr(65 + number)}",
            author=(ann, *bulk)[number % 4],
            price=D("9.90") + number,
            pages=100 + 25 * number,
            weight=None if number % 5 == 0 else number / 10,
            reading_time=datetime.timedelta(hours=number, minutes=30),
            added=datetime.datetime(2023, 1 + number, 28, 22 + number % 2, 45, 10, 1234, tzinfo=UTC),
            cover=bytes([0, number, 255]),
            from_address=f"10.0.0.{number}",
        )
        book.topics.set(Topic.objects.filter(pk__lte=1 + number % 3))
    yield "authors", lambda: Author.objects.values_list("pk", "name", "born", "living", "facts")
    yield "books", lambda: Book.objects.order_by("pk").values_list()
    yield "update", lambda: Book.objects.filter(pages__gte=300).update(price=F("price") * 2 + 1, title=f.Concat("title", Value("!")))
    yield "refreshed", lambda: list(Book.objects.filter(pages__gte=300).order_by("pk").values_list("price", "title"))
    yield "bulk_update", lambda: Book.objects.bulk_update([Book(pk=1, weight=7.5), Book(pk=2, weight=None)], ["weight"])
    yield "update by case", lambda: Author.objects.update(living=Case(When(name__startswith="Ann", then=True), default=F("living")))
    yield "default of the database", lambda: [models.Case.objects.create(name="new").places]
    yield "select_for_update", lambda: [Author.objects.select_for_update().get(pk=1).name]


def read():
    yield "get", lambda: Book.objects.get(key=uuid.UUID(int=3)).title
    yield "missing", lambda: Book.objects.get(pk=999)
    yield "select_related", lambda: [(book.title, book.author.name) for book in Book.objects.select_related("author").order_by("-pk")[:3]]
    yield "prefetch_related", lambda: [(a.name, sorted(b.title for b in a.books.all())) for a in Author.objects.prefetch_related("books")]
    yield "join", lambda: Book.objects.filter(topics__slug="cells", author__living=False).order_by("pk").values_list("title", flat=True)
    yield "icontains", lambda: Author.objects.filter(name__icontains="an").values_list("name", flat=True)
    yield "contains", lambda: Author.objects.filter(name__contains="an").values_list("name", flat=True)
    yield "iexact", lambda: Author.objects.filter(name__iexact="ZOE zu").count()
    yield "istartswith", lambda: Author.objects.filter(name__istartswith="b").count()
    yield "endswith", lambda: Author.objects.filter(name__endswith="x").count()
    yield "of a column", lambda: Book.objects.filter(title__contains=F("author__name")).count()
    yield "regex", lambda: Author.objects.filter(name__regex=r"^[AB]\w+ [A-C]").values_list("name", flat=True)
    yield "iregex", lambda: Author.objects.filter(name__iregex="^(ann|cy) ").count()
    yield "in", lambda: Book.objects.filter(pk__in=[1, 2, 3], author__in=Author.objects.filter(living=True)).count()
    yield "in_bulk", lambda: sorted(Book.objects.in_bulk([1, 5, 77]))
    yield "range", lambda: Book.objects.filter(price__range=(10, 13)).count()
    yield "isnull", lambda: Book.objects.filter(weight__isnull=True).count()
    yield "exclude", lambda: Book.objects.exclude(Q(pages__lt=200) | Q(topics__slug="birds")).count()
    yield "date of a time", lambda: Book.objects.filter(added__date=datetime.date(2023, 3, 29)).values_list("title", flat=True)
    yield "year", lambda: Book.objects.filter(added__year=2023, added__month__gt=6).count()
    yield "weekday", lambda: Book.objects.filter(added__week_day=1).count()
    yield "hour", lambda: Book.objects.filter(added__hour__lt=1).count()
    yield "duration", lambda: Book.objects.filter(reading_time__gt=datetime.timedelta(hours=3)).count()
    yield "address", lambda: Book.objects.filter(from_address="10.0.0.3").count()
    yield "json key", lambda: Author.objects.filter(facts__height=1.7).count()
    yield "json path", lambda: Author.objects.filter(facts__prizes__0="a").values_list("name", flat=True)
    yield "json has_key", lambda: Author.objects.filter(facts__has_key="prizes").count()
    yield "json contains", lambda: Author.objects.filter(facts__contains={"height": 1.7}).count()
    yield "json value", lambda: Author.objects.filter(pk=1).values_list("facts__prizes", "facts__height")
    yield "iterator", lambda: sum(1 for _ in Book.objects.iterator(chunk_size=5))
    yield "only", lambda: [Book.objects.only("title").get(pk=4).title, Book.objects.defer("title").get(pk=4).pages]
    yield "first and last", lambda: [Book.objects.first().pk, Book.objects.last().pk, Book.objects.latest("added").pk]
    yield "exists", lambda: [Book.objects.filter(pages=100).exists(), Book.objects.filter(pages=1).exists()]
    yield "slices", lambda: Book.objects.order_by("title")[2:5].values_list("pk", flat=True)
    yield "nulls last", lambda: Book.objects.order_by(F("weight").desc(nulls_last=True), "pk").values_list("pk", flat=True)
    yield "nulls by default", lambda: Book.objects.order_by("weight", "pk").values_list("pk", flat=True)
    yield "distinct", lambda: Book.objects.values_list("author", flat=True).distinct().order_by("author")
    yield "distinct on", lambda: Book.objects.order_by("author", "-added").distinct("author").values_list("author", "title")
    yield "union", lambda: Author.objects.filter(pk=1).values_list("name").union(Author.objects.filter(pk__lt=3).values_list("name")).order_by("name")
    yield "difference", lambda: Author.objects.values_list("pk").difference(Author.objects.filter(pk__lt=3).values_list("pk")).count()
    yield "dates", lambda: Book.objects.dates("added", "month")
    yield "datetimes", lambda: Book.objects.datetimes("added", "hour")
    yield "explain", lambda: bool(Book.objects.filter(pk=1).explain())
    yield "none", lambda: Book.objects.none().count()
    yield "empty in", lambda: Book.objects.filter(pk__in=[]).count()


def reckon():
    books = Book.objects
    yield "aggregate", lambda: books.aggregate(Count("pk"), Sum("price"), Avg("price"), Max("added"), Min("pages"), Avg("pages"))
    yield "filtered", lambda: books.aggregate(dear=Count("pk", filter=Q(price__gt=20)), light=Avg("weight", filter=Q(weight__lt=0.5)))
    yield "deviation", lambda: round(books.aggregate(value=StdDev("pages"))["value"], 6)
    yield "of durations", lambda: books.aggregate(Sum("reading_time"), Max("reading_time"))
    yield "annotate", lambda: Author.objects.annotate(n=Count("books"), s=Sum("books__price")).order_by("name").values_list("name", "n", "s")
    yield "having", lambda: Author.objects.annotate(n=Count("books")).filter(n__gt=2).count()
    yield "distinct count", lambda: Author.objects.aggregate(n=Count("books__topics", distinct=True))
    for kind in ("Year", "Quarter", "Month", "Week", "Day", "Hour", "Minute", "Second"):
        trunc = getattr(f, f"Trunc{kind}")
        yield f"trunc {kind}", lambda trunc=trunc: books.annotate(at=trunc("added")).values("at").annotate(n=Count("pk")).order_by("at").values_list("at", "n")[:4]
    yield "trunc date", lambda: books.annotate(at=f.TruncDate("added")).order_by("pk").values_list("at", flat=True)[:4]
    yield "trunc time", lambda: books.annotate(at=f.TruncTime("added")).order_by("pk").values_list("at", flat=True)[:4]
    parts = ("Year", "IsoYear", "Quarter", "Month", "Week", "WeekDay", "IsoWeekDay", "Day", "Hour", "Minute", "Second")
    for kind in parts:
        part = getattr(f, f"Extract{kind}")
        yield f"extract {kind}", lambda part=part: books.annotate(p=part("added")).order_by("pk").values_list("p", flat=True)
    yield "plus a duration", lambda: books.annotate(done=F("added") + F("reading_time")).order_by("pk").values_list("done", flat=True)[:3]
    yield "times apart", lambda: books.annotate(old=Value(datetime.datetime(2024, 1, 1, tzinfo=UTC)) - F("added")).order_by("pk").values_list("old", flat=True)[:3]
    yield "now", lambda: Book.objects.filter(added__lt=f.Now()).count()
    yield "arithmetic", lambda: books.order_by("pk").annotate(x=F("price") * F("pages") / 3, y=F("pages") / 7, z=F("pages") % 7).values_list("x", "y", "z")[:3]
    yield "functions", lambda: Author.objects.annotate(
        a=f.Lower("name"), b=f.Upper("name"), c=f.Length("name"), d=f.Substr("name", 2, 3), e=f.Left("name", 3), g=f.Right("name", 2),
        h=f.Replace("name", Value(" "), Value("_")), i=f.StrIndex("name", Value("n")), j=f.LPad("name", 12, Value("*")), k=f.MD5("name"), l=f.Reverse("name"),
    ).values_list("a", "b", "c", "d", "e", "g", "h", "i", "j", "k", "l")
    yield "numbers", lambda: books.filter(pk=5).annotate(
        a=f.Round("weight"), b=f.Ceil("price"), c=f.Floor("price"), d=f.Abs(F("pages") - 1000), e=f.Power("pages", 2), g=f.Mod("pages", 7), h=f.Sqrt("pages"), i=f.Round("price", 1),
    ).values_list("a", "b", "c", "d", "e", "g", "h", "i")
    yield "coalesce", lambda: books.order_by("pk").annotate(x=f.Coalesce("weight", 0.5), y=f.NullIf("pages", 125), z=f.Greatest("pages", 200)).values_list("x", "y", "z")[:3]
    yield "cast", lambda: books.filter(pk=4).annotate(
        a=f.Cast("pages", models.models.CharField(max_length=2)), b=f.Cast("price", models.models.IntegerField()), c=f.Cast("title", models.models.TextField()),
    ).values_list("a", "b", "c")
    yield "case", lambda: books.annotate(size=Case(When(pages__lt=150, then=Value("thin")), default=Value("thick"))).values("size").annotate(n=Count("pk")).order_by("size").values_list("size", "n")
    newest = Book.objects.filter(author=OuterRef("pk")).order_by("-added")
    yield "subquery", lambda: Author.objects.annotate(newest=Subquery(newest.values("title")[:1])).values_list("name", "newest")
    yield "exists", lambda: Author.objects.filter(~Exists(newest)).values_list("name", flat=True)
    yield "window", lambda: books.annotate(
        place=Window(f.RowNumber(), partition_by="author", order_by="-price"), total=Window(Sum("price"), order_by="pk"), before=Window(f.Lag("title"), order_by="pk"),
    ).order_by("pk").values_list("place", "total", "before")
    yield "filter of a window", lambda: books.annotate(place=Window(f.Rank(), partition_by="author", order_by="-price")).filter(place=1).order_by("pk").values_list("pk", flat=True)
    yield "json object", lambda: books.filter(pk=2).annotate(x=f.JSONObject(title="title", price="price", by="author__name")).values_list("x", flat=True)


def fail():
    def attempt(act):
        """An error inside a savepoint leaves the transaction alive."""
        with transaction.atomic():
            try:
                with transaction.atomic():
                    act()
            except IntegrityError as error:
                diag = error.__cause__.diag
                return [diag.sqlstate, diag.constraint_name, diag.table_name, diag.column_name, Author.objects.count()]

    book = lambda **more: Book.objects.create(**({"title": "x", "author_id": 1, "price": 1, "added": datetime.datetime(2024, 1, 1, tzinfo=UTC)} | more))  # noqa: E731
    yield "unique", lambda: attempt(lambda: Author.objects.create(name="Ann Ames"))
    yield "unique of two", lambda: attempt(lambda: book(title="Book A"))
    yield "null", lambda: attempt(lambda: book(price=None))
    yield "check", lambda: attempt(lambda: book(price=-1))
    yield "foreign key", lambda: attempt(lambda: (book(author_id=999), connection.check_constraints()))
    yield "too long", lambda: Author.objects.create(name="x" * 81)
    yield "too large", lambda: book(price=D("1234567.89"))
    yield "wrong column", lambda: rows("SELECT nothing FROM library_book")
    yield "wrong table", lambda: rows("SELECT * FROM library_nothing")
    yield "division", lambda: rows("SELECT 1/0")


def transact():
    def rolled_back():
        with contextlib.suppress(RuntimeError), transaction.atomic():
            Topic.objects.create(slug="gone")
            raise RuntimeError
        return Topic.objects.filter(slug="gone").exists()

    def nested():
        with transaction.atomic():
            Topic.objects.create(slug="kept")
            with contextlib.suppress(RuntimeError), transaction.atomic():
                Topic.objects.create(slug="dropped")
                raise RuntimeError
            mark = transaction.savepoint()
            Topic.objects.create(slug="undone")
            transaction.savepoint_rollback(mark)
        return list(Topic.objects.order_by("slug").values_list("slug", flat=True))

    called = []
    yield "rolled back", lambda: rolled_back()
    yield "nested", lambda: nested()
    with transaction.atomic():
        transaction.on_commit(lambda: called.append("committed"))
    yield "on_commit", called


def raw():
    yield "raw", lambda: [(a.pk, a.name, a.n) for a in Author.objects.raw("SELECT *, (SELECT count(*) FROM library_book b WHERE b.author_id = a.id) AS n FROM library_author a WHERE name LIKE %s ORDER BY id", ["A%"])]
    yield "cursor", lambda: rows("SELECT title, price, added FROM library_book WHERE pages BETWEEN %s AND %s ORDER BY id", [100, 150])
    yield "dates", lambda: rows("SELECT added::date, date_trunc('month', added), added + interval '1 day' FROM library_book WHERE id = ANY(%s) ORDER BY id", [[1, 3]])
    yield "executemany", lambda: executemany()
    yield "procedures of psycopg", lambda: rows("SELECT %s, %s, %s, %s", [True, D("1.50"), datetime.date(2024, 2, 29), "é"])
    yield "returning", lambda: rows("UPDATE library_topic SET slug = upper(slug) WHERE id = 1 RETURNING id, slug")


def executemany():
    with connection.cursor() as cursor:
        cursor.executemany("INSERT INTO library_topic (slug) VALUES (%s)", [("many1",), ("many2",)])
        return cursor.rowcount


def delete():
    reader = User.objects.create_user("reader", password="r")
    loan = Loan.objects.create(book_id=1, reader=reader, day=datetime.date(2024, 2, 29), at=datetime.time(12, 30, 15))
    yield "loan", lambda: Loan.objects.values_list("book", "day", "at", "returned", "note")
    yield "protected", lambda: Book.objects.get(pk=1).delete()
    yield "cascade", lambda: reader.delete()[0]
    yield "many", lambda: sorted(Author.objects.filter(name="Cy Cox").delete()[1].items())
    yield "left", lambda: [Book.objects.count(), Loan.objects.count(), loan.pk]
    yield "by a subquery", lambda: Book.objects.filter(author__living=False).delete()[0]


def users():
    group = Group.objects.create(name="staff")
    group.permissions.set(Permission.objects.filter(content_type__app_label="library", codename__startswith="view"))
    user = User.objects.create_user("ann", "ann@example.com", "secret")
    user.groups.add(group)
    yield "content types", lambda: ContentType.objects.order_by("app_label", "model").values_list("app_label", "model")
    yield "authenticate", lambda: [authenticate(username="ann", password=word) is not None for word in ("secret", "wrong")]
    yield "permissions", lambda: sorted(user.get_all_permissions())
    session = SessionStore()
    session["cart"] = [1, 2]
    session.save()
    yield "session", lambda: SessionStore(session.session_key)["cart"]
    yield "clearsessions", lambda: call_command("clearsessions")


def administration():
    User.objects.create_superuser("root", "root@example.com", "secret")
    client = Client()
    yield "login", client.login(username="root", password="secret")
    for path in ("", "library/book/", "library/book/?q=Ann&o=-3", "library/book/?added__year=2023&added__month=3", "library/author/?living__exact=1", "library/book/2/change/", "library/book/2/history/"):
        yield f"GET {path}", lambda path=path: page(client.get(f"/admin/{path}"))
    added = {"name": "New Name", "born": "1970-01-31", "living": "on", "facts": "{}"}
    yield "POST", lambda: page(client.post("/admin/library/author/add/", added))
    yield "added", lambda: Author.objects.filter(name="New Name").values_list("born", "living", "facts")
    chosen = {"action": "delete_selected", "_selected_action": [str(Author.objects.get(name="Eve Ely").pk)], "post": "yes"}
    yield "action", lambda: page(client.post("/admin/library/author/", chosen))
    yield "log", lambda: rows("SELECT object_repr, action_flag FROM django_admin_log ORDER BY id")


def page(response):
    """The code, and for a list how many rows it shows."""
    lists = getattr(response, "context_data", None) or {}
    return [response.status_code, lists["cl"].result_count if "cl" in lists else None]


def dump_and_load():
    out = io.StringIO()
    call_command("dumpdata", "library", stdout=out)
    dumped = json.loads(out.getvalue())
    yield "dumped", sorted(one["model"] for one in dumped)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "library.json")
        file.write_text(out.getvalue())
        Book.objects.all().delete()
        yield "loaded", lambda: call_command("loaddata", str(file), verbosity=0)
    again = io.StringIO()
    call_command("dumpdata", "library", stdout=again)
    yield "the same", json.loads(again.getvalue()) == dumped
    yield "next key", lambda: Author.objects.create(name="After All").pk > max(one["pk"] for one in dumped if one["model"] == "library.author")
    script = io.StringIO()
    call_command("sqlsequencereset", "library", stdout=script, no_color=True)
    yield "sqlsequencereset", lambda: rows(script.getvalue().replace("BEGIN;", "").replace("COMMIT;", "")) and None
    yield "check", lambda: call_command("check", databases=["default"], stdout=io.StringIO())
    call_command("flush", interactive=False, verbosity=0)
    yield "flush", [Author.objects.count(), ContentType.objects.count() > 5]
    yield "keys start anew", lambda: Author.objects.create(name="First").pk


THEMES = {
    "write": write,
    "read": read,
    "reckon": reckon,
    "fail": fail,
    "transact": transact,
    "raw": raw,
    "delete": delete,
    "users": users,
    "administration": administration,
    "dump and load": dump_and_load,
}
