"""Questions that people ask, and the input that answers each."""

from __future__ import annotations

from agenthost_sdk.activities import Examples

NOW: Examples = [
    ("What time is it?", {"zone": "UTC"}),
    ("What time is it now in Vienna?", {"zone": "Europe/Vienna"}),
    ("What is the date today in Chicago?", {"zone": "America/Chicago"}),
    ("What day of the week is it?", {"zone": "UTC"}),
    ("Give me the current time in Singapore", {"zone": "Asia/Singapore"}),
    ("How late is it in Cairo at the moment?", {"zone": "Africa/Cairo"}),
    ("What is today's date?", {"zone": "UTC"}),
    ("What time is it in Tokyo right now?", {"zone": "Asia/Tokyo"}),
    ("Which day of the week is it today in Sydney?", {"zone": "Australia/Sydney"}),
    ("Tell me the current time in New York.", {"zone": "America/New_York"}),
    ("How late is it in Berlin at the moment?", {"zone": "Europe/Berlin"}),
    ("Is it morning or evening in Brazil's Sao Paulo?", {"zone": "America/Sao_Paulo"}),
    ("time in Madrid?", {"zone": "Europe/Madrid"}),
    ("what's today", {"zone": "UTC"}),
    ("My brother is in Toronto, what does his clock show?", {"zone": "America/Toronto"}),
    ("current time Moscow", {"zone": "Europe/Moscow"}),
    ("what's the time in Lisbon just now", {"zone": "Europe/Lisbon"}),
    ("today's date in Seoul please", {"zone": "Asia/Seoul"}),
    ("I want to call a friend in Denver. What time is it there now?", {"zone": "America/Denver"}),
    ("Is it already Monday in Auckland?", {"zone": "Pacific/Auckland"}),
]

CONVERT: Examples = [
    (
        "It is 10:00 in Vienna. What time is that in Chicago?",
        {"time": "10:00", "from_zone": "Europe/Vienna", "to_zone": "America/Chicago"},
    ),
    (
        "What is 3:30 pm Toronto time in Singapore?",
        {"time": "15:30", "from_zone": "America/Toronto", "to_zone": "Asia/Singapore"},
    ),
    (
        "Convert 2026-05-04 22:00 from UTC to Denver time",
        {"time": "2026-05-04 22:00", "from_zone": "UTC", "to_zone": "America/Denver"},
    ),
    (
        "The match kicks off at 20:45 in Lisbon; when is that in Seoul?",
        {"time": "20:45", "from_zone": "Europe/Lisbon", "to_zone": "Asia/Seoul"},
    ),
    (
        "If I call at 7 am from Dublin, what time does it ring in Auckland?",
        {"time": "07:00", "from_zone": "Europe/Dublin", "to_zone": "Pacific/Auckland"},
    ),
    (
        "When it is 15:00 in London, what time is it in Los Angeles?",
        {"time": "15:00", "from_zone": "Europe/London", "to_zone": "America/Los_Angeles"},
    ),
    (
        "Convert 9:30 am New York time to Paris time.",
        {"time": "09:30", "from_zone": "America/New_York", "to_zone": "Europe/Paris"},
    ),
    (
        "Our call starts at 18:00 UTC. When is that in Singapore?",
        {"time": "18:00", "from_zone": "UTC", "to_zone": "Asia/Singapore"},
    ),
    (
        "The match begins at 8 pm in Madrid on 5 June 2027. When must I watch in Chicago?",
        {"time": "2027-06-05 20:00", "from_zone": "Europe/Madrid", "to_zone": "America/Chicago"},
    ),
    (
        "It is 7:15 in Cairo. How late is it in Seoul?",
        {"time": "07:15", "from_zone": "Africa/Cairo", "to_zone": "Asia/Seoul"},
    ),
    (
        "What is 2027-01-10 23:00 in Denver expressed in Dubai time?",
        {"time": "2027-01-10 23:00", "from_zone": "America/Denver", "to_zone": "Asia/Dubai"},
    ),
    (
        "What time is it in Seoul when it is 10:00 in Oslo?",
        {"time": "10:00", "from_zone": "Europe/Oslo", "to_zone": "Asia/Seoul"},
    ),
    (
        "How late is it in Lima if it is 4 pm in Dublin?",
        {"time": "16:00", "from_zone": "Europe/Dublin", "to_zone": "America/Lima"},
    ),
    (
        "Our meeting is at 2 pm in Paris; what's that in Denver?",
        {"time": "14:00", "from_zone": "Europe/Paris", "to_zone": "America/Denver"},
    ),
    (
        "17:45 Athens in Toronto time",
        {"time": "17:45", "from_zone": "Europe/Athens", "to_zone": "America/Toronto"},
    ),
    (
        "The plane arrives in Cairo at 21:20. What time is that at home in Oslo?",
        {"time": "21:20", "from_zone": "Africa/Cairo", "to_zone": "Europe/Oslo"},
    ),
    (
        "My train leaves Vienna at 6:40 pm. What time is that in Lisbon?",
        {"time": "18:40", "from_zone": "Europe/Vienna", "to_zone": "Europe/Lisbon"},
    ),
    ("9 pm UTC in Denver?", {"time": "21:00", "from_zone": "UTC", "to_zone": "America/Denver"}),
    (
        "What is noon Chicago time in Athens time?",
        {"time": "12:00", "from_zone": "America/Chicago", "to_zone": "Europe/Athens"},
    ),
    (
        "midnight in Singapore is what time in Cairo?",
        {"time": "00:00", "from_zone": "Asia/Singapore", "to_zone": "Africa/Cairo"},
    ),
    (
        "The interview is on 7 May 2027 at 15:00 in Dublin; what time is it then in Dubai?",
        {"time": "2027-05-07 15:00", "from_zone": "Europe/Dublin", "to_zone": "Asia/Dubai"},
    ),
    (
        "convert half past eight in the evening from Madrid time to Toronto time",
        {"time": "20:30", "from_zone": "Europe/Madrid", "to_zone": "America/Toronto"},
    ),
    (
        "If it is 11:15 in Sydney, how late is it in London?",
        {"time": "11:15", "from_zone": "Australia/Sydney", "to_zone": "Europe/London"},
    ),
]

