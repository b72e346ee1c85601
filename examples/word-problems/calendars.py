"""Weekdays, dates and times of day."""

import datetime
import re

from numbers_in_words import NUMBER, number, tidy

WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
MONTHS = "January February March April May June July August September October November December".split()
A_WEEKDAY = "|".join(WEEKDAYS)
A_MONTH = "|".join(MONTHS)
A_DATE = rf"(?:(\d{{1,2}}) ({A_MONTH}) (\d{{4}})|({A_MONTH}) (\d{{1,2}}), (\d{{4}})|(\d{{4}})-(\d\d)-(\d\d))"
MINUTES = {"minute": 1, "hour": 60}


def read_weekday(question):
    """A weekday, some days before or after another."""
    if not re.search(r"(?:which|what) (?:week)?day", question, re.IGNORECASE) or re.search(A_DATE, question):
        return None
    today = re.search(rf"\b({A_WEEKDAY})\b", question, re.IGNORECASE)
    days = days_away(question)
    if today is None or days is None:
        return None
    return WEEKDAYS[(WEEKDAYS.index(today[1].capitalize()) + days) % 7]


def read_date(question):
    """A date some days before or after another, or the weekday of a date."""
    found = re.search(A_DATE, question)
    if found is None:
        return None
    days = days_away(question)
    asks_weekday = re.search(r"day of the week|which weekday", question, re.IGNORECASE)
    if days is None and not asks_weekday:
        return None
    date = date_of(found.groups()) + datetime.timedelta(days=days or 0)
    return WEEKDAYS[date.weekday()] if asks_weekday else date.isoformat()


def read_clock(question):
    """Minutes or hours between two times of day, without the pauses in between."""
    times = [int(hour) * 60 + int(minute) for hour, minute in re.findall(r"\b(\d{1,2}):(\d\d)\b", question)]
    asked = re.search(r"how many (minute|hour)s", question, re.IGNORECASE)
    if len(times) != 2 or asked is None:
        return None
    pauses = re.findall(rf"({NUMBER}) (minute|hour)s?\b", question, re.IGNORECASE)
    if pauses and not re.search(r"stands? still|stops?|pauses?|breaks?|rests?|waits?", question, re.IGNORECASE):
        return None
    span = (times[1] - times[0]) % (24 * 60) - sum(number(count) * MINUTES[unit.lower()] for count, unit in pauses)
    return tidy(span / MINUTES[asked[1].lower()])


def days_away(question):
    """How many days ahead the question looks; negative where it looks back."""
    amount = rf"({NUMBER}) (day|week)s?"
    found = re.search(rf"\bin {amount}|{amount} (?:after|from|later)", question, re.IGNORECASE)
    sign = 1
    if found is None:
        found = re.search(rf"{amount} (?:before|ago|earlier)", question, re.IGNORECASE)
        sign = -1
    if found is None:
        return None
    count, unit = [group for group in found.groups() if group]
    return sign * number(count) * (7 if unit.lower() == "week" else 1)


def date_of(groups):
    day, month, year, month_first, day_second, year_last, iso_year, iso_month, iso_day = groups
    if iso_year:
        return datetime.date(int(iso_year), int(iso_month), int(iso_day))
    return datetime.date(int(year or year_last), MONTHS.index(month or month_first) + 1, int(day or day_second))
