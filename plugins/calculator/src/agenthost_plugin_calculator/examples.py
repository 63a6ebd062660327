"""Questions that people ask, and the input that answers each."""

from __future__ import annotations

from typing import Any

#: Questions and inputs of one activity.
Examples = list[tuple[str, dict[str, Any]]]

EVALUATE: Examples = [
    ("What is 48 plus 17?", {"expression": "48 + 17"}),
    ("Add up 15, 27 and 8", {"expression": "15 + 27 + 8"}),
    ("I have 12 coins and get 30 more; how many are there together?", {"expression": "12 + 30"}),
    ("What is 52 minus 17?", {"expression": "52 - 17"}),
    ("Subtract 18 from 75", {"expression": "75 - 18"}),
    ("How much is left of 900 after spending 345?", {"expression": "900 - 345"}),
    ("There were 64 birds and 20 flew away. How many stayed?", {"expression": "64 - 20"}),
    ("How much is 6 times 13?", {"expression": "6 * 13"}),
    ("Multiply 6.5 by 31", {"expression": "6.5 * 31"}),
    ("If one ticket costs 14 euros, how much do 9 tickets cost?", {"expression": "14 * 9"}),
    ("What do I pay for 4 chairs at 35.50 each?", {"expression": "4 * 35.50"}),
    ("Triple 45", {"expression": "45 * 3"}),
    ("What is 72 divided by 9?", {"expression": "72 / 9"}),
    ("Share 156 apples equally among 12 children", {"expression": "156 / 12"}),
    (
        "We pay 96 euros together and we are 4 people; what is the share of each?",
        {"expression": "96 / 4"},
    ),
    ("What is a third of 120?", {"expression": "120 / 3"}),
    ("What is the remainder of 365 divided by 7?", {"expression": "365 % 7"}),
    ("Raise 5 to the 4th power", {"expression": "5 ** 4"}),
    ("What is 14 squared?", {"expression": "14 ** 2"}),
    ("Take the square root of 289", {"expression": "sqrt(289)"}),
    ("Calculate 12% of 3,500", {"expression": "12% * 3500"}),
    ("How much is a 20 percent tip on 45 dollars?", {"expression": "20% * 45"}),
    ("What is 80 euros minus a discount of 25%?", {"expression": "80 - 25% * 80"}),
    ("A price of 400 goes up by 5%; what is it now?", {"expression": "400 + 5% * 400"}),
    ("What is the average of 10, 20 and 36?", {"expression": "(10 + 20 + 36) / 3"}),
    ("What is the largest of 8, 21 and 13?", {"expression": "max(8, 21, 13)"}),
    ("Which is the smallest, 31, 12 or 44?", {"expression": "min(31, 12, 44)"}),
    ("What is the factorial of 6?", {"expression": "factorial(6)"}),
    ("Find the greatest common divisor of 48 and 180", {"expression": "gcd(48, 180)"}),
    ("What is (7 + 3) * 2 - 4?", {"expression": "(7 + 3) * 2 - 4"}),
    ("Calculate 1250 + 380 - 95.", {"expression": "1250 + 380 - 95"}),
    ("How much is 12.5 percent of 640?", {"expression": "12.5% * 640"}),
    ("What's 2 to the power of 16?", {"expression": "2 ** 16"}),
    ("Give me the square root of 1764.", {"expression": "sqrt(1764)"}),
    (
        "A lamp costs 85 euros and is reduced by 20%. What do I pay?",
        {"expression": "85 * (1 - 20%)"},
    ),
    (
        "Three friends share a bill of 94.50 equally. How much does each one pay?",
        {"expression": "94.50 / 3"},
    ),
    ("Add 15 and 27, then divide the sum by 6.", {"expression": "(15 + 27) / 6"}),
]
