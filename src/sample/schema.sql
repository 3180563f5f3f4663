-- A shop: what it sells, who buys, what became of each order.
CREATE TABLE categories (
    category_id INTEGER PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,  -- what the shelf sign says
    parent_id   INTEGER REFERENCES categories (category_id)  -- the wider category; NULL at the top
);

CREATE TABLE suppliers (
    supplier_id  INTEGER PRIMARY KEY,
    name         TEXT NOT NULL UNIQUE,  -- company name
    contact_name TEXT,                  -- whom to ask for, if known
    email        TEXT NOT NULL,
    phone        TEXT,
    city         TEXT NOT NULL,
    country      TEXT NOT NULL          -- English name of the country
);

CREATE TABLE products (
    product_id   INTEGER PRIMARY KEY,
    name         TEXT NOT NULL UNIQUE,
    category_id  INTEGER NOT NULL REFERENCES categories (category_id),
    supplier_id  INTEGER NOT NULL REFERENCES suppliers (supplier_id),
    price        DECIMAL(10,2) NOT NULL,  -- list price today, in euro
    cost         DECIMAL(10,2) NOT NULL,  -- what the supplier charges, in euro
    weight_grams INTEGER,                 -- shipping weight; NULL if never weighed
    stock        INTEGER NOT NULL,        -- units in the warehouse
    discontinued BOOLEAN NOT NULL DEFAULT 0,
    launched_on  DATE NOT NULL            -- first day on sale
);

CREATE TABLE tags (
    tag_id INTEGER PRIMARY KEY,
    name   TEXT NOT NULL UNIQUE
);

CREATE TABLE product_tags (
    product_id INTEGER NOT NULL REFERENCES products (product_id),
    tag_id     INTEGER NOT NULL REFERENCES tags (tag_id),
    PRIMARY KEY (product_id, tag_id)
);

CREATE TABLE stores (
    store_id   INTEGER PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE,
    city       TEXT NOT NULL,
    country    TEXT NOT NULL,     -- English name of the country
    opened_on  DATE NOT NULL,
    floor_area INTEGER NOT NULL   -- square metres open to customers
);

CREATE TABLE employees (
    employee_id INTEGER PRIMARY KEY,
    first_name  TEXT NOT NULL,
    last_name   TEXT NOT NULL,
    email       TEXT NOT NULL UNIQUE,
    job_title   TEXT NOT NULL,
    store_id    INTEGER REFERENCES stores (store_id),        -- NULL in the head office
    manager_id  INTEGER REFERENCES employees (employee_id),  -- whom they report to; NULL for the director
    hired_on    DATE NOT NULL,
    left_on     DATE,                                        -- last day of work; NULL while employed
    salary      DECIMAL(10,2) NOT NULL                       -- a year, in euro
);

CREATE TABLE customers (
    customer_id    INTEGER PRIMARY KEY,
    first_name     TEXT NOT NULL,
    last_name      TEXT NOT NULL,
    email          TEXT NOT NULL UNIQUE,
    phone          TEXT,                       -- NULL if not given
    birth_date     DATE,                       -- NULL if not given
    city           TEXT NOT NULL,
    country        TEXT NOT NULL,              -- English name of the country of residence
    signed_up_on   DATE NOT NULL,
    newsletter     BOOLEAN NOT NULL DEFAULT 0, -- wants the newsletter
    loyalty_points INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE orders (
    order_id     INTEGER PRIMARY KEY,
    customer_id  INTEGER NOT NULL REFERENCES customers (customer_id),
    store_id     INTEGER REFERENCES stores (store_id),        -- where it was bought; NULL if online
    employee_id  INTEGER REFERENCES employees (employee_id),  -- who served the customer; NULL if online
    ordered_at   TIMESTAMP NOT NULL,
    shipped_on   DATE,                                        -- NULL while it is not on its way
    delivered_on DATE,                                        -- NULL until it has arrived
    status       TEXT NOT NULL CHECK (status IN ('pending', 'shipped', 'delivered', 'returned', 'cancelled')),
    total        DECIMAL(10,2) NOT NULL                       -- sum of quantity times unit price over its lines, in euro; cancelled orders have one too
);

CREATE TABLE order_lines (
    order_id    INTEGER NOT NULL REFERENCES orders (order_id),
    line_number INTEGER NOT NULL,         -- 1, 2, 3 … within the order
    product_id  INTEGER NOT NULL REFERENCES products (product_id),
    quantity    INTEGER NOT NULL,
    unit_price  DECIMAL(10,2) NOT NULL,   -- price paid for one, after any discount, in euro
    PRIMARY KEY (order_id, line_number)
);

CREATE TABLE payments (
    payment_id INTEGER PRIMARY KEY,
    order_id   INTEGER NOT NULL REFERENCES orders (order_id),
    method     TEXT NOT NULL,            -- card, paypal, transfer, cash or gift card
    status     TEXT NOT NULL CHECK (status IN ('completed', 'failed', 'refunded')),
    amount     DECIMAL(10,2) NOT NULL,   -- in euro
    paid_at    TIMESTAMP NOT NULL
);

CREATE TABLE returns (
    return_id   INTEGER PRIMARY KEY,
    order_id    INTEGER NOT NULL,
    line_number INTEGER NOT NULL,
    quantity    INTEGER NOT NULL,
    reason      TEXT,                      -- NULL if the customer did not say
    refund      DECIMAL(10,2) NOT NULL,    -- paid back, in euro
    returned_on DATE NOT NULL,
    FOREIGN KEY (order_id, line_number) REFERENCES order_lines (order_id, line_number)
);

CREATE TABLE reviews (
    review_id   INTEGER PRIMARY KEY,
    product_id  INTEGER NOT NULL REFERENCES products (product_id),
    customer_id INTEGER NOT NULL REFERENCES customers (customer_id),
    rating      SMALLINT NOT NULL CHECK (rating BETWEEN 1 AND 5),  -- stars
    title       TEXT NOT NULL,
    body        TEXT,                                              -- NULL if only stars and a title were given
    reviewed_on DATE NOT NULL,
    UNIQUE (product_id, customer_id)
);
