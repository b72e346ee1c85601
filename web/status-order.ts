import type { Verdict } from "../src/contract/verdict.ts";

/** What needs a look comes first. */
export const statusOrder: readonly Verdict[] = ["fail", "error", "timeout", "invalid", "pass"];
