import type { Duplex } from "node:stream";

/** Lets bytes run both ways until both sides are done. A slow reader slows its writer; nothing piles up. */
export function tunnel(one: Duplex, other: Duplex): void {
  one.pipe(other);
  other.pipe(one);
  one.once("close", () => other.destroy());
  other.once("close", () => one.destroy());
}
