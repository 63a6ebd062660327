"""How units are written and shown, beyond what the registry of units knows."""

from __future__ import annotations

#: Symbols in which the case counts; they come before everything else.
SYMBOLS = {
    "C": "degree_Celsius",
    "F": "degree_Fahrenheit",
    "B": "byte",
    "b": "bit",
    "Kb": "kilobit",
    "Mb": "megabit",
    "Gb": "gigabit",
    "Tb": "terabit",
    "Cal": "kilocalorie",
    "PS": "metric_horsepower",
}

#: Spellings in any case, and what they mean in the registry's names.
SPELLINGS = {
    "°c": "degree_Celsius",
    "celcius": "degree_Celsius",
    "centigrade": "degree_Celsius",
    "°f": "degree_Fahrenheit",
    "farenheit": "degree_Fahrenheit",
    "°k": "kelvin",
    "°": "degree",
    "deg": "degree",
    "kb": "kilobyte",
    "mb": "megabyte",
    "gb": "gigabyte",
    "tb": "terabyte",
    "bps": "bit/second",
    "kbps": "kilobit/second",
    "mbps": "megabit/second",
    "gbps": "gigabit/second",
    "mph": "mile/hour",
    "kph": "kilometer/hour",
    "kmh": "kilometer/hour",
    "kmph": "kilometer/hour",
    "fps": "foot/second",
    "kn": "knot",
    "rpm": "rotation_per_minute",
    "rotations per minute": "rotation_per_minute",
    "revolutions per minute": "rotation_per_minute",
    "bpm": "1/minute",
    "pound per square inch": "psi",
    "pounds per square inch": "psi",
    "pounds-force": "force_pound",
    "kilograms-force": "force_kilogram",
    "foot pound": "foot*force_pound",
    "foot pounds": "foot*force_pound",
    "ft lb": "foot*force_pound",
    "sqft": "foot**2",
    "sqm": "meter**2",
    "sqkm": "kilometer**2",
    "sqmi": "mile**2",
    "cc": "centimeter**3",
    "ccm": "centimeter**3",
    "cbm": "meter**3",
    "fl oz": "fluid_ounce",
    "floz": "fluid_ounce",
    "oz fl": "fluid_ounce",
    "gramme": "gram",
    "grammes": "gram",
    "kilogramme": "kilogram",
    "kilogrammes": "kilogram",
    "kilo": "kilogram",
    "kilos": "kilogram",
    "st": "stone",
    "us ton": "ton",
    "us tons": "ton",
    "imperial ton": "long_ton",
    "imperial tons": "long_ton",
    "wk": "week",
    "wks": "week",
    "mo": "month",
    "mos": "month",
    "lightyear": "light_year",
    "lightyears": "light_year",
    "au": "astronomical_unit",
    "electronvolt": "electron_volt",
    "electronvolts": "electron_volt",
}

#: Words before a name that say whose unit is meant; pint takes the American one by itself.
ORIGINS = {"us": "", "american": "", "uk": "imperial_", "british": "imperial_"}

#: Words of a power: before a name, and after it.
POWERS = {"square": 2, "sq": 2, "cubic": 3, "cu": 3, "squared": 2, "cubed": 3}

#: How answers name units whose registry name is odd or leaves something open.
LABELS = {
    "degree_Celsius": "degree Celsius",
    "degree_Fahrenheit": "degree Fahrenheit",
    "degree_Rankine": "degree Rankine",
    "gallon": "US gallon",
    "quart": "US quart",
    "pint": "US pint",
    "cup": "US cup",
    "fluid_ounce": "US fluid ounce",
    "tablespoon": "US tablespoon",
    "teaspoon": "US teaspoon",
    "ton": "US ton",
    "long_ton": "imperial ton",
    "pound_force_per_square_inch": "psi",
    "british_thermal_unit": "BTU",
    "millimeter_Hg": "mmHg",
    "inch_Hg": "inHg",
    "standard_atmosphere": "atmosphere",
    "rotation_per_minute": "rpm",
    "grade": "gon",
    "force_pound": "pound-force",
    "force_kilogram": "kilogram-force",
}

#: Plurals that neither end in an added s nor, as those of hertz and siemens, stay as they are.
PLURALS = {
    "foot": "feet",
    "inch": "inches",
    "century": "centuries",
    "degree Celsius": "degrees Celsius",
    "degree Fahrenheit": "degrees Fahrenheit",
    "degree Rankine": "degrees Rankine",
    "pound-force": "pounds-force",
    "kilogram-force": "kilograms-force",
    **{same: same for same in ("psi", "rpm", "BTU", "mmHg", "inHg", "horsepower")},
}

#: The units most asked for, by quantity; the first one stands for the quantity in messages.
QUANTITIES = {
    "length": (
        "meter, kilometer, centimeter, millimeter, micrometer, mile, yard, foot, inch,"
        " nautical mile, light year"
    ),
    "mass": ("kilogram, gram, milligram, tonne, pound, ounce, stone, US ton, imperial ton, carat"),
    "temperature": "celsius, fahrenheit, kelvin, rankine",
    "volume": (
        "liter, milliliter, cubic meter, cubic foot, gallon, quart, pint, cup, fluid ounce,"
        " tablespoon, teaspoon, imperial gallon, imperial pint, oil barrel"
    ),
    "area": (
        "square meter, square kilometer, square centimeter, hectare, acre, square mile,"
        " square yard, square foot, square inch"
    ),
    "speed": "meter per second, kilometer per hour, mile per hour, knot, foot per second",
    "time": "second, millisecond, minute, hour, day, week, fortnight, month, year, century",
    "data": (
        "byte, bit, kilobyte, megabyte, gigabyte, terabyte, kibibyte, mebibyte, gibibyte,"
        " kilobit, megabit, gigabit"
    ),
    "data rate": "bit per second, kbps, Mbps, Gbps, MB/s",
    "energy": (
        "joule, kilojoule, kilowatt hour, watt hour, kilocalorie, calorie, BTU, electronvolt"
    ),
    "power": "watt, kilowatt, megawatt, horsepower, metric horsepower",
    "pressure": "pascal, hectopascal, kilopascal, bar, millibar, atmosphere, psi, mmHg, torr",
    "force": "newton, kilonewton, pound-force, kilogram-force, dyne",
    "angle": "degree, radian, arcminute, arcsecond, turn, gon",
    "frequency": "hertz, kilohertz, megahertz, gigahertz, rpm",
    "acceleration": "meter per square second, foot per square second",
    "electric current": "ampere, milliampere",
    "voltage": "volt, millivolt, kilovolt",
}

#: Other words for the quantities.
OTHER_WORDS = {
    "distance": "length",
    "height": "length",
    "width": "length",
    "weight": "mass",
    "heat": "temperature",
    "capacity": "volume",
    "surface": "area",
    "velocity": "speed",
    "duration": "time",
    "information": "data",
    "storage": "data",
    "digital storage": "data",
    "bandwidth": "data rate",
    "work": "energy",
    "current": "electric current",
    "electric potential": "voltage",
}
