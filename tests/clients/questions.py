"""Questions over the sample shop with the SQL that answers them, and the forms in which one can ask."""

import dataclasses

from rows import normal


@dataclasses.dataclass(frozen=True)
class Question:
    """A question, and what is to come back by plain SQL."""

    name: str
    text: str
    sql: str
    ordered: bool = False

    def check(self, server, rows):
        """Fails unless these rows are the answer."""
        check_rows(rows, server.plain(self.sql), self.ordered)


QUESTIONS = [
    Question(
        "countries",
        "how many customers are there in each country?",
        "SELECT country, count(*) FROM customers GROUP BY country",
    ),
    Question("stores", "list the names of all stores", "SELECT name FROM stores"),
    Question(
        "products",
        "show the name and price of the five most expensive products",
        "SELECT name, price FROM products ORDER BY price DESC LIMIT 5",
        ordered=True,
    ),
    Question("orders", "how many orders are there?", "SELECT count(*) FROM orders"),
]

COUNTRIES, STORES, PRODUCTS, ORDERS = QUESTIONS

# A question with a value that the client binds, written as the client's placeholder.
CUSTOMERS_OF = "how many customers are there with the country {}?"
CUSTOMERS_OF_SQL = "SELECT count(*) FROM customers WHERE country = 'Germany'"

# Nothing in the shop answers to these words.
NONSENSE = "frobnicate the quuxly zorblax"

FORMS = {
    "line": "-- nl: {}",
    "block": "/* nl: {} */;",
    "select": "SELECT /*+ nl: {} */;",
    "function": "SELECT * FROM nl('{}')",
    "item": "SELECT nl('{}')",
    "ask": "ASK {};",
}

# Answers are ordinary rows: they compose. Each with the SQL that must give the same.
COMPOSED = {
    "subquery": (
        "SELECT count(*) FROM (SELECT * FROM nl('list the names of all stores')) AS t",
        "SELECT count(*) FROM stores",
    ),
    "join": (
        "SELECT s.city FROM stores AS s JOIN nl('list the names of all stores') AS t ON t.name = s.name "
        "WHERE s.country = 'Germany'",
        "SELECT city FROM stores WHERE country = 'Germany'",
    ),
    "cte": (
        "WITH t AS (SELECT * FROM nl('list the names of all stores')) SELECT min(name), max(name) FROM t",
        "SELECT min(name), max(name) FROM stores",
    ),
    "limit": (
        "SELECT * FROM nl('show the name and price of the five most expensive products') LIMIT 2",
        "SELECT name, price FROM products ORDER BY price DESC LIMIT 2",
    ),
    "comment with limit": (
        "SELECT /*+ nl: show the name and price of the five most expensive products */ LIMIT 2",
        "SELECT name, price FROM products ORDER BY price DESC LIMIT 2",
    ),
    "comment in subquery": (
        "SELECT count(*) FROM (/* nl: list the names of all stores */) AS t",
        "SELECT count(*) FROM stores",
    ),
}


def check_rows(rows, expected, ordered=False):
    """Fails unless the rows are equal, whatever the types that a client gave them; ordered if that matters."""
    rows, expected = [[normal(v) for v in row] for row in rows], [[normal(v) for v in row] for row in expected]
    if not ordered:
        rows, expected = sorted(rows, key=repr), sorted(expected, key=repr)
    assert rows == expected
