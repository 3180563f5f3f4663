"""SQLAlchemy's own plugin of pytest, which takes the database by --dburi."""

import pytest

pytest.register_assert_rewrite("sqlalchemy.testing.assertions")

from sqlalchemy.testing.plugin.pytestplugin import *  # noqa: E402, F403

from sqlalchemy.dialects.postgresql import base, provision  # noqa: E402

# No test of the suite needs the extensions that it makes before the first of them.
provision._extensions.clear()
# A SQLite file has no place for comments on constraints, and every table of the tests of reflection would have some.
base.PGDialect.supports_constraint_comments = False
