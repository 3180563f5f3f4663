-- A small shop for docker/compose.yaml, owned by a user who is no superuser.
CREATE ROLE shop LOGIN PASSWORD 'shop';
CREATE DATABASE shop OWNER shop;
\connect shop
SET ROLE shop;

CREATE TABLE customers (
    id integer PRIMARY KEY,
    name text NOT NULL,
    country text NOT NULL,
    signed_up date NOT NULL
);
COMMENT ON TABLE customers IS 'people who buy';

CREATE TABLE products (
    id integer PRIMARY KEY,
    name text NOT NULL UNIQUE,
    category text NOT NULL,
    price numeric(10, 2) NOT NULL CHECK (price >= 0)
);
COMMENT ON COLUMN products.price IS 'in euros, with tax';

CREATE TABLE orders (
    id integer PRIMARY KEY,
    customer_id integer NOT NULL REFERENCES customers,
    ordered_at timestamp NOT NULL,
    status text NOT NULL
);

CREATE TABLE order_items (
    order_id integer NOT NULL REFERENCES orders,
    product_id integer NOT NULL REFERENCES products,
    quantity integer NOT NULL CHECK (quantity > 0),
    PRIMARY KEY (order_id, product_id)
);

INSERT INTO customers
SELECT
    n,
    (ARRAY['Ann', 'Bruno', 'Chiara', 'Dmitri', 'Elif', 'Farid', 'Greta', 'Hugo'])[1 + n % 8] || ' '
        || (ARRAY['Silva', 'Novak', 'Rossi', 'Keller', 'Demir'])[1 + n % 5],
    (ARRAY['Germany', 'France', 'Spain', 'Italy', 'Poland', 'Turkey'])[1 + n * n % 6],
    DATE '2023-01-01' + n * 7
FROM generate_series(1, 100) AS n;

INSERT INTO products VALUES
    (1, 'Trail Tent', 'Camping', 249.00), (2, 'Camp Stove', 'Camping', 59.90), (3, 'Sleeping Bag', 'Camping', 119.50),
    (4, 'Road Bike', 'Cycling', 1299.00), (5, 'Bike Helmet', 'Cycling', 79.00), (6, 'Rain Jacket', 'Clothing', 139.00),
    (7, 'Wool Socks', 'Clothing', 14.90), (8, 'Climbing Rope', 'Climbing', 169.00), (9, 'Chalk Bag', 'Climbing', 24.50),
    (10, 'Head Lamp', 'Camping', 44.00);

INSERT INTO orders
SELECT
    n,
    1 + n * 37 % 90,
    TIMESTAMP '2024-01-01 09:00' + n * INTERVAL '29 hours',
    (ARRAY['delivered', 'delivered', 'shipped', 'cancelled'])[1 + n % 4]
FROM generate_series(1, 300) AS n;

INSERT INTO order_items
SELECT n, 1 + (n + k * 3) % 9, 1 + (n + k) % 3
FROM generate_series(1, 300) AS n, generate_series(0, 1) AS k;

ANALYZE;
