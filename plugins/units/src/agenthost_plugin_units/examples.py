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
]
