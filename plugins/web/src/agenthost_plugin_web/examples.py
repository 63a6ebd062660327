"""Questions that people ask, and the input that answers each."""

from __future__ import annotations

from agenthost_sdk.activities import Examples

FETCH: Examples = [
    ("What does https://example.org say?", {"url": "https://example.org"}),
    (
        "Summarise the article at https://blog.example.com/2026/tea",
        {"url": "https://blog.example.com/2026/tea"},
    ),
    (
        "Read https://docs.example.com/install.html and tell me how to install it",
        {"url": "https://docs.example.com/install.html"},
    ),
    ("Open the page http://news.example.net/", {"url": "http://news.example.net/"}),
    ("Fetch https://api.example.com/status.json", {"url": "https://api.example.com/status.json"}),
    (
        "Go on reading https://example.org/book at character 20000",
        {"url": "https://example.org/book", "start": 20000},
    ),
    (
        "Which links are in the menu of https://shop.example.com?",
        {"url": "https://shop.example.com", "whole_page": True},
    ),
    ("Get the web page www.example.org/about", {"url": "https://www.example.org/about"}),
    ("Look at this site for me: https://museum.example", {"url": "https://museum.example"}),
]
