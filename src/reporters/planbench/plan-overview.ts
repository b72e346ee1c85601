import type { Stratum } from "../../contract/planbench-file.ts";
import type { PlanResult, PlanResultReader } from "../../contract/planbench-report.ts";
import { noOutcomeWords, strataShown, whyNotOk } from "./sample-words.ts";

/** What can only be said when every sample has passed by once. */
export interface StratumOverview {
  route: Stratum;
  /** In the order of the plan. */
  cases: readonly CaseFigures[];
  /** Failed samples by why they failed, the commonest first. */
  failures: readonly ReasonGroup[];
  /** Samples without an outcome by why they have none. */
  errors: readonly ReasonGroup[];
  /** Of a service: plans it called ok, and those among them that are not. */
  claimed: { ok: number; wrong: number };
}

/** What the samples of one case came to. */
interface CaseFigures {
  caseId: string;
  host: string | null;
  ok0: number;
  ok: number;
  fail: number;
  error: number;
  /** Of its ok samples together. */
  repairs: number;
  slowestMs: number;
}

/** Samples with one reason in common. */
export interface ReasonGroup {
  reason: string;
  samples: number;
  /** Each once, in the order of the plan. */
  cases: ReadonlySet<string>;
}

/** Looks at every sample once, keeping only counts and names; strata in their order, those without samples left out. */
export function planOverview(results: PlanResultReader): StratumOverview[] {
  const strata = new Map(strataShown.map((route) => [route, gatherer(route)]));
  for (const result of results()) strata.get(result.route)?.add(result);
  return [...strata.values()].map((one) => one.overview()).filter(({ cases }) => cases.length > 0);
}

function gatherer(route: Stratum) {
  const cases = new Map<string, CaseFigures>();
  const failures = new Map<string, Gathered>();
  const errors = new Map<string, Gathered>();
  const claimed = { ok: 0, wrong: 0 };
  return {
    add(result: PlanResult): void {
      addTo(figuresIn(cases, result), result);
      if (result.claimedOk === true) {
        claimed.ok++;
        if (result.outcome === "fail") claimed.wrong++;
      }
      if (result.outcome === "error") gather(errors, noOutcomeWords(result), result);
      else for (const reason of whyNotOk(result)) gather(failures, reason, result);
    },
    overview(): StratumOverview {
      return {
        route,
        cases: [...cases.values()],
        failures: commonestFirst(failures),
        errors: commonestFirst(errors),
        claimed,
      };
    },
  };
}

function figuresIn(cases: Map<string, CaseFigures>, { caseId, host }: PlanResult): CaseFigures {
  const figures = cases.get(caseId) ?? {
    ...{ caseId, host, ok0: 0, ok: 0, fail: 0, error: 0, repairs: 0, slowestMs: 0 },
  };
  cases.set(caseId, figures);
  return figures;
}

function addTo(figures: CaseFigures, { outcome, repairs, ms }: PlanResult): void {
  figures[outcome]++;
  if (outcome === "error") return;
  figures.slowestMs = Math.max(figures.slowestMs, ms);
  if (outcome !== "ok") return;
  figures.repairs += repairs ?? 0;
  if ((repairs ?? 0) === 0) figures.ok0++;
}

interface Gathered {
  samples: number;
  cases: Set<string>;
}

function gather(groups: Map<string, Gathered>, reason: string, { caseId }: PlanResult): void {
  const group = groups.get(reason) ?? { samples: 0, cases: new Set() };
  groups.set(reason, group);
  group.samples++;
  group.cases.add(caseId);
}

function commonestFirst(groups: ReadonlyMap<string, Gathered>): ReasonGroup[] {
  return [...groups]
    .map(([reason, group]) => ({ reason, ...group }))
    .sort((a, b) => b.samples - a.samples || (a.reason < b.reason ? -1 : 1));
}
