CREATE TABLE people (id bigint PRIMARY KEY, name text NOT NULL, city text, born date, height double precision, vip boolean, salary numeric(10,2), seen timestamp, tags text[], extra jsonb)

INSERT INTO people VALUES (1, 'Ann', 'Madrid', '1990-01-02', 1.70, true, 1200.50, '2024-01-15 10:30:00', '{red,green}', '{"a": 1, "b": [1, 2, {"c": "x"}]}'), (2, 'Bob', 'Paris', NULL, 1.82, false, 900, '2024-02-29 23:59:59.5', '{}', '{"a": null}'), (3, 'Zoë', NULL, '2001-12-31', NULL, NULL, NULL, NULL, NULL, NULL), (4, 'ann', 'Madrid', '1985-07-15', 1.65, true, 3000.00, '2023-12-31 00:00:00', '{blue,"a b"}', '[1, "two", false]')

CREATE TABLE orders (id bigint PRIMARY KEY, person_id bigint REFERENCES people(id), total numeric(8,2), placed date NOT NULL, note varchar(20))

INSERT INTO orders VALUES (10, 1, 19.99, '2024-01-01', 'first'), (11, 1, 5.00, '2024-01-20', NULL), (12, 2, 100, '2024-02-10', 'big'), (13, 4, 7.25, '2024-03-05', 'last'), (14, NULL, 0.01, '2024-03-06', '')
