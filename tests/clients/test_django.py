"""Django in front of a SQLite file: `inspectdb` writes models of the shop, and they work."""

import ast
import os
import re
import subprocess
import sys

import pytest

TABLES = {
    "categories": "category_id",
    "customers": "customer_id",
    "employees": "employee_id",
    "orders": "order_id",
    "products": "product_id",
    "stores": "store_id",
    "suppliers": "supplier_id",
}
FOREIGN_KEYS = {
    ("Categories", "parent", "self"),
    ("Employees", "store", "Stores"),
    ("Employees", "manager", "self"),
    ("OrderLines", "order", "Orders"),
    ("OrderLines", "product", "Products"),
    ("Orders", "customer", "Customers"),
    ("Products", "category", "Categories"),
    ("Reviews", "customer", "Customers"),
}

WORK = """
import django
django.setup()
from django.db import connection, transaction
from django.db.models import Count, F
from shop import models

assert models.Customers.objects.count() == models.Customers.objects.values("pk").distinct().count() > 1000
best = models.Customers.objects.values("country").annotate(n=Count("pk")).order_by("-n", "country").first()
assert best["n"] == models.Customers.objects.filter(country=best["country"]).count()
order = models.Orders.objects.select_related("customer").order_by("pk").first()
assert order.customer.pk == order.customer_id
with connection.cursor() as cursor:
    told = connection.introspection.get_sequences(cursor, "customers")
    assert told == [{"name": "customers_customer_id_seq", "table": "customers", "column": "customer_id"}], told
    constraints = connection.introspection.get_constraints(cursor, "customers")
    assert constraints["customers_pkey"]["primary_key"] and constraints["customers_country"]["columns"] == ["country"]
with transaction.atomic():
    given = models.Categories.objects.create(category_id=9999, name="zz")
    numbered = models.Categories.objects.create(name="zy", parent=given)
    assert numbered.pk == 10000
    assert models.Categories.objects.filter(name__istartswith="Z").update(name=F("name")) == 2
    assert models.Categories.objects.filter(name__iregex="^Z").count() == 2
    assert [child.name for child in given.categories_set.all()] == ["zy"]
    numbered.delete()
    transaction.set_rollback(True)
assert not models.Categories.objects.filter(pk=9999).exists()
"""


def settings(shop, folder):
    (folder / "shop").mkdir()
    (folder / "shop/__init__.py").touch()
    (folder / "settings.py").write_text(
        f"""
DATABASES = {{
    "default": {{
        "ENGINE": "django.db.backends.postgresql",
        "HOST": {shop.host!r},
        "PORT": {shop.port!r},
        "NAME": "shop",
        "USER": "tester",
    }}
}}
INSTALLED_APPS = ["shop"]
USE_TZ = True
"""
    )
    return os.environ | {"DJANGO_SETTINGS_MODULE": "settings", "PYTHONPATH": str(folder)}


def run(environment, *arguments):
    ran = subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_models_of_the_shop_are_inspected_and_work(sqlite_shop, tmp_path):
    pytest.importorskip("django")
    environment = settings(sqlite_shop, tmp_path)
    written = run(environment, "-m", "django", "inspectdb", "--include-views")
    assert "Unable to inspect" not in written, written
    classes = {node.name: ast.unparse(node) for node in ast.parse(written).body if isinstance(node, ast.ClassDef)}
    named = set(re.findall(r"db_table = '(\w+)'", "\n".join(classes.values())))
    expected = {name for (name,) in sqlite_shop.plain("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'querent%'")}
    assert named == expected
    for table, key in TABLES.items():
        assert f"{key} = models.BigAutoField(primary_key=True)" in classes[table.capitalize()]
    for model, field, target in FOREIGN_KEYS:
        assert re.search(rf"\b{field} = models.ForeignKey\('?{target}'?, models.DO_NOTHING", classes[model]), classes[model]
    (tmp_path / "shop/models.py").write_text(written)
    run(environment, "-c", WORK)
