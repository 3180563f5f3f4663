"""An application as one would write it for PostgreSQL: a small library."""
