// Controls that JSON lets stand, formatting (zero-width, bidirectional, tags), line and paragraph separators.
const live = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** JSON that is safe to print: what could move the cursor or reorder text stands as an escape, which says the same to every reader. */
export function inertJson(value: unknown, indent?: number): string {
  return inertText(JSON.stringify(value, null, indent));
}

/** The same for JSON that is text already. */
export function inertText(json: string): string {
  return json.replace(live, escaped);
}

function escaped(char: string): string {
  return char
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
