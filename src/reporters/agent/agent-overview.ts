import type { AgentResult, AgentResultReader } from "../../contract/agent-report.ts";
import { type CellCounts, caseName, isFailed } from "./cell-words.ts";
import { type ScoreKinds, scoreKinds } from "./dimension-words.ts";

/** What can only be said when every result has passed by once. */
export interface AgentOverview {
  /** Suites in their order, with how their cells with skills ended. */
  suites: ReadonlyMap<string, CellCounts>;
  /** Cells that failed, and cells without a verdict; the latter also of the baseline. */
  failed: number;
  invalid: number;
  has: ScoreKinds;
  /** Checks that no trial of a case put to the test, with those cases. */
  idle: ReadonlyMap<string, readonly string[]>;
}

/** Looks at every result once, keeping only counts and names. */
export function agentOverview(results: AgentResultReader): AgentOverview {
  const suites = new Map<string, CellCounts>();
  const has: ScoreKinds = { agent: false, unit: false, rubric: false, conversation: false };
  const idle = idleChecks();
  let failed = 0;
  let invalid = 0;
  for (const result of results()) {
    const { suite, status, condition, scores } = result;
    const counts = countsIn(suites, suite);
    if (status === "invalid") invalid++;
    if (isFailed(result)) failed++;
    const kinds = scoreKinds({ scores });
    has.agent ||= kinds.agent;
    has.unit ||= kinds.unit;
    has.rubric ||= kinds.rubric;
    has.conversation ||= kinds.conversation;
    if (condition === "no-skills") continue;
    counts[status]++;
    if (status !== "invalid") idle.add(result);
  }
  return { suites, failed, invalid, has, idle: idle.checks() };
}

function countsIn(suites: Map<string, CellCounts>, suite: string): CellCounts {
  const counts = suites.get(suite) ?? { pass: 0, fail: 0, invalid: 0 };
  suites.set(suite, counts);
  return counts;
}

/** A check that one trial of a case put to the test was exercised, whatever the other trials did. */
function idleChecks() {
  const cases = new Map<string, { trials: number; unused: Map<string, number> }>();
  return {
    add(result: AgentResult): void {
      const name = caseName(result);
      const seen = cases.get(name) ?? { trials: 0, unused: new Map<string, number>() };
      cases.set(name, seen);
      seen.trials++;
      for (const check of new Set(result.not_exercised))
        seen.unused.set(check, (seen.unused.get(check) ?? 0) + 1);
    },
    checks(): Map<string, string[]> {
      const found = new Map<string, string[]>();
      for (const [name, { trials, unused }] of cases)
        for (const [check, count] of unused)
          if (count === trials) {
            const names = found.get(check) ?? [];
            names.push(name);
            found.set(check, names);
          }
      return found;
    },
  };
}
