import { randomBytes } from "node:crypto";

/** A name for a run that sorts by time and that no other process will pick: `20260301T072410Z-k3f9…`. */
export function newRunId(nowMs: number): string {
  const time = new Date(nowMs).toISOString().replace(/[-:]/g, "").replace(/\.\d+/, "");
  const chance = BigInt(`0x${randomBytes(5).toString("hex")}`)
    .toString(36)
    .padStart(8, "0");
  return `${time}-${chance}`;
}
