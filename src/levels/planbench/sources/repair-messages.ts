import type { ChatMessage } from "../../../contract/model.ts";
import { maxViolations } from "../../../contract/violation.ts";
import type { PlanToRepair } from "./plan-source.ts";

/** What follows the request when a plan is to be repaired: the previous output, what was wrong with it, and nothing else. */
export function repairMessages({ output, violations }: PlanToRepair): ChatMessage[] {
  const lines = violations
    .slice(0, maxViolations)
    .map(({ pointer, reason }) => `- ${pointer || "(whole output)"}: ${reason}`);
  return [
    // Providers refuse an empty turn.
    { role: "assistant", text: output.trim() === "" ? "(empty)" : output },
    { role: "user", text: `Violations:\n${lines.join("\n")}` },
  ];
}
