"""Values as they compare: clients give the same value different types."""

import datetime
import decimal


def normal(value):
    """A number as a decimal, a date as ISO text, everything else as it is."""
    if value is None:
        return None
    if isinstance(value, (bool, int, float, decimal.Decimal)) or hasattr(value, "item"):
        return number(value.item() if hasattr(value, "item") else value)
    if isinstance(value, datetime.datetime):
        return value.isoformat(sep=" ")
    if isinstance(value, datetime.date):
        return value.isoformat()
    try:
        return number(value)
    except decimal.InvalidOperation:
        return value


def number(value):
    # Doubles are compared as they are shown: to 9 digits after the point.
    return round(decimal.Decimal(str(int(value) if isinstance(value, bool) else value)), 9).normalize()
