"""Chains of arithmetic: a value to begin with, and what is done to it, in the order it is said."""

import math
import re
import statistics

from numbers_in_words import NUMBER, NUMBER_LIST, number, number_list, tidy

UNITS = {
    "time": {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800},
    "length": {
        **{"millimeter": 0.001, "centimeter": 0.01, "meter": 1, "kilometer": 1000},
        **{"inch": 0.0254, "foot": 0.3048, "yard": 0.9144, "mile": 1609.344},
    },
    "mass": {"gram": 0.001, "kilogram": 1, "tonne": 1000, "pound": 0.45359237},
    "volume": {"milliliter": 0.001, "liter": 1},
}
ODD_PLURALS = {"inches": "inch", "feet": "foot"}
ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
BASES = {"binary": 2, "octal": 8, "hexadecimal": 16}
OF_PRIMES = {"sum": sum, "number": len}
OF_LIST = {
    **{"average": statistics.fmean, "mean": statistics.fmean, "median": statistics.median},
    **{"sum": sum, "product": math.prod, "largest": max, "smallest": min},
}
LARGEST_PRIME = 100_000
LARGEST_VALUE = 10**15


def read_chain(question):
    """Finds the first value, applies every operation after it, and refuses where a number was left over."""
    for pattern, value_of in BEGINNINGS:
        begin = re.search(pattern, question, re.IGNORECASE)
        if begin is None:
            continue
        value = value_of(begin)
        if value is None:
            continue
        value, unread = apply_steps(value, question[begin.end():])
        if re.search(r"\d", question[: begin.start()] + unread):
            return None
        return tidy(value)
    return None


def apply_steps(value, text):
    """What the steps make of the value, and the text that no step has read."""
    unread = []
    while True:
        found = [(match, step) for pattern, step in STEPS if (match := re.search(pattern, text, re.IGNORECASE))]
        if not found:
            return value, " ".join([*unread, text])
        match, step = min(found, key=lambda pair: pair[0].start())
        value = step(value, *[number(group) for group in match.groups() if group])
        if abs(value) > LARGEST_VALUE:
            raise ValueError("the numbers grow too large")
        unread.append(text[: match.start()])
        text = text[match.end():]


def convert(amount, source, target):
    """An amount in another unit, or None where the two do not measure the same."""
    source, target = singular(source), singular(target)
    if (source, target) == ("fahrenheit", "celsius"):
        return (amount - 32) / 1.8
    if (source, target) == ("celsius", "fahrenheit"):
        return amount * 1.8 + 32
    for sizes in UNITS.values():
        if source in sizes and target in sizes:
            return amount * sizes[source] / sizes[target]
    return None


def singular(unit):
    unit = unit.lower().replace("metre", "meter").replace("litre", "liter")
    return ODD_PLURALS.get(unit, unit[:-1] if unit.endswith("s") and unit != "celsius" else unit)


def roman_value(text):
    values = [ROMAN[letter] for letter in text.upper()]
    return sum(-value if value < max(values[at + 1:], default=0) else value for at, value in enumerate(values))


def in_base(digits, base):
    try:
        return int(digits, base)
    except ValueError:
        return None


def primes_between(low, high):
    if high > LARGEST_PRIME:
        raise ValueError(f"primes are known up to {LARGEST_PRIME}")
    return [n for n in range(max(2, low), high + 1) if all(n % d for d in range(2, math.isqrt(n) + 1))]


def digit_sum(value):
    return sum(int(digit) for digit in str(value) if digit.isdigit())


BEGINNINGS = (
    (rf"square root of ({NUMBER})", lambda m: math.sqrt(number(m[1]))),
    (rf"cube root of ({NUMBER})", lambda m: number(m[1]) ** (1 / 3)),
    (
        rf"\b(sum|number) of (?:all |the )*prime numbers between ({NUMBER}) and ({NUMBER})",
        lambda m: OF_PRIMES[m[1].lower()](primes_between(number(m[2]), number(m[3]))),
    ),
    (
        rf"\b({'|'.join(OF_LIST)}) (?:number )?of (?:the numbers )?({NUMBER_LIST})",
        lambda m: OF_LIST[m[1].lower()](number_list(m[2])),
    ),
    (
        rf"\b({'|'.join(BASES)}) number ([0-9a-f]+)(?: (?:in)?to decimal)?",
        lambda m: in_base(m[2], BASES[m[1].lower()]),
    ),
    (r"roman numeral ([MDCLXVI]+)\b", lambda m: roman_value(m[1])),
    (r"letter (\w)\b.*? in (?:the word )?['\"]?(\w+)", lambda m: m[2].lower().count(m[1].lower())),
    (r"vowels .*?in (?:the word )?['\"]?(\w+)", lambda m: sum(letter in "aeiou" for letter in m[1].lower())),
    (rf"number of (\w+) in ({NUMBER}) (\w+)", lambda m: convert(number(m[2]), m[3], m[1])),
    (rf"how many (\w+) are (?:there in )?({NUMBER}) (\w+)", lambda m: convert(number(m[2]), m[3], m[1])),
    (rf"({NUMBER}) (?:degrees )?(\w+) (?:in)?to (?:degrees )?(\w+)", lambda m: convert(number(m[1]), m[2], m[3])),
    (rf"(?:costs?|what is|take|(?:start|begin) with|ha[sv]e?|earns?|weighs?) ({NUMBER})", lambda m: number(m[1])),
)

IT = r"(?: it| that| this| the)?(?: number| result| count| sum)?"
STEPS = (
    (rf"(?:reduced|lowered|decreased|cut) by ({NUMBER})(?: percent| ?%)", lambda value, n: value * (1 - n / 100)),
    (rf"(?:raised|increased) by ({NUMBER})(?: percent| ?%)", lambda value, n: value * (1 + n / 100)),
    (rf"({NUMBER})(?: percent| ?%) is added", lambda value, n: value * (1 + n / 100)),
    (rf"({NUMBER})(?: percent| ?%) is (?:taken off|subtracted)", lambda value, n: value * (1 - n / 100)),
    (rf"multipl(?:y|ied){IT} by ({NUMBER})", lambda value, n: value * n),
    (rf"\btimes ({NUMBER})", lambda value, n: value * n),
    (rf"divided?{IT} by ({NUMBER})", lambda value, n: value / n),
    (rf"(?:\badd|\bplus|increased by) ({NUMBER})(?! ?%| percent)", lambda value, n: value + n),
    (rf"(?:subtract|\bminus|take away|reduced by) ({NUMBER})(?! ?%| percent)", lambda value, n: value - n),
    (r"\bsquared\b|\bsquare(?: it| that| this| the)\b", lambda value: value**2),
    (r"\bdoubled?\b", lambda value: value * 2),
    (r"\bhalved?\b", lambda value: value / 2),
    (r"(?:add up|sum of) (?:all )?(?:its|the) digits", lambda value: digit_sum(tidy(value))),
)
