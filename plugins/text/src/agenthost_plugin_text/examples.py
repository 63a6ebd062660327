"""Questions that people ask, and the input that answers each."""

from __future__ import annotations

from agenthost_sdk.activities import Examples

COUNT: Examples = [
    (
        'How many words are in "all good things come to an end"?',
        {"text": "all good things come to an end"},
    ),
    ("Count the characters in 'watermelon'", {"text": "watermelon"}),
    ("How many letters has the word encyclopedia?", {"text": "encyclopedia"}),
    (
        "How many sentences are in this text: It rained. We stayed in.",
        {"text": "It rained. We stayed in."},
    ),
    ("What is the length of 'open sesame'?", {"text": "open sesame"}),
    (
        "How many words are in 'The early bird catches the worm'?",
        {"text": "The early bird catches the worm"},
    ),
    ('How long is the word "archipelago"?', {"text": "archipelago"}),
    ("Count the characters of 'Hello, world!'.", {"text": "Hello, world!"}),
    ("How many letters does 'mississippi' have?", {"text": "mississippi"}),
    (
        "Is this tweet longer than 40 characters: Coffee first, questions later",
        {"text": "Coffee first, questions later"},
    ),
    ("How many lines has 'one\ntwo\nthree'?", {"text": "one\ntwo\nthree"}),
    ("How many letters are in hippo?", {"text": "hippo"}),
    (
        "How many words does the sentence my dog likes long walks have?",
        {"text": "my dog likes long walks"},
    ),
    ("Count the characters in thank you very much", {"text": "thank you very much"}),
    (
        "How many characters has this: See you at the station tomorrow",
        {"text": "See you at the station tomorrow"},
    ),
    (
        "Word count of the following sentence: Nobody knew where the keys were",
        {"text": "Nobody knew where the keys were"},
    ),
    ("How many letters does the word chocolate have?", {"text": "chocolate"}),
    (
        "how many words: we will meet again some sunny day",
        {"text": "we will meet again some sunny day"},
    ),
    (
        "Count the words of these lines\nThe rain has gone\nand we can go out",
        {"text": "The rain has gone\nand we can go out"},
    ),
    ("What is the number of characters in 'Grand Hotel'?", {"text": "Grand Hotel"}),
    ("How long is the title The Return of the King?", {"text": "The Return of the King"}),
    (
        "give me the word count for a friend in need is a friend indeed",
        {"text": "a friend in need is a friend indeed"},
    ),
    ("Does 'Enter your name' have more than 12 characters?", {"text": "Enter your name"}),
]

