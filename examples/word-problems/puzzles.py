"""Comparisons, sequences and lists of words."""

import re

from numbers_in_words import NUMBER, NUMBER_LIST, ORDINALS, TIMES, number, number_list, tidy

MORE = "older|taller|heavier|longer|higher|more"
LESS = "younger|shorter|lighter|lower|less"
MOST_TERMS = 20


def read_comparison(question):
    """`Ann is twice as old as Ben`: follows such sentences from what is known to what is asked."""
    asked = re.search(r"how (?:old|tall|heavy|long|high|much) (?:is|are) (\w+)", question, re.IGNORECASE)
    if asked is None:
        return None
    times = re.findall(rf"(\w+) is (half|twice|{NUMBER} times) as \w+ as (\w+)", question, re.IGNORECASE)
    apart = re.findall(rf"(\w+) is ({NUMBER}) (?:\w+ )?({MORE}|{LESS}) than (\w+)", question, re.IGNORECASE)
    plain = rf"(\w+) is ({NUMBER})(?! times)(?! (?:\w+ )?(?:{MORE}|{LESS}) than)"
    known = {name: number(value) for name, value in re.findall(plain, question)}
    rules = []
    for name, words, other in times:
        ratio = TIMES.get(words.lower()) or number(words.split()[0])
        rules.append((name, other, lambda value, r=ratio: value * r, lambda value, r=ratio: value / r))
    for name, count, word, other in apart:
        step = number(count) if re.fullmatch(MORE, word, re.IGNORECASE) else -number(count)
        rules.append((name, other, lambda value, s=step: value + s, lambda value, s=step: value - s))
    for _ in rules:  # each round settles at least one more name, or none is left to settle
        for name, other, forward, backward in rules:
            if other in known:
                known.setdefault(name, forward(known[other]))
            elif name in known:
                known.setdefault(other, backward(known[name]))
    return tidy(known[asked[1]]) if asked[1] in known else None


def read_sequence(question):
    """The next terms of a sequence that grows by a constant, a factor, or steps that grow by a constant."""
    found = re.search(rf"next (?:({NUMBER}) )?(?:terms?|numbers?) .*?({NUMBER_LIST})", question, re.IGNORECASE)
    if found is None:
        return None
    count = min(number(found[1]) if found[1] else 1, MOST_TERMS)
    terms = number_list(found[2])
    following = continuation(terms)
    if following is None or len(terms) < 3:
        return None
    for _ in range(count):
        terms.append(following(terms))
    new = [tidy(term) for term in terms[-count:]]
    return new[0] if count == 1 else ", ".join(str(term) for term in new)


def continuation(terms):
    steps = [after - before for before, after in zip(terms, terms[1:])]
    if len(set(steps)) == 1:
        return lambda all_terms: all_terms[-1] + steps[0]
    if 0 not in terms and len({after / before for before, after in zip(terms, terms[1:])}) == 1:
        return lambda all_terms: all_terms[-1] * terms[1] / terms[0]
    if len(steps) > 2 and len({after - before for before, after in zip(steps, steps[1:])}) == 1:
        return lambda all_terms: 2 * all_terms[-1] - all_terms[-2] + steps[1] - steps[0]
    return None


def read_sorting(question):
    """Sorts words by the alphabet or by length (the alphabet then decides among equals), and picks one."""
    listed = r"\b(?:sort|order|arrange) the words ((?:\w+, )*\w+,? and \w+) (.*)"
    found = re.search(listed, question, re.IGNORECASE | re.DOTALL)
    asked = rf"which (?:word )?(?:is|comes) (?:the )?({'|'.join(ORDINALS)}|last)"
    place = re.search(asked, question, re.IGNORECASE)
    if found is None or place is None:
        return None
    words = re.split(r",? and |, ", found[1])
    by_length = re.search(r"by (?:their )?length", found[2], re.IGNORECASE)
    reverse_words = r"longest first" if by_length else r"reverse|from z to a|backwards"
    backwards = re.search(reverse_words, found[2], re.IGNORECASE)
    words.sort(key=str.lower, reverse=bool(backwards and not by_length))
    if by_length:
        words.sort(key=lambda word: -len(word) if backwards else len(word))
    at = -1 if place[1].lower() == "last" else ORDINALS.index(place[1].lower())
    return words[at] if at < len(words) else None
