import { isMap } from "./is-map.ts";

/** Whether a value has all that a part names: members of objects at any depth, lists item by item, everything else as it stands. */
export function fitsPart(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part))
    return (
      Array.isArray(whole) &&
      whole.length === part.length &&
      part.every((item, index) => fitsPart(item, whole[index]))
    );
  if (!isMap(part)) return part === whole;
  return (
    isMap(whole) &&
    Object.entries(part).every(([key, value]) => Object.hasOwn(whole, key) && fitsPart(value, whole[key]))
  );
}
