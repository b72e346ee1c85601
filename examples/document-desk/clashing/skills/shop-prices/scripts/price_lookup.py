"""What a thing costs to buy."""

PRICES = {"tent": 189, "stove": 45, "lamp": 29}


def price_lookup(item: str) -> dict:
    if item.strip().lower() not in PRICES:
        raise ValueError(f"no price for {item}; there are {', '.join(sorted(PRICES))}")
    return {"euros": PRICES[item.strip().lower()]}
