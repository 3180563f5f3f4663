"""SQLAlchemy and pandas see the same through Querent as without it: reflection, tables of frames."""

import pytest

sqlalchemy = pytest.importorskip("sqlalchemy")

from ordinary import compare  # noqa: E402

DRIVERS = ["psycopg", "psycopg2"]


@pytest.fixture(params=DRIVERS)
def driver(request):
    pytest.importorskip(request.param)
    return request.param


def engine_of(url, driver):
    return sqlalchemy.create_engine(url.replace("postgresql:", f"postgresql+{driver}:"))


def test_reflection(postgres, driver):
    def observe(url):
        engine = engine_of(url, driver)
        inspector = sqlalchemy.inspect(engine)
        notes = [inspector.get_schema_names(), inspector.get_view_names("information_schema"), inspector.get_enums()]
        for table in sorted(inspector.get_table_names()):
            notes += [table, inspector.get_columns(table), inspector.get_pk_constraint(table), inspector.get_indexes(table)]
            notes += [inspector.get_foreign_keys(table), inspector.get_unique_constraints(table)]
            notes += [inspector.get_check_constraints(table), inspector.get_table_comment(table)]
        metadata = sqlalchemy.MetaData()
        metadata.reflect(engine)
        notes += [str(sqlalchemy.schema.CreateTable(table).compile(engine)) for table in metadata.sorted_tables]
        with engine.connect() as connection:
            orders, customers = metadata.tables["orders"], metadata.tables["customers"]
            joined = sqlalchemy.select(customers.c.country, sqlalchemy.func.sum(orders.c.total)).join_from(customers, orders)
            notes += connection.execute(joined.group_by(customers.c.country).order_by(customers.c.country)).all()
        engine.dispose()
        return notes

    compare(observe, postgres)


def test_errors_and_savepoints(postgres, driver):
    def observe(url):
        engine, notes = engine_of(url, driver), []
        with engine.connect() as connection:
            for sql in ["SELECT 1/0", "INSERT INTO tags VALUES (1, 'again')", "SELECT * FROM nothing_there"]:
                with pytest.raises(sqlalchemy.exc.DBAPIError) as caught, connection.begin_nested():
                    connection.execute(sqlalchemy.text(sql))
                notes.append(str(caught.value))
                notes.append(connection.execute(sqlalchemy.text("SELECT count(*) FROM tags")).scalar())
        engine.dispose()
        return notes

    compare(observe, postgres)


def test_frames(postgres, driver):
    pandas = pytest.importorskip("pandas")

    def observe(url):
        engine = engine_of(url, driver)
        frame = pandas.read_sql_table("orders", engine)
        notes = [frame.dtypes.to_string(), frame.head(50).to_csv(), len(frame)]
        try:
            notes.append(frame.to_sql("frame_scratch", engine, index=False, chunksize=500, method="multi"))
            again = pandas.read_sql("SELECT * FROM frame_scratch ORDER BY order_id", engine)
            notes += [again.dtypes.to_string(), again.to_csv()]
        finally:
            with engine.begin() as connection:
                connection.execute(sqlalchemy.text("DROP TABLE IF EXISTS frame_scratch"))
            engine.dispose()
        return notes

    compare(observe, postgres)
