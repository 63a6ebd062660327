"""Questions that people ask of a shop's database, and the input that answers each."""

from __future__ import annotations

from agenthost_sdk.activities import Examples

SCHEMA: Examples = [
    ("What tables are in the database?", {}),
    ("What does the database hold?", {}),
    ("Show me the structure of the SQLite file", {}),
    ("Which columns does the table customers have?", {"table": "customers"}),
    ("Describe the orders table", {"table": "orders"}),
]

QUERY: Examples = [
    ("How many customers are there?", {"sql": "SELECT count(*) FROM customers"}),
    (
        "Which customers live in Oslo?",
        {"sql": "SELECT name FROM customers WHERE city = ?", "parameters": ["Oslo"]},
    ),
    (
        "What is the total of all orders per customer?",
        {
            "sql": "SELECT customers.name, sum(orders.total) FROM orders JOIN customers"
            " ON customers.id = orders.customer_id GROUP BY customers.id"
        },
    ),
    (
        "What were our three largest orders?",
        {"sql": "SELECT id, total FROM orders ORDER BY total DESC LIMIT 3"},
    ),
    (
        "How many orders came in each month of 2026?",
        {
            "sql": "SELECT strftime('%m', ordered_on) AS month, count(*) FROM orders"
            " WHERE ordered_on LIKE '2026-%' GROUP BY month"
        },
    ),
    (
        "Look up the e-mail address of Ada Berg",
        {"sql": "SELECT email FROM customers WHERE name = ?", "parameters": ["Ada Berg"]},
    ),
]

EXECUTE: Examples = [
    (
        "Change the city of customer 3 to Bergen",
        {"sql": "UPDATE customers SET city = ? WHERE id = ?", "parameters": ["Bergen", 3]},
    ),
    (
        "Add a customer named Liv Dahl in Tromsø",
        {
            "sql": "INSERT INTO customers (name, city) VALUES (?, ?)",
            "parameters": ["Liv Dahl", "Tromsø"],
        },
    ),
    (
        "Delete the orders that were made before 2020",
        {"sql": "DELETE FROM orders WHERE ordered_on < ?", "parameters": ["2020-01-01"]},
    ),
]
