import sys, uuid, datetime, decimal
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from alembic.migration import MigrationContext
from alembic.autogenerate import compare_metadata
url=sys.argv[1].replace("postgresql://","postgresql+psycopg://"); m=sa.MetaData()
t=sa.Table("t",m,sa.Column("id",sa.Integer,primary_key=True),sa.Column("name",sa.String(40),server_default="x",nullable=False),sa.Column("b",sa.Boolean,server_default=sa.true()),sa.Column("n",sa.Numeric(10,2)),sa.Column("r",sa.REAL),sa.Column("d",sa.Double),sa.Column("day",sa.Date),sa.Column("at",sa.DateTime(timezone=True),server_default=sa.func.now()),sa.Column("ts",pg.TIMESTAMP(precision=3)),sa.Column("iv",sa.Interval),sa.Column("tags",pg.ARRAY(sa.Text)),sa.Column("nums",pg.ARRAY(sa.Integer)),sa.Column("j",pg.JSONB),sa.Column("u",sa.Uuid,server_default=sa.text("gen_random_uuid()")),sa.Column("c",sa.CHAR(3)),sa.Column("big",sa.BigInteger),sa.Column("s",sa.SmallInteger,server_default="0"),sa.Column("raw",sa.LargeBinary),sa.Column("bits",pg.BIT(4)),sa.Column("tm",sa.Time),sa.Column("ip",pg.INET),sa.UniqueConstraint("name","s",name="uq"),sa.Index("by_day","day"))
k=sa.Table("k",m,sa.Column("id",sa.BigInteger,sa.Identity(),primary_key=True),sa.Column("t_id",sa.ForeignKey("t.id",ondelete="CASCADE")),sa.CheckConstraint("t_id > 0",name="pos"))
e=sa.create_engine(url); m.create_all(e)
def plan(when):
    with e.connect() as c:
        print("alembic",when,"plans",compare_metadata(MigrationContext.configure(c,opts={"compare_type":True,"compare_server_default":True}),m))
plan("empty")
with e.begin() as c:
    c.execute(t.insert().values(n=decimal.Decimal("1.5"),r=1.5,day=datetime.date(2024,1,2),ts=datetime.datetime(2024,1,2,3,4,5,678900),iv=datetime.timedelta(days=1),tags=["a"],nums=[1,2],j={"a":1},c="ab",raw=b"\0",tm=datetime.time(1,2)))
    print(c.execute(sa.select(t.c.tags,t.c.nums,t.c.r,t.c.c,t.c.iv,t.c.ts,t.c.b)).one())
plan("filled")
