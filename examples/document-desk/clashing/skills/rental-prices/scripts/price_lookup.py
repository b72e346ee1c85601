"""What a thing costs to rent."""

PRICES = {"tent": 18, "stove": 6, "lamp": 4}


def price_lookup(item: str) -> dict:
    if item.strip().lower() not in PRICES:
        raise ValueError(f"no price for {item}; there are {', '.join(sorted(PRICES))}")
    return {"euros": PRICES[item.strip().lower()]}
