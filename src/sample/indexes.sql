-- Made after the rows are in, which is faster than keeping them up on the way.
CREATE INDEX categories_parent ON categories (parent_id);
CREATE INDEX products_category ON products (category_id);
CREATE INDEX products_supplier ON products (supplier_id);
CREATE INDEX product_tags_tag ON product_tags (tag_id);
CREATE INDEX employees_store ON employees (store_id);
CREATE INDEX employees_manager ON employees (manager_id);
CREATE INDEX customers_country ON customers (country);
CREATE INDEX orders_customer ON orders (customer_id);
CREATE INDEX orders_store ON orders (store_id);
CREATE INDEX orders_employee ON orders (employee_id);
CREATE INDEX orders_ordered_at ON orders (ordered_at);
CREATE INDEX order_lines_product ON order_lines (product_id);
CREATE INDEX payments_order ON payments (order_id);
CREATE INDEX returns_order_line ON returns (order_id, line_number);
CREATE INDEX reviews_customer ON reviews (customer_id);

CREATE VIEW product_sales AS -- what became of each product; cancelled orders do not count
SELECT
    p.product_id,
    p.name,
    sum(l.quantity) AS units_sold, -- units of orders that were not cancelled
    sum(l.quantity * l.unit_price) AS revenue -- in euro, without cancelled orders, which orders.total counts too
FROM products AS p
JOIN order_lines AS l ON l.product_id = p.product_id
JOIN orders AS o ON o.order_id = l.order_id
WHERE o.status <> 'cancelled'
GROUP BY p.product_id, p.name;

CREATE VIEW monthly_sales AS -- orders of each month; cancelled ones do not count
SELECT
    strftime('%Y-%m', ordered_at) AS month, -- such as 2025-03
    count(*) AS order_count, -- orders that were not cancelled
    sum(total) AS revenue -- in euro, without cancelled orders, which orders.total counts too
FROM orders
WHERE status <> 'cancelled'
GROUP BY strftime('%Y-%m', ordered_at);

ANALYZE;
