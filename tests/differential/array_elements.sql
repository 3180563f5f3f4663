select array[1::smallint] union select array[2] order by 1

select array[1] union all select array[2::smallint]

select array[1] union all select array['a']

select array[1] union all select array[1.5]

select coalesce(array[1::smallint], array[2]), pg_typeof(coalesce(array[1::smallint], array[2]))::text

select case when true then array[1::smallint] else array[2.5] end

select array['a'::varchar] union all select array['b'::text]

select array_agg(a::smallint) @> array[1] from (values (1)) v(a)

select array[1::smallint] @> array[1]

select array[1::smallint] && array[1]

select array[1::smallint] <@ array[1::bigint]

select array[1::smallint] = array[1]

select array[1::smallint] < array[1::bigint]

select array[1::smallint] || array[1]

select array[1::smallint] || 70000

select pg_typeof(array[1::smallint] || 70000)::text

select array_append(array[1::smallint], 2)

select array_cat(array[1::smallint], array[2])

select array_position(array[1::smallint], 2)

select array_remove(array[1::smallint], 2)

select array_agg(a::smallint) || array[1] from (values (1)) v(a) union select array[2] order by 1

select 1 = any(array[1::smallint]), 1::smallint = any(array[1])

select array[array[1::smallint], array[70000]]

select greatest(array[1::smallint], array[2])

select nullif(array[1::smallint], array[1])

select array['2024-01-01'::date] union all select array['2024-01-01'::timestamp]

select array[1] = array[1.5]

select array['a'::varchar] = array['a'::text]

select array['a'::varchar] @> array['a'::text]

select array['a'::text] @> array['a']

select '{1,2}' @> array[1]

select array[1] is distinct from array[1::bigint]

select * from (values (array[1::smallint]), (array[2])) v(x) order by 1

select array[1::smallint] between array[0] and array[2]

select array_agg(x) from (values (array[1::smallint]), (array[2])) v(x)

select array[1::smallint] in (array[1])

select array[1] in (array[1], array[2]), array[1::smallint] in (array[1::smallint], '{2}')
