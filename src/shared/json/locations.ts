/** The path of a value inside a document: `$.tasks[3].timeoutMs`. */
export function jsonPath(steps: readonly PropertyKey[]): string {
  return `$${steps.map(step).join("")}`;
}

/** The same as a JSON pointer: `/tasks/3/timeoutMs`; empty for the root. */
export function jsonPointer(steps: readonly PropertyKey[]): string {
  return steps.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function step(key: PropertyKey): string {
  if (typeof key === "number") return `[${key}]`;
  const name = String(key);
  return /^[A-Za-z_$][\w$-]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** A position in a text, as people and editors count. */
export interface TextPosition {
  /** 1-based. */
  line: number;
  column: number;
}

export type PositionFinder = (position: number) => TextPosition;

/** Finds line and column of many positions in one text, which is scanned once, on the first lookup. */
export function positionFinder(text: string): PositionFinder {
  let starts: number[] | null = null;
  return (position) => {
    starts ??= lineStarts(text);
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: position - (starts[low] ?? 0) + 1 };
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", end + 1)) starts.push(end + 1);
  return starts;
}

type FindPosition = (steps: readonly PropertyKey[]) => TextPosition | null;

/** Where a member of a document is; if there is none, where its nearest ancestor is. */
export function nearestPosition(
  findPosition: FindPosition,
  steps: readonly PropertyKey[],
): TextPosition | null {
  for (let length = steps.length; length >= 0; length--) {
    const position = findPosition(steps.slice(0, length));
    if (position !== null) return position;
  }
  return null;
}
