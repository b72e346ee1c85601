import type { LatencyFigures } from "../../contract/figures.ts";
import type { Counts } from "../../contract/verdict.ts";
import { percentile } from "../../shared/statistics/percentile.ts";
import { type CellTable, isCounted } from "./cell-table.ts";
import type { CpuBurns } from "./cpu-burns.ts";

/** How long the counted cells took. A latency measured beside a CPU burner says nothing about the skill and is left out. */
export function latencyFigures(
  table: CellTable,
  counts: Counts,
  burns: CpuBurns,
  maxLatencyMs: number,
): LatencyFigures {
  const all = table.latencyMs.filter((_, cell) => isCounted(table, cell));
  const calm = calmLatencies(table, burns);
  const used = (calm.length === 0 ? all : calm).sort();
  const p95Ms = percentile(used, 0.95);
  const disturbed = all.length - used.length;
  return {
    p50Ms: percentile(used, 0.5),
    p95Ms,
    p99Ms: percentile(used, 0.99),
    latP95Norm: p95Ms === null ? null : normalised(p95Ms, counts, maxLatencyMs),
    maxLatencyMs,
    ...(disturbed > 0 && { disturbed }),
  };
}

function calmLatencies(table: CellTable, burns: CpuBurns): Float64Array {
  const hasBurningNeighbour = burns.neighbours();
  return table.latencyMs.filter((latencyMs, cell) => {
    if (!isCounted(table, cell)) return false;
    const beganAtMs = table.beganAtMs[cell] as number;
    return !hasBurningNeighbour({ beganAtMs, latencyMs, isBurn: table.isBurn[cell] === 1 });
  });
}

/** A skill that never answers earns nothing for being quick about it. */
function normalised(p95Ms: number, counts: Counts, maxLatencyMs: number): number {
  if (counts.pass + counts.fail === 0) return 1;
  return Math.min(Math.max(p95Ms / maxLatencyMs, 0), 1);
}