DIFFERENCE: Examples = [
    (
        "How many days are there between 2025-03-01 and 2025-09-15?",
        {"start": "2025-03-01", "end": "2025-09-15"},
    ),
    (
        "How many days is it from 12 June 2024 until 1 August 2024?",
        {"start": "2024-06-12", "end": "2024-08-01"},
    ),
    ("How much time passes from 09:40 to 13:05?", {"start": "09:40", "end": "13:05"}),
    (
        "I started on 2023-11-20 and finished on 2024-02-02; how many days did it take?",
        {"start": "2023-11-20", "end": "2024-02-02"},
    ),
    (
        "Tell me the number of days from May 9, 2025 to October 3, 2025",
        {"start": "2025-05-09", "end": "2025-10-03"},
    ),
    (
        "How many days are there between 3 April 2027 and 21 June 2027?",
        {"start": "2027-04-03", "end": "2027-06-21"},
    ),
    (
        "How long is it from 2026-10-01 until Christmas Day 2026?",
        {"start": "2026-10-01", "end": "2026-12-25"},
    ),
    ("How many days until 1 May 2030?", {"start": "today", "end": "2030-05-01"}),
    (
        "Count the days from July 4, 1976 to July 4, 2026.",
        {"start": "1976-07-04", "end": "2026-07-04"},
    ),
    (
        "A shift runs from 2026-05-11 22:15 to 2026-05-12 06:00. How long is it?",
        {"start": "2026-05-11 22:15", "end": "2026-05-12 06:00"},
    ),
    ("How old in days is somebody born on 1990-08-17?", {"start": "1990-08-17", "end": "today"}),
    (
        "The rent ran from 15 January 2025 to 14 March 2025; how many weeks was that?",
        {"start": "2025-01-15", "end": "2025-03-14"},
    ),
    ("How many days are left until Halloween 2027?", {"start": "today", "end": "2027-10-31"}),
    ("How long is it between 2 pm and 6:30 pm?", {"start": "14:00", "end": "18:30"}),
    (
        "How many days are there from 3 March to 20 May 2026?",
        {"start": "2026-03-03", "end": "2026-05-20"},
    ),
    (
        "How many weeks lie between 2025-02-03 and 2025-06-30?",
        {"start": "2025-02-03", "end": "2025-06-30"},
    ),
    ("How old is somebody born on 4 April 1985?", {"start": "1985-04-04", "end": "today"}),
    (
        "The bus goes at 7:50 and arrives at 9:35; how long does it take?",
        {"start": "07:50", "end": "09:35"},
    ),
    ("How many days have gone by since 8 March 2022?", {"start": "2022-03-08", "end": "today"}),
    ("How many days ago was 2024-06-30?", {"start": "2024-06-30", "end": "today"}),
    ("How long until 2031-05-20?", {"start": "today", "end": "2031-05-20"}),
    (
        "My course lasts from 2 February 2026 to 24 April 2026; how long is that?",
        {"start": "2026-02-02", "end": "2026-04-24"},
    ),
    ("The film runs from 20:15 until 22:50. How long is it?", {"start": "20:15", "end": "22:50"}),
    ("from 04/07/2025 to 09/30/2025 in days", {"start": "2025-04-07", "end": "2025-09-30"}),
    ("days between 5 May 2026 and 5 June 2026", {"start": "2026-05-05", "end": "2026-06-05"}),
    (
        "We married on 14 June 2003. How many days had passed by 1 January 2020?",
        {"start": "2003-06-14", "end": "2020-01-01"},
    ),
    (
        "The exhibition opens on 3.9.2026 and closes on 15.11.2026. For how many days is it open?",
        {"start": "2026-09-03", "end": "2026-11-15"},
    ),
    ("How many hours are there from 8:30 to 16:45?", {"start": "08:30", "end": "16:45"}),
]

