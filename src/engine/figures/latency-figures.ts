import type { LatencyFigures } from "../../contract/figures.ts";
import type { MetricValue } from "../../contract/level.ts";
import type { Counts } from "../../contract/result.ts";
import { binomialQuantile } from "../../shared/statistics/distributions.ts";
import { percentile } from "../../shared/statistics/numbers.ts";
import { type CellTable, isCounted } from "./cell-table.ts";

/** How long the counted cells took. Latencies measured while another cell burned the CPU are left out. */
export function latencyFigures(
  table: CellTable,
  counts: Counts,
  burns: CpuBurns,
  maxLatencyMs: number,
): LatencyFigures {
  const all = table.latencyMs.filter((ms, cell) => isCounted(table, cell) && !Number.isNaN(ms));
  const calm = calmLatencies(table, burns);
  const used = (calm.length === 0 ? all : calm).sort();
  const cases = countCases(table);
  const p95Ms = percentileFigure(used, 0.95, { enough: 100, cases });
  const disturbed = all.length - used.length;
  return {
    p50Ms: percentile(used, 0.5),
    p95Ms,
    p99Ms: percentileFigure(used, 0.99, { enough: 500, cases }),
    latP95Norm: p95Ms.value === null ? null : normalised(p95Ms.value, counts, maxLatencyMs),
    maxLatencyMs,
    ...(disturbed > 0 && { disturbed }),
  };
}

/** A percentile with the values that hold it in 95 of 100 reruns; null where there are too few of them for that. */
function percentileFigure(
  sorted: Float64Array,
  share: number,
  { enough, cases }: { enough: number; cases: number },
): MetricValue {
  const n = sorted.length;
  const value = percentile(sorted, share);
  if (n < enough) return { value, interval: null, n };
  const lower = sorted[Math.max(0, binomialQuantile(0.025, n, share) - 1)] as number;
  const upper = sorted[Math.min(n - 1, binomialQuantile(0.975, n, share))] as number;
  const interval = { lower, upper, level: 0.95, method: "order-statistics", cases, trials: n } as const;
  return { value, interval: { ...interval, estimates: "this-suite", nEff: null }, n };
}

function countCases(table: CellTable): number {
  let cases = 0;
  for (let task = 0; task < table.tasks; task++)
    for (let trial = 0; trial < table.runs; trial++)
      if (isCounted(table, task * table.runs + trial)) {
        cases++;
        break;
      }
  return cases;
}

function calmLatencies(table: CellTable, burns: CpuBurns): Float64Array {
  const hasBurningNeighbour = burns.neighbours();
  return table.latencyMs.filter((latencyMs, cell) => {
    if (!isCounted(table, cell) || Number.isNaN(latencyMs)) return false;
    const beganAtMs = table.beganAtMs[cell] as number;
    return !hasBurningNeighbour({ beganAtMs, latencyMs, isBurn: table.isBurn[cell] === 1 });
  });
}

/** A skill that never answers earns nothing for being quick about it. */
function normalised(p95Ms: number, counts: Counts, maxLatencyMs: number): number {
  if (counts.pass + counts.fail === 0) return 1;
  return Math.min(Math.max(p95Ms / maxLatencyMs, 0), 1);
}

/** When cells burned the CPU. Shared by the skills of a run, since a burner slows everything that runs at the same time. */
export interface CpuBurns {
  add(beganAtMs: number, latencyMs: number): void;
  /** Takes a snapshot and returns whether a burner ran at the same time as a recorded cell. */
  neighbours(): (time: CellTime) => boolean;
}

interface CellTime {
  beganAtMs: number;
  latencyMs: number;
  /** Whether this very cell burned the CPU; a cell is not its own neighbour. */
  isBurn: boolean;
}

/** Start times are whole milliseconds, so consecutive cells may seem to overlap by up to one. */
const clockGrainMs = 1;

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

/** How many values come before the first that fails; all values that hold must come first. */
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
