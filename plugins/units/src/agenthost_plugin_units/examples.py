"""Questions that people ask, and the input that answers each."""

from __future__ import annotations

from agenthost_sdk.activities import Examples

CONVERT: Examples = [
    ("Convert 10 km to miles", {"value": 10, "from_unit": "km", "to_unit": "miles"}),
    ("How many ounces are in 4 pounds?", {"value": 4, "from_unit": "pounds", "to_unit": "ounces"}),
    (
        "What is 22.5 celsius in fahrenheit?",
        {"value": 22.5, "from_unit": "celsius", "to_unit": "fahrenheit"},
    ),
    (
        "I am 180 centimetres tall. How much is that in feet?",
        {"value": 180, "from_unit": "centimetres", "to_unit": "feet"},
    ),
    ("Change 90 minutes into hours", {"value": 90, "from_unit": "minutes", "to_unit": "hours"}),
    (
        "How much is 3 gallons in litres?",
        {"value": 3, "from_unit": "gallons", "to_unit": "litres"},
    ),
    ("7 stone in kg", {"value": 7, "from_unit": "stone", "to_unit": "kg"}),
    (
        "How many kilometers are 15 miles?",
        {"value": 15, "from_unit": "miles", "to_unit": "kilometers"},
    ),
    (
        "Convert 350 degrees Fahrenheit to Celsius.",
        {"value": 350, "from_unit": "Fahrenheit", "to_unit": "Celsius"},
    ),
    (
        "My suitcase weighs 23 kg. What is that in pounds?",
        {"value": 23, "from_unit": "kg", "to_unit": "pounds"},
    ),
    (
        "She is 168 centimeters tall; how much is that in inches?",
        {"value": 168, "from_unit": "centimeters", "to_unit": "inches"},
    ),
    (
        "How fast is 130 km/h in miles per hour?",
        {"value": 130, "from_unit": "km/h", "to_unit": "miles per hour"},
    ),
    (
        "How many megabytes does a 3 GB file have?",
        {"value": 3, "from_unit": "GB", "to_unit": "megabytes"},
    ),
    ("How many hours is 540 minutes?", {"value": 540, "from_unit": "minutes", "to_unit": "hours"}),
    ("How many seconds in 2 days", {"value": 2, "from_unit": "days", "to_unit": "seconds"}),
    (
        "3 teaspoons in millilitres",
        {"value": 3, "from_unit": "teaspoons", "to_unit": "millilitres"},
    ),
    (
        "Our flat has 85 square metres; how many square feet are that?",
        {"value": 85, "from_unit": "square metres", "to_unit": "square feet"},
    ),
    (
        "The car does 110 mph - what is that in km/h?",
        {"value": 110, "from_unit": "mph", "to_unit": "km/h"},
    ),
    ("It is 30 C today. How much is that in F?", {"value": 30, "from_unit": "C", "to_unit": "F"}),
    (
        "The file has 700 MB, how many GB is that?",
        {"value": 700, "from_unit": "MB", "to_unit": "GB"},
    ),
    ("How many pounds is 70 kilos?", {"value": 70, "from_unit": "kilos", "to_unit": "pounds"}),
    (
        "I need 250 g of sugar, how many ounces is it?",
        {"value": 250, "from_unit": "g", "to_unit": "ounces"},
    ),
    (
        "What is -5 degrees celsius in fahrenheit?",
        {"value": -5, "from_unit": "celsius", "to_unit": "fahrenheit"},
    ),
]

LIST: Examples = [
    ("Which units of length are there?", {"quantity": "length"}),
    ("List the units for mass", {"quantity": "mass"}),
    ("What units of temperature can you convert?", {"quantity": "temperature"}),
    ("Show me all units of area", {"quantity": "area"}),
    ("What speed units do you support?", {"quantity": "speed"}),
    ("List the units for weight.", {"quantity": "mass"}),
    ("What units can I use for temperature?", {"quantity": "temperature"}),
    ("Show me all volume units.", {"quantity": "volume"}),
    ("In what units can speed be given?", {"quantity": "speed"}),
    ("Name the units of pressure that you support.", {"quantity": "pressure"}),
    ("what units of energy do you understand?", {"quantity": "energy"}),
]