SHIFT: Examples = [
    ("What date is 100 days after 2025-04-01?", {"date": "2025-04-01", "days": 100}),
    ("Which date was 6 weeks before 2026-09-14?", {"date": "2026-09-14", "weeks": -6}),
    ("Add 3 months to 2024-11-30", {"date": "2024-11-30", "months": 3}),
    (
        "A contract signed on 12 July 2025 runs for 5 years. When does it end?",
        {"date": "2025-07-12", "years": 5},
    ),
    ("Go back 20 days from 2025-08-08", {"date": "2025-08-08", "days": -20}),
    ("What weekday is it 2 weeks after October 1, 2026?", {"date": "2026-10-01", "weeks": 2}),
    ("What date is 45 days after 2026-03-10?", {"date": "2026-03-10", "days": 45}),
    ("Which day comes 3 weeks before 2026-09-01?", {"date": "2026-09-01", "weeks": -3}),
    ("What weekday was 20 July 1969?", {"date": "1969-07-20"}),
    ("What is the date 100 days from today?", {"date": "today", "days": 100}),
    ("Add 6 months to 31 August 2026.", {"date": "2026-08-31", "months": 6}),
    (
        "A guarantee of 2 years starts on May 3, 2025. When does it end?",
        {"date": "2025-05-03", "years": 2},
    ),
    (
        "What was the date 10 days ago, counted from 2026-01-04?",
        {"date": "2026-01-04", "days": -10},
    ),
    (
        "A bus leaves on 2026-02-14 at 22:30 and needs 9 hours 45 minutes; when is it there?",
        {"date": "2026-02-14 22:30", "hours": 9, "minutes": 45},
    ),
    ("Subtract 5 weeks from 2026-02-28", {"date": "2026-02-28", "weeks": -5}),
    ("What was the date 60 days before 1 April 2026?", {"date": "2026-04-01", "days": -60}),
    (
        "The parcel of 2026-03-02 comes in 12 days; on what date is that?",
        {"date": "2026-03-02", "days": 12},
    ),
    ("9 months from 15 January 2025", {"date": "2025-01-15", "months": 9}),
    ("On what weekday did 9 November 1989 fall?", {"date": "1989-11-09"}),
    ("Which date is 30 days from today?", {"date": "today", "days": 30}),
    ("What day was it 2 weeks before 12 May 2026?", {"date": "2026-05-12", "weeks": -2}),
    ("take 30 days off 2026-07-01", {"date": "2026-07-01", "days": -30}),
    ("4 days earlier than 3 March 2027", {"date": "2027-03-03", "days": -4}),
    (
        "The meeting of 9 June 2026 was put forward by 5 days; when is it now?",
        {"date": "2026-06-09", "days": -5},
    ),
    (
        "The trip was to start on 20 May 2027 but we left 3 days early. When did we leave?",
        {"date": "2027-05-20", "days": -3},
    ),
    (
        "The opening of 1 March 2027 is delayed by 6 weeks. What is the new date?",
        {"date": "2027-03-01", "weeks": 6},
    ),
    (
        "I must give notice three months before 30 June 2027. When is that?",
        {"date": "2027-06-30", "months": -3},
    ),
    ("two years ago, counted from 15 August 2026", {"date": "2026-08-15", "years": -2}),
    (
        "The bill of 14 October 2026 is due after 14 days. When must it be paid?",
        {"date": "2026-10-14", "days": 14},
    ),
    (
        "A passport of 5 June 2021 is valid for 10 years; until when?",
        {"date": "2021-06-05", "years": 10},
    ),
    ("10 days later than 25 December 2026", {"date": "2026-12-25", "days": 10}),
    ("Go back 8 months from 1 May 2026", {"date": "2026-05-01", "months": -8}),
]
