import type { CaseLevel } from "../../contract/agent-case.ts";
import type { Teller } from "./raw-case.ts";

/** The level of a case in which somebody speaks: a script, or a real model. */
export function levelOf(
  { level, mock }: { level?: CaseLevel | undefined; mock?: object | undefined },
  tell: Teller,
): CaseLevel {
  if (level === "L0")
    throw tell.fault(["level"], "is L0, and only pure functions run without an agent", "leave it out");
  if (level === "L1" && mock === undefined)
    throw tell.fault(["level"], "is L1, and the case has no mock", "add mock.turns, or write level: L2");
  return level ?? (mock === undefined ? "L2" : "L1");
}