CHANGE_CASE: Examples = [
    ("Write 'good evening' in upper case", {"text": "good evening", "case": "upper"}),
    ('Make "PLEASE STOP" lower case', {"text": "PLEASE STOP", "case": "lower"}),
    (
        "Put 'a tale of two cities' in title case",
        {"text": "a tale of two cities", "case": "title"},
    ),
    ("Convert First Name Field to snake case", {"text": "First Name Field", "case": "snake"}),
    ("Turn 'Summer Sale Offers' into kebab case", {"text": "Summer Sale Offers", "case": "kebab"}),
    ("Capitalise all letters of 'watch out'", {"text": "watch out", "case": "upper"}),
    (
        "Sentence case please: WE ARE CLOSED TODAY",
        {"text": "WE ARE CLOSED TODAY", "case": "sentence"},
    ),
    ("Write 'good morning' in capital letters.", {"text": "good morning", "case": "upper"}),
    ("Make 'STOP SHOUTING' lowercase.", {"text": "STOP SHOUTING", "case": "lower"}),
    (
        "Turn 'the wind in the willows' into title case.",
        {"text": "the wind in the willows", "case": "title"},
    ),
    (
        "Put this in sentence case: THE SHOP IS CLOSED.",
        {"text": "THE SHOP IS CLOSED.", "case": "sentence"},
    ),
    (
        "Convert 'Customer First Name' to snake_case.",
        {"text": "Customer First Name", "case": "snake"},
    ),
    ("What is 'Blog Post Title' in kebab-case?", {"text": "Blog Post Title", "case": "kebab"}),
    ("Uppercase the word 'urgent'.", {"text": "urgent", "case": "upper"}),
    (
        "Capitalize each word of 'annual sales report'.",
        {"text": "annual sales report", "case": "title"},
    ),
    (
        "Change 'the last train home' so that each word starts with a capital letter",
        {"text": "the last train home", "case": "title"},
    ),
    (
        "Write 'MIND YOUR HEAD' with only the first letter big",
        {"text": "MIND YOUR HEAD", "case": "sentence"},
    ),
    (
        "Make 'Number Of Guests' lower case with underscores",
        {"text": "Number Of Guests", "case": "snake"},
    ),
    (
        "Make 'My Holiday Photos' lower case with hyphens, for a link",
        {"text": "My Holiday Photos", "case": "kebab"},
    ),
    ("Shout 'we won'", {"text": "we won", "case": "upper"}),
    ("Remove the capitals from 'VERY IMPORTANT'", {"text": "VERY IMPORTANT", "case": "lower"}),
    ("write 'READ ME FIRST' in small letters", {"text": "READ ME FIRST", "case": "lower"}),
    ("all caps: mind the gap", {"text": "mind the gap", "case": "upper"}),
    (
        "turn welcome back everybody into upper case",
        {"text": "welcome back everybody", "case": "upper"},
    ),
    (
        "What does Monthly Sales Figures look like in snake case?",
        {"text": "Monthly Sales Figures", "case": "snake"},
    ),
    (
        "Capitalise the first letter of every word in the long way home",
        {"text": "the long way home", "case": "title"},
    ),
    ("Write good luck in capitals", {"text": "good luck", "case": "upper"}),
    ("put see you soon in all caps", {"text": "see you soon", "case": "upper"}),
    ("lowercase this: PLEASE READ", {"text": "PLEASE READ", "case": "lower"}),
    (
        "Make a snake case variable name of 'Daily Max Value'",
        {"text": "Daily Max Value", "case": "snake"},
    ),
    (
        'I need a slug in kebab case for "Our New Office"',
        {"text": "Our New Office", "case": "kebab"},
    ),
    ("make GOOD NIGHT small", {"text": "GOOD NIGHT", "case": "lower"}),
    ("Put the following in small letters: THE END", {"text": "THE END", "case": "lower"}),
    ("Please write 'OPEN THE DOOR' without capitals", {"text": "OPEN THE DOOR", "case": "lower"}),
    (
        "My text came out as WE ARE ALL HERE, please make it lower case",
        {"text": "WE ARE ALL HERE", "case": "lower"},
    ),
    ("I want 'no smoking' in big letters", {"text": "no smoking", "case": "upper"}),
    ("please write 'fresh fish' in block letters", {"text": "fresh fish", "case": "upper"}),
    ("convert to uppercase: keep calm", {"text": "keep calm", "case": "upper"}),
    (
        "Give the heading a walk in the park title case",
        {"text": "a walk in the park", "case": "title"},
    ),
    (
        "Start every word of 'my summer in rome' with a capital",
        {"text": "my summer in rome", "case": "title"},
    ),
    (
        "Write 'WHERE IS THE BUS' like a normal sentence",
        {"text": "WHERE IS THE BUS", "case": "sentence"},
    ),
    (
        "Begin 'nobody knows why' with a capital, as a sentence",
        {"text": "nobody knows why", "case": "sentence"},
    ),
    ("kebab-case for Contact Form Title", {"text": "Contact Form Title", "case": "kebab"}),
    ("snake-case Total Order Count", {"text": "Total Order Count", "case": "snake"}),
    ("turn Mean Daily Rain into snake_case", {"text": "Mean Daily Rain", "case": "snake"}),
    (
        "Join the words of 'Red Wine Glass' with hyphens in lower case",
        {"text": "Red Wine Glass", "case": "kebab"},
    ),
    (
        "Join the words of 'Last Login Date' with underscores in lower case",
        {"text": "Last Login Date", "case": "snake"},
    ),
]

REVERSE: Examples = [
    ("Reverse the word 'lantern'", {"text": "lantern"}),
    ("Write 'good night moon' backwards", {"text": "good night moon"}),
    ('What is "parrot" spelled backwards?', {"text": "parrot"}),
    ("Turn the text 'step by step' around", {"text": "step by step"}),
    ("Give me Hello World in reverse order", {"text": "Hello World"}),
    ("Reverse the text 'open sesame'.", {"text": "open sesame"}),
    ("What is 'stressed' written from back to front?", {"text": "stressed"}),
    ("Write the word umbrella in reverse order.", {"text": "umbrella"}),
    ("Flip the string 'abc123'.", {"text": "abc123"}),
    ("Is 'racecar' a palindrome?", {"text": "racecar"}),
    ("spell window backwards", {"text": "window"}),
    ("What is 'level' written from back to front?", {"text": "level"}),
    ("Write good evening backwards", {"text": "good evening"}),
    ("Reverse the order of the letters in carpet", {"text": "carpet"}),
    ("turn the letters of Amsterdam round", {"text": "Amsterdam"}),
    ("How does 'was it a car' read from right to left?", {"text": "was it a car"}),
    ("backwards please: live on time", {"text": "live on time"}),
    ("mirror the word pencil", {"text": "pencil"}),
    ("Write this from the end to the start\nblue sky 42", {"text": "blue sky 42"}),
    ("What do I get if I read desserts the other way round?", {"text": "desserts"}),
]

