"""Says more than anybody wants to keep."""

for number in range(40_000):
    print(f"{number:08d} returned in good order, thank you")
