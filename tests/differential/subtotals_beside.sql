create table sub_ids(id int)

insert into sub_ids values (1),(2),(9)

create table sub_sales(dept text, region text, amt int)

insert into sub_sales values ('a','n',5),('a','s',7),('b','n',9),('b','n',1)

select dept, sum(amt), (select count(*) from sub_sales x where x.dept = s.dept) cnt from sub_sales s group by rollup(dept) order by 1

select dept, sum(amt) from sub_sales s group by rollup(dept) having exists (select 1 from sub_sales x where x.dept = s.dept) order by 1

select dept, sum(amt) from sub_sales s group by rollup(dept) having not exists (select 1 from sub_sales x where x.dept = s.dept) order by 1

select dept, sum(amt) from sub_sales s group by rollup(dept) order by (select count(*) from sub_sales x where x.dept = s.dept), 1

select dept, array(select x.amt from sub_sales x where x.dept = s.dept order by 1) from sub_sales s group by cube(dept) order by 1

select dept, region, (select coalesce(s.dept, '-') || coalesce(s.region, '-')) from sub_sales s group by grouping sets ((dept), (region), ()) order by 1, 2

select dept, (select (select count(*) from sub_sales y where y.dept = s.dept) from sub_sales x limit 1) from sub_sales s group by rollup(dept) order by 1

select dept, (select sum(x.amt + length(s.dept)) from sub_sales x) from sub_sales s group by rollup(dept) order by 1

select dept, (select string_agg(x.region || s.dept, ',' order by x.region, s.dept) from sub_sales x) from sub_sales s group by rollup(dept) order by 1

select dept, (select count(s.dept)), (select count(*) filter (where x.dept = s.dept) from sub_sales x) from sub_sales s group by rollup(dept) order by 1

select dept in (select x.dept from sub_sales x where x.dept = s.dept), count(*) from sub_sales s group by rollup(dept) order by 2, 1

select dept, (select x.amt from sub_sales x where x.amt = s.amt) from sub_sales s group by dept

select dept, (select sum(x.amt + s.amt) from sub_sales x) from sub_sales s group by dept

select count(*), (select max(x.amt) from sub_sales x where x.dept = s.dept) from sub_sales s

select dept, (select max(x.amt) from sub_sales x where x.dept = upper(s.dept)) from sub_sales s group by upper(dept), dept order by 1

select 1 as one, dept, count(*) from sub_sales group by rollup(1, 2) having count(*) > 1

select 1 as one, count(*) + 1 from sub_sales group by rollup(1) order by 1

select 0 as k, dept, sum(amt) from sub_sales group by cube(1, 2) having sum(amt) > 0

select 'n' as k, count(*) filter (where region = 'n') from sub_sales group by rollup(1) order by 1

select 'a' as k, dept = 'a' as is_a, count(*) from sub_sales group by rollup(1), 2

select 'a' as k, sum(case when dept = 'a' then amt else 0 end) from sub_sales group by rollup(1) order by 1, 2

select 1 as a, 1 as b, count(*) from sub_sales group by rollup(2) order by 1, 2

select 1 as a, 1 as b, count(*) from sub_sales group by rollup(1, 2) order by 1, 2

select 'x'::text as k, 'x'::text || dept, count(*) from sub_sales group by rollup(1), 2

select upper('all') as k, sum(amt) from sub_sales group by grouping sets ((k), ()) order by 1

select 'all'::text as k, sum(amt) from sub_sales group by grouping sets (('all'::text), ()) order by 1

select 1 as one, count(*) + 1, rank() over (order by count(*) + 1) from sub_sales group by rollup(1) order by 1

select 1 as one, max('b') from sub_sales group by cube(1) order by 1

insert into sub_ids select (select sum(s.amt) from sub_ids) from sub_sales s

select (select sum(s.amt) from sub_ids where sub_ids.id = s.amt) from sub_sales s

select (select sum(s.amt) from sub_sales x where x.amt = 9) from sub_sales s

insert into sub_ids select (select max(s.amt) from sub_sales) from sub_sales s

insert into sub_sales select dept, 'x', (select count(s.amt) from sub_ids) from sub_sales s group by dept order by 1

select dept, (select count(s.amt) from sub_sales x where x.dept = s.dept limit 1) from sub_sales s group by dept order by 1

insert into sub_ids select (select sum(s.amt) + 1 from sub_ids) from sub_sales s
