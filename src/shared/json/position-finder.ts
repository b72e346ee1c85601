/** A place in a text, as people and editors count. */
export interface TextPosition {
  /** 1-based. */
  line: number;
  column: number;
}

export type PositionFinder = (position: number) => TextPosition;

/** Finds line and column of many positions in one text, which is read through once, when the first is asked for. */
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
