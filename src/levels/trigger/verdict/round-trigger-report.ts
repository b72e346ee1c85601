import type { TriggerResult } from "../../../contract/trigger-report.ts";

type RoundedParts = Pick<TriggerResult, "metrics" | "positionBias" | "invalidRate" | "usd" | "latency">;

/** A result as it is written: shares to 4 decimals, latencies to 3, money to 6. Gates use the one before. */
export function roundResult<Result extends RoundedParts>(result: Result): Result {
  return {
    ...result,
    metrics: roundEach(result.metrics, 4),
    positionBias: roundEach(result.positionBias, 4),
    invalidRate: roundEach(result.invalidRate, 4),
    usd: roundEach(result.usd, 6),
    latency: roundEach(result.latency, 3),
  };
}

/** Every number in it, however deep. Counts are whole and stay as they are. */
function roundEach<Value>(value: Value, decimals: number): Value {
  if (typeof value === "number") return Number(value.toFixed(decimals)) as Value;
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => roundEach(item, decimals)) as Value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, roundEach(item, decimals)]),
  ) as Value;
}
