"""The compliance suite that SQLAlchemy ships for the authors of dialects."""

from sqlalchemy.testing.suite import *  # noqa: F403
