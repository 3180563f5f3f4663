create table act_cat(id int primary key, parent int references act_cat(id) on delete cascade, name text)

insert into act_cat values (1,null,'root'),(2,1,'kid'),(3,2,'grandkid'),(4,null,'other'),(5,4,'o2')

create table act_archive(id int, parent int, name text)

begin

with d as (delete from act_cat where name <> 'other' returning *) insert into act_archive select * from d

select * from act_archive order by 1

select * from act_cat order by 1

rollback

begin

delete from act_cat where id in (1,2)

rollback

begin

delete from act_cat where id in (1,2,3) returning name, (select count(*) from act_cat), parent

rollback

begin

delete from act_cat c using act_cat p where c.parent = p.id returning c.id, p.name

rollback

begin

delete from act_cat c using act_cat p where c.parent = p.id

rollback

begin

delete from act_cat

rollback

begin

with x as (delete from act_cat where id in (1,2)) select count(*) from act_cat

rollback

begin

with x as (delete from act_cat where id in (1,2) returning id), y as (insert into act_archive select id, id, 'x' from x returning id) select * from y order by 1

rollback

delete from act_cat where id = 99 returning *

delete from act_cat where id = 99

create table act_st(id int primary key, boss int references act_st(id) on delete set null, n text)

insert into act_st values (1,null,'a'),(2,1,'b'),(3,2,'c')

begin

delete from act_st where id in (1,2) returning *

select * from act_st

rollback

delete from act_st where id in (1,2)

create table act_un(id int primary key, par int references act_un(id) on update cascade, note text)

insert into act_un values (1,null,'a'),(2,1,'b'),(3,2,'c')

begin

update act_un set id = id + 10, note = 'was under ' || coalesce(par,0)

select * from act_un order by 1

rollback

begin

update act_un set id = id + 10, note = 'was under ' || coalesce(par,0) returning *, par + 1 as p1

rollback

begin

update act_un set id = id + 100, par = par + 100

select * from act_un order by 1

rollback

begin

update act_un set id = id + 10, par = par

select * from act_un order by 1

rollback

begin

update act_un set id = id + 10, par = par where id = 2 returning *

select * from act_un order by 1

rollback

begin

update act_un u set id = u.id + 10, note = o.note || u.note from act_un o where o.id = u.par returning u.*, o.note, o.id

select * from act_un order by 1

rollback

begin

update act_un u set id = u.id + 10, note = o.note || u.note from act_un o where o.id = u.par

select * from act_un order by 1

rollback

begin

update act_un set (id, note) = (select act_un.id + 10, max(x.note) from act_un x) where id > 1 returning id, note, par

select * from act_un order by 1

rollback

begin

update act_un set id = default

rollback

begin

update act_un set par = 77

rollback

begin

with w as (update act_un set id = id + 5 returning id, par) select * from w order by 1

select * from act_un order by 1

rollback

update act_un set id = 3 where id = 1

create table act_a(id int primary key, b int)

create table act_b(id int primary key, a int references act_a(id) on delete cascade on update cascade)

alter table act_a add foreign key (b) references act_b(id) on delete cascade on update cascade

insert into act_a values (1,null),(2,null)

insert into act_b values (1,1),(2,2)

update act_a set b = 3 - id

begin

delete from act_a where id in (1,2) returning *

select count(*) from act_b

rollback

begin

delete from act_a where id in (1,2)

rollback

begin

update act_a set id = id + 10, b = b returning *

select * from act_a order by 1

select * from act_b order by 1

rollback

create table act_su(id int primary key, par int references act_su(id) on update set null, n int)

insert into act_su values (1,null,1),(2,1,2),(3,2,3)

begin

update act_su set id = id + 10, n = coalesce(par, 0) returning *

select * from act_su order by 1

rollback

create table act_dd(id int primary key, par int default 9 references act_dd(id) on delete set default, n int)

insert into act_dd values (9,9,1),(2,9,2),(3,2,3)

begin

delete from act_dd where id in (2,3) returning *

select * from act_dd

rollback

prepare act_q(int) as delete from act_st where id <= $1 returning *

execute act_q(3)

prepare act_q2(int) as update act_un set id = id + $1 where id > 0

execute act_q2(3)

create table act_gen(id int primary key, par int references act_gen(id) on delete cascade on update cascade, tw int generated always as (id * 2) stored)

insert into act_gen values (1,null),(2,1)

update act_gen set id = id + 5

select * from act_gen order by 1

delete from act_gen where id > 0 returning *