REPLACE: Examples = [
    (
        "Replace 'sun' with 'moon' in 'the sun is up, hello sun'",
        {"text": "the sun is up, hello sun", "find": "sun", "replacement": "moon"},
    ),
    (
        'In "we walk to school" change walk to run',
        {"text": "we walk to school", "find": "walk", "replacement": "run"},
    ),
    (
        "Swap every '-' for '/' in '12-11-10'",
        {"text": "12-11-10", "find": "-", "replacement": "/"},
    ),
    (
        "Substitute juice for milk in the text 'milk and bread'",
        {"text": "milk and bread", "find": "milk", "replacement": "juice"},
    ),
    (
        "Change all the spaces in 'one two three' to underscores",
        {"text": "one two three", "find": " ", "replacement": "_"},
    ),
    (
        "Replace 'cat' with 'dog' in 'The cat sat on the mat.'",
        {"text": "The cat sat on the mat.", "find": "cat", "replacement": "dog"},
    ),
    (
        "In 'a,b,c' swap every comma for a semicolon.",
        {"text": "a,b,c", "find": ",", "replacement": ";"},
    ),
    (
        "Change Monday to Friday in: See you on Monday.",
        {"text": "See you on Monday.", "find": "Monday", "replacement": "Friday"},
    ),
    (
        "Remove all hyphens from '555-01-23'.",
        {"text": "555-01-23", "find": "-", "replacement": ""},
    ),
    (
        "Substitute 'colour' for 'color' in 'My favorite color is red.'",
        {"text": "My favorite color is red.", "find": "color", "replacement": "colour"},
    ),
    (
        "Use underscores instead of spaces in 'my new file'.",
        {"text": "my new file", "find": " ", "replacement": "_"},
    ),
    (
        "change cat to mouse in my cat is a happy cat",
        {"text": "my cat is a happy cat", "find": "cat", "replacement": "mouse"},
    ),
    (
        "Take the sentence we eat at noon and replace noon by midnight",
        {"text": "we eat at noon", "find": "noon", "replacement": "midnight"},
    ),
    (
        "In 'Anna met Anna Bell' change Anna to Maria",
        {"text": "Anna met Anna Bell", "find": "Anna", "replacement": "Maria"},
    ),
    (
        "Swap 'old' for 'new' in this sentence: The old house is old",
        {"text": "The old house is old", "find": "old", "replacement": "new"},
    ),
    (
        "Replace all the commas by spaces in 'x,y,z'",
        {"text": "x,y,z", "find": ",", "replacement": " "},
    ),
    (
        "Put tea wherever it says coffee in 'coffee with milk, coffee without'",
        {"text": "coffee with milk, coffee without", "find": "coffee", "replacement": "tea"},
    ),
    (
        "Delete all commas from 'a, b, and c'",
        {"text": "a, b, and c", "find": ",", "replacement": ""},
    ),
    ("take the dots out of 192.168.0.1", {"text": "192.168.0.1", "find": ".", "replacement": ""}),
    (
        "Strip the spaces from 'AB 12 CD 34'",
        {"text": "AB 12 CD 34", "find": " ", "replacement": ""},
    ),
    ("remove every slash from 10/20/30", {"text": "10/20/30", "find": "/", "replacement": ""}),
    (
        "remove the spaces in DE44 5001 0517",
        {"text": "DE44 5001 0517", "find": " ", "replacement": ""},
    ),
    (
        "Get rid of the word very in: a very very long day",
        {"text": "a very very long day", "find": "very", "replacement": ""},
    ),
    (
        "replace every underscore by a dash in my_old_file_name",
        {"text": "my_old_file_name", "find": "_", "replacement": "-"},
    ),
    (
        "turn the semicolons into commas in 1;2;3",
        {"text": "1;2;3", "find": ";", "replacement": ","},
    ),
    (
        "Exchange red for green in the phrase red door and red roof",
        {"text": "red door and red roof", "find": "red", "replacement": "green"},
    ),
    (
        "Replace Berlin with Vienna: I live in Berlin and love Berlin",
        {"text": "I live in Berlin and love Berlin", "find": "Berlin", "replacement": "Vienna"},
    ),
    (
        "In the sentence he ran and he fell change he to she",
        {"text": "he ran and he fell", "find": "he", "replacement": "she"},
    ),
    (
        "write tram instead of bus in 'the bus is late'",
        {"text": "the bus is late", "find": "bus", "replacement": "tram"},
    ),
    (
        "Use dashes for the spaces in 'new york city'",
        {"text": "new york city", "find": " ", "replacement": "-"},
    ),
]
