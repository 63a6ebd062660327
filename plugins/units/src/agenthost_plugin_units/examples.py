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
    (
        "half a litre in millilitres",
        {"value": 0.5, "from_unit": "litre", "to_unit": "millilitres"},
    ),
    (
        "How many grams is a quarter of a pound?",
        {"value": 0.25, "from_unit": "pound", "to_unit": "grams"},
    ),
    (
        "two and a half hours in minutes",
        {"value": 2.5, "from_unit": "hours", "to_unit": "minutes"},
    ),
    ("What is 2.5 bar in psi?", {"value": 2.5, "from_unit": "bar", "to_unit": "psi"}),
    ("1020 hPa in mmHg", {"value": 1020, "from_unit": "hPa", "to_unit": "mmHg"}),
    ("How many calories is 900 kJ?", {"value": 900, "from_unit": "kJ", "to_unit": "calories"}),
    ("500 kcal to joules", {"value": 500, "from_unit": "kcal", "to_unit": "joules"}),
    (
        "An engine of 150 horsepower has how many kilowatts?",
        {"value": 150, "from_unit": "horsepower", "to_unit": "kilowatts"},
    ),
    ("express 12 inches in cm", {"value": 12, "from_unit": "inches", "to_unit": "cm"}),
    ("turn 5 yards into metres", {"value": 5, "from_unit": "yards", "to_unit": "metres"}),
    (
        "The field has 3 hectares, what is that in acres?",
        {"value": 3, "from_unit": "hectares", "to_unit": "acres"},
    ),
    (
        "Our bucket holds 10 litres. How many gallons is that?",
        {"value": 10, "from_unit": "litres", "to_unit": "gallons"},
    ),
    ("330 ml in fluid ounces", {"value": 330, "from_unit": "ml", "to_unit": "fluid ounces"}),
    (
        "How many tablespoons are in 2 cups?",
        {"value": 2, "from_unit": "cups", "to_unit": "tablespoons"},
    ),
    (
        "The wind blows at 20 knots, how much is that in km/h?",
        {"value": 20, "from_unit": "knots", "to_unit": "km/h"},
    ),
    ("what's 40 °C in °F", {"value": 40, "from_unit": "°C", "to_unit": "°F"}),
    ("300 kelvin in celsius please", {"value": 300, "from_unit": "kelvin", "to_unit": "celsius"}),
    (
        "It is 4 miles to the beach, how far in kilometres?",
        {"value": 4, "from_unit": "miles", "to_unit": "kilometres"},
    ),
    (
        "The bag has 900 grams; say it in kilograms",
        {"value": 900, "from_unit": "grams", "to_unit": "kilograms"},
    ),
    ("How many weeks are 84 days?", {"value": 84, "from_unit": "days", "to_unit": "weeks"}),
    (
        "25 square metres to square feet",
        {"value": 25, "from_unit": "square metres", "to_unit": "square feet"},
    ),
    (
        "How many cubic metres are 500 litres?",
        {"value": 500, "from_unit": "litres", "to_unit": "cubic metres"},
    ),
    ("8 bits in bytes", {"value": 8, "from_unit": "bits", "to_unit": "bytes"}),
    (
        "the heel is 3 inches high, how many centimetres?",
        {"value": 3, "from_unit": "inches", "to_unit": "centimetres"},
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
    ("Which time units do you know?", {"quantity": "time"}),
    ("what can you measure data in?", {"quantity": "data"}),
    ("list every unit of power", {"quantity": "power"}),
]
