import type { TextPosition } from "./position-finder.ts";

type PlaceOf = (steps: readonly PropertyKey[]) => TextPosition | null;

/** Where a member of a document stands; where there is none, where the nearest one above it stands. */
export function nearestPosition(placeOf: PlaceOf, steps: readonly PropertyKey[]): TextPosition | null {
  for (let length = steps.length; length >= 0; length--) {
    const place = placeOf(steps.slice(0, length));
    if (place !== null) return place;
  }
  return null;
}
