import { type AgentReportFile, type AgentResult, agentSuite } from "../../contract/agent-report.ts";
import { percentile } from "../../statistics/percentile.ts";
import type { ComparedSide, TriedTask } from "../compared-side.ts";

/** What a report of `agent eval` says of each suite and model; cases that no model decided stand together. */
export function agentSides({ results }: Pick<AgentReportFile, "results">): ComparedSide[] {
  const sides = new Map<string, AgentResult[]>();
  for (const result of results) {
    // The twins without skills are a baseline of their report, not something that was tested.
    if (result.condition === "no-skills") continue;
    const key = JSON.stringify([result.suite, deciderOf(result)]);
    const found = sides.get(key) ?? [];
    found.push(result);
    sides.set(key, found);
  }
  return [...sides.values()].map(sideOf);
}

/** Who decided: a model, or a script; a pure function belongs to the latter. */
function deciderOf({ level, model }: AgentResult): string {
  return level === "L2" ? model : "mock";
}

function sideOf(results: readonly AgentResult[]): ComparedSide {
  const [first] = results as readonly [AgentResult, ...AgentResult[]];
  return {
    skillId: deciderOf(first),
    benchmarkId: agentSuite(first.suite),
    tasks: triedCases(results),
    figures: figuresOf(results, first.level === "L2"),
  };
}

function triedCases(results: readonly AgentResult[]): TriedTask[] {
  const found = new Map<string, TriedTask>();
  for (const { case_id, case_digest, status, level } of results) {
    const key = JSON.stringify([case_id, case_digest]);
    const tried = found.get(key) ?? {
      taskId: case_id,
      content: case_digest,
      valid: 0,
      passed: 0,
      // A script does the same however often it runs, so one run of it is no matter of luck.
      ...(level !== "L2" && { worth: Number.POSITIVE_INFINITY }),
    };
    found.set(key, tried);
    if (status !== "invalid") tried.valid++;
    if (status === "pass") tried.passed++;
  }
  return [...found.values()];
}

function figuresOf(results: readonly AgentResult[], isReal: boolean): ComparedSide["figures"] {
  const judged = results.filter(({ status }) => status !== "invalid");
  const ratio = (above: number, below: number) => (below === 0 ? null : above / below);
  const sums = { selected_expected: 0, selected: 0, hits: 0, required: 0 };
  for (const { tallies } of judged)
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += tallies.trigger?.[name] ?? 0;
  const passRate = ratio(judged.filter(({ status }) => status === "pass").length, judged.length);
  const recall = ratio(sums.hits, sums.required);
  const precision = ratio(sums.selected_expected, sums.selected);
  if (!isReal) return { passRate, recall, precision };
  // How long a script takes says nothing about a skill.
  const latencies = Float64Array.from(judged, ({ latency_ms }) => latency_ms).sort();
  return { passRate, recall, precision, latencyP95Ms: percentile(latencies, 0.95) };
}
