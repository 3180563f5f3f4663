"""Steps of a trial: each prints its name and what it gave, as JSON, on a line of its own."""

import contextlib
import datetime
import decimal
import json
import sys


def plain(value):
    """A value as JSON can hold it."""
    if isinstance(value, dict):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    if isinstance(value, (bytes, memoryview)):
        return bytes(value).hex()
    if isinstance(value, (datetime.date, datetime.time, datetime.timedelta, decimal.Decimal)):
        return str(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return str(value)


def step(name):
    """Runs a function as a step; what it raises is what it gave."""

    def run(act):
        try:
            gave = plain(act())
        except Exception as error:
            code = getattr(error, "sqlstate", None) or getattr(error, "pgcode", None)
            gave = {"error": f"{type(error).__name__} {code or str(error).splitlines()[0][:200]}"}
        print(f"{name}\t{json.dumps(gave)}", flush=True)

    return run


def arguments():
    """Host, port, user, database, and whether questions can be asked."""
    host, port, user, database, asks = sys.argv[1:6]
    return host, int(port), user, database, asks == "asks"


@contextlib.contextmanager
def closing(thing):
    try:
        yield thing
    finally:
        thing.close()


QUESTION = "list the names of all stores"
