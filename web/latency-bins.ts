/** Latencies counted in bins of equal ratio, so that 2 ms and 20 s fit on one axis. */
export interface LatencyBins {
  counts: readonly number[];
  fromMs: number;
  toMs: number;
}

/** Counts latencies into bins; null where there are too few, or they differ too little, to have a shape. */
export function binLatencies(latencies: readonly number[], bins: number): LatencyBins | null {
  const known = latencies.filter((ms) => Number.isFinite(ms) && ms > 0);
  if (known.length < 10) return null;
  const fromMs = known.reduce((least, ms) => Math.min(least, ms), Number.POSITIVE_INFINITY);
  const toMs = known.reduce((most, ms) => Math.max(most, ms), 0);
  if (toMs < fromMs * 1.2) return null;
  const counts = new Array<number>(bins).fill(0);
  for (const ms of known) {
    const bin = Math.min(bins - 1, Math.floor(binPosition(ms, { fromMs, toMs }) * bins));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return { counts, fromMs, toMs };
}

/** Where a latency lies on the axis of its bins, 0 to 1. */
export function binPosition(ms: number, { fromMs, toMs }: Pick<LatencyBins, "fromMs" | "toMs">): number {
  const share = Math.log(ms / fromMs) / Math.log(toMs / fromMs);
  return Math.min(1, Math.max(0, share));
}
