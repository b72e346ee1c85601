import type { AgentResult } from "../src/contract/agent-report.ts";
import { fraction, grouped, milliseconds, usd } from "../src/reporters/format-numbers.ts";

/** What is worth knowing of a cell besides its failures, as name and value; null is left out. */
export function resultFacts(result: AgentResult): [string, string | null][] {
  const { stats, tallies, scores, level, condition } = result;
  const { rejected, precision, recall } = scores.trigger;
  const selected = result.conversation?.selected.map(({ id }) => id) ?? scores.trigger.selected;
  // A pure function has no run to tell of.
  const ofRun = (value: string | null) => (level === "L0" ? null : value);
  const counted = [
    [stats.turns, "turn"],
    [stats.model_calls, "model call"],
    [stats.tool_calls, "tool call"],
    [stats.script_runs, "script"],
    [stats.resource_loads, "resource"],
  ] as const;
  return [
    ["Suite", result.suite],
    ["Case", result.case_id],
    ["Level", level],
    ["Model", result.model],
    ["Trial", String(result.trial)],
    ["Condition", condition === "no-skills" ? "without skills" : null],
    ["Tags", result.tags.length === 0 ? null : result.tags.join(", ")],
    ["Run", result.run_id],
    ["Run directory", result.run_dir],
    ["Stopped by", stats.stop_reason],
    ["Answer", stats.degraded === true ? "makeshift, written by code" : null],
    ["Isolation", stats.isolation],
    [
      "Took",
      ofRun(
        counted
          .filter(([count]) => count > 0)
          .map(([count, noun]) => `${count} ${noun}${count === 1 ? "" : "s"}`)
          .join(", "),
      ),
    ],
    ["Selected", ofRun(selected.length === 0 ? "nothing" : selected.join(", "))],
    ["Refused", rejected.length === 0 ? null : rejected.join(", ")],
    ["Precision", precision === null ? null : fraction(precision)],
    ["Recall", recall === null ? null : fraction(recall)],
    [
      "Tokens",
      tallies.tokens === 0
        ? null
        : `${grouped(tallies.input_tokens)} in, ${grouped(tallies.output_tokens)} out`,
    ],
    ["Cost", tallies.cost_usd === null || tallies.cost_usd === 0 ? null : usd(tallies.cost_usd)],
    ["Latency", milliseconds(result.latency_ms)],
  ];
}

/** By which a cell is known on every machine. */
export function resultDigests({ case_digest, cell_key, grader }: AgentResult): [string, string | null][] {
  return [
    ["Case digest", case_digest || null],
    ["Cell key", cell_key || null],
    ["Grader", grader || null],
  ];
}
