"""Questions that people ask, and the input that answers each."""

from __future__ import annotations

from agenthost_sdk.activities import Examples

LIST: Examples = [
    ("What files are there?", {}),
    ("What is in the folder notes?", {"path": "notes"}),
    ("Show me the contents of the directory notes/2025", {"path": "notes/2025"}),
    ("List everything in the current directory", {"path": "."}),
    ("How big are the files in the folder src?", {"path": "src"}),
    ("Which file in notes was changed last?", {"path": "notes"}),
    ("ls notes", {"path": "notes"}),
]

READ: Examples = [
    ("What does README.md say?", {"path": "README.md"}),
    ("Read the file notes/todo.txt", {"path": "notes/todo.txt"}),
    (
        "Show me lines 2 to 3 of src/main.py",
        {"path": "src/main.py", "first_line": 2, "last_line": 3},
    ),
    ("Open notes/2025/trip.md and tell me where we went", {"path": "notes/2025/trip.md"}),
    ("Summarise README.md", {"path": "README.md"}),
    ("cat src/main.py", {"path": "src/main.py"}),
    ("What is the first line of notes/todo.txt?", {"path": "notes/todo.txt", "last_line": 1}),
]

FIND: Examples = [
    ("Where are the Python files?", {"pattern": "*.py"}),
    ("Is there a file called todo.txt?", {"pattern": "todo.txt"}),
    ("Find all Markdown files below notes", {"pattern": "*.md", "path": "notes"}),
    ("Which files have trip in their name?", {"pattern": "*trip*"}),
    ("List every text file in notes and its subfolders", {"pattern": "notes/**/*.txt"}),
]

SEARCH: Examples = [
    ("Which file mentions Lisbon?", {"text": "Lisbon"}),
    ("Where is the function greet defined?", {"text": "def greet", "pattern": "*.py"}),
    ("Search my notes for milk", {"text": "milk", "path": "notes", "ignore_case": True}),
    ("grep TODO in src", {"text": "TODO", "path": "src"}),
    (
        "Find all years in notes/2025/trip.md",
        {"text": "\\b20[0-9][0-9]\\b", "path": "notes/2025/trip.md", "regex": True},
    ),
    ("In which files does it say import os?", {"text": "import os"}),
]

WRITE: Examples = [
    (
        "Write 'Buy stamps' to the file notes/errands.txt",
        {"path": "notes/errands.txt", "text": "Buy stamps\n"},
    ),
    (
        "Create hello.py that prints hello",
        {"path": "hello.py", "text": 'print("hello")\n'},
    ),
    (
        "Save a shopping list with eggs and flour as shopping.md",
        {"path": "shopping.md", "text": "- eggs\n- flour\n"},
    ),
    ("Empty the file notes/draft.txt", {"path": "notes/draft.txt", "text": ""}),
]

EDIT: Examples = [
    (
        "In notes/todo.txt change Tuesday to Wednesday",
        {"path": "notes/todo.txt", "find": "Tuesday", "replacement": "Wednesday"},
    ),
    (
        "Rename the function greet to welcome in src/main.py",
        {"path": "src/main.py", "find": "def greet(", "replacement": "def welcome("},
    ),
    (
        "Remove the line 'call Ann' from notes/todo.txt",
        {"path": "notes/todo.txt", "find": "call Ann\n", "replacement": ""},
    ),
    (
        "Fix the typo 'recieve' in README.md",
        {"path": "README.md", "find": "recieve", "replacement": "receive"},
    ),
]
