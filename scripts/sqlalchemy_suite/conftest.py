"""SQLAlchemy's own plugin of pytest, which takes the database by --dburi."""

import pytest

pytest.register_assert_rewrite("sqlalchemy.testing.assertions")

from sqlalchemy.testing.plugin.pytestplugin import *  # noqa: E402, F403

from sqlalchemy.dialects.postgresql import provision  # noqa: E402

# No test of the suite needs the extensions that it makes before the first of them.
provision._extensions.clear()
