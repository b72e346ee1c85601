/** When cells burned the CPU. Share one between the skills of a run: a burner slows whatever runs beside it. */
export interface CpuBurns {
  add(beganAtMs: number, latencyMs: number): void;
  /** Takes the record as it stands and tells of any recorded cell whether a burner ran beside it. */
  neighbours(): (time: CellTime) => boolean;
}

interface CellTime {
  beganAtMs: number;
  latencyMs: number;
  /** Whether this very cell burned the CPU; a cell is not its own neighbour. */
  isBurn: boolean;
}

/** Begins are whole milliseconds, so cells that ran one after the other may seem to share up to one. */
const clockGrainMs = 1;

/** An empty record of burns. */
export function cpuBurns(): CpuBurns {
  const begins: number[] = [];
  const ends: number[] = [];
  return {
    add(beganAtMs, latencyMs) {
      if (isTooShort(latencyMs)) return;
      begins.push(beganAtMs + clockGrainMs);
      ends.push(beganAtMs + latencyMs - clockGrainMs);
    },
    neighbours() {
      const sortedBegins = Float64Array.from(begins).sort();
      const sortedEnds = Float64Array.from(ends).sort();
      return ({ beganAtMs, latencyMs, isBurn }) => {
        const begun = countLeading(sortedBegins, (begin) => begin < beganAtMs + latencyMs);
        const over = countLeading(sortedEnds, (end) => end <= beganAtMs);
        const own = isBurn && !isTooShort(latencyMs) ? 1 : 0;
        return begun - over > own;
      };
    },
  };
}

/** A burn that fits into the grain of the clock overlaps nothing for certain. */
function isTooShort(latencyMs: number): boolean {
  return latencyMs <= 2 * clockGrainMs;
}

/** How many values stand before the first that fails; values that hold must all come first. */
function countLeading(sorted: Float64Array, holds: (value: number) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(sorted[middle] as number)) low = middle + 1;
    else high = middle;
  }
  return low;
}
