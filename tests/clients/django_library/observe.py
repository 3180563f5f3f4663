"""Migrates an empty database and works with it, theme after theme; prints what came back, a line for each step.

A step that fails prints its error, and the next one goes on: what is compared is the whole list.
"""

import json
import re
import sys
import traceback
import warnings

warnings.simplefilter("ignore")

import django  # noqa: E402

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection, connections, transaction  # noqa: E402

import steps  # noqa: E402


def told(error):
    """The error as Django classes it, with what the server calls it."""
    cause = error.__cause__
    fields = getattr(cause, "diag", None)
    state = getattr(cause, "sqlstate", None) or getattr(cause, "pgcode", None)
    return [type(error).__name__, state, getattr(fields, "constraint_name", None), str(error).splitlines()[0] if not state else ""]


def say(theme, step, value):
    print(json.dumps([theme, step, value], default=plain), flush=True)


def plain(value):
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if isinstance(value, (bytes, memoryview)):
        return bytes(value).hex()
    return f"{type(value).__name__} {value}"


def migrate():
    call_command("migrate", verbosity=0)
    with connection.cursor() as cursor:
        yield "tables", sorted(table.name for table in connection.introspection.get_table_list(cursor))
        yield "migrations", steps.rows("SELECT app, name FROM django_migrations ORDER BY id")
        for table in ("library_book", "library_case", "auth_user"):
            # The names of NOT NULL and of keys are Django's and PostgreSQL's own, and both are compared.
            found = connection.introspection.get_constraints(cursor, table)
            yield f"constraints of {table}", sorted(
                [re.sub("_[0-9a-f]{8}", "_HASH", name), one["columns"], one["primary_key"], one["unique"], one["foreign_key"], one["check"], one["index"]]
                for name, one in found.items()
            )
            yield f"columns of {table}", [
                [column.name, connection.introspection.get_field_type(column.type_code, column), column.null_ok, column.display_size]
                for column in connection.introspection.get_table_description(cursor, table)
            ]
    yield "rows", steps.rows("SELECT id, name, room, places, owner_id FROM library_case ORDER BY id")


def migrate_back():
    call_command("migrate", "library", "zero", verbosity=0)
    yield "tables", [name for name in connection.introspection.table_names() if name.startswith("library")]
    call_command("migrate", verbosity=0)
    yield "again", [name for name in connection.introspection.table_names() if name.startswith("library")]
    yield "case", steps.rows("SELECT id, name, room, places, owner_id FROM library_case ORDER BY id")


def run(theme, act):
    try:
        for step, value in act():
            if callable(value):
                try:
                    with transaction.atomic():
                        value = value()
                        if hasattr(value, "__iter__") and not isinstance(value, (str, dict, bytes)):
                            value = list(value)
                except Exception as error:  # noqa: BLE001: whatever it is, it is compared
                    if "--loud" in sys.argv:
                        traceback.print_exc()
                    value = told(error)
            say(theme, step, value)
    except Exception as error:  # noqa: BLE001
        if "--loud" in sys.argv:
            traceback.print_exc()
        say(theme, "failed", told(error))
        # A new connection for the next theme, whatever state this one is in.
        connection.close()
        del connections["default"]


run("migrate", migrate)
for name, act in steps.THEMES.items():
    run(name, act)
run("migrate back", migrate_back)
