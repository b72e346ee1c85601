import { listedFields } from "../../skills/agent-skill/unknown-fields.ts";

/** A list as the one text that stands for it under `metadata`; null where it would be read as another one. */
export function joinedList(key: string, value: unknown): string | null {
  if (!listedFields.has(key) || !Array.isArray(value) || !value.every(isItem)) return null;
  return value.join("; ");
}

/** A text that no separator divides and that has no white space to lose. */
function isItem(item: unknown): item is string {
  return typeof item === "string" && item !== "" && item.trim() === item && !/[;\n]/.test(item);
}
