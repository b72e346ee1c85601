import type { Containment } from "../../contract/containment.ts";
import type { Rendered } from "../../contract/format.ts";
import { boundLevel } from "../../contract/gate-met.ts";
import { describeGrants } from "../../contract/grant.ts";
import type { Level } from "../../contract/level.ts";
import type { Fact } from "../../contract/view.ts";
import { listed, pluralize } from "../../shared/text/phrases.ts";
import { groupedBy } from "../../shared/text/sort-and-group.ts";
import { describeMachine } from "../text/describe-machine.ts";
import { expectedFalse } from "../text/format-numbers.ts";
import { metricLabel } from "./gate-words.ts";
import { judgeFacts } from "./judges.ts";
import { pointGateFacts } from "./point-gate-facts.ts";

/** What a run says about containment, where something was started. */
export const containmentLabel = "Containment";

/** What files had asked for and a person granted. */
export const grantedLabel = "Granted";

/** What a reader needs to judge and to reproduce the numbers. */
export function runFacts(report: Rendered, levels: readonly Level[]): Fact[] {
  const { run, tool, suites } = report;
  const facts: Fact[] = [
    { label: "Run", value: run.id },
    { label: "Command", value: run.command },
    { label: "Tool", value: `${tool.name} ${tool.version}` },
    { label: "Started", value: run.startedAt },
    { label: "Finished", value: run.finishedAt },
    ...suiteFacts(suites, levels),
    { label: "Models", value: run.models.join(", ") },
    ...levels.flatMap(({ view }) => view?.runFacts?.(report) ?? []),
    ...judgeFacts(report),
    { label: "Trials", value: run.trials, unit: "count" },
    { label: "Concurrency", value: run.concurrency, unit: "count" },
    { label: "Seed", value: run.seed },
    ...(run.timesRecorded === null
      ? []
      : [{ label: "Times", value: `recorded ${run.timesRecorded}`, isNote: true }]),
    ...reusedFacts(run.reused),
    { label: "Machine", value: run.machine === null ? "" : describeMachine(run.machine) },
    ...containmentFacts(report, levels),
    ...grantFacts(run.grants),
    ...boundFacts(report, levels),
    ...pointGateFacts(report, levels),
    ...run.vacuousExpectations.map(({ caseId, accepted, why }) => ({
      label: "Vacuous expectation",
      value: `${caseId} accepts ${listed(accepted, 3)}${why === null ? "" : ` (${why})`}`,
    })),
    { label: "Store", value: run.store },
  ];
  return facts.filter(({ value }) => value !== "");
}

/** What was not run because nothing had changed. */
function reusedFacts(reused: Rendered["run"]["reused"]): Fact[] {
  if (reused === undefined) return [];
  const from = `${pluralize(reused.cells, "verdict")} unchanged since ${reused.runs.length === 1 ? "run" : "runs"} ${listed(reused.runs, 3)}`;
  const value = reused.isAll ? `${from}, those of live models and remote skills among them` : from;
  return [{ label: "Reused", value, isNote: true }];
}

/** More suites of one level are counted instead of named. */
const namedSuites = 5;

function suiteFacts(suites: Rendered["suites"], levels: readonly Level[]): Fact[] {
  return [...groupedBy(suites, ({ level }) => level)].flatMap(([level, own]) => {
    const nouns = levels.find(({ name }) => name === level)?.nouns.case ?? (["case", "cases"] as const);
    if (own.length > namedSuites) {
      const cases = own.reduce((sum, one) => sum + one.cases, 0);
      return [{ label: "Suites", value: `${own.length} (${level}, ${pluralize(cases, ...nouns)})` }];
    }
    return own.map(({ id, version, cases }) => {
      const named = version === "" ? id : `${id} ${version}`;
      return { label: "Suite", value: `${named} (${level}, ${pluralize(cases, ...nouns)})` };
    });
  });
}

/** A line for each subject and address, by how they were granted. */
function grantFacts(grants: Rendered["run"]["grants"]): Fact[] {
  const ways = [...new Set(grants.map(({ by }) => by))];
  return ways.flatMap((by) =>
    describeGrants(grants.filter((one) => one.by === by)).map((line) => ({
      label: grantedLabel,
      value: `${line}, by ${by}`,
      isNote: true,
    })),
  );
}

/** How many subjects were judged by a bound, and how many of these verdicts are wrong by luck; nothing of a single one. */
function boundFacts({ gates }: Rendered, levels: readonly Level[]): Fact[] {
  const onBounds = gates.filter(
    ({ on, enforced, subject }) => on !== "point" && enforced && subject !== null,
  );
  return [...groupedBy(onBounds, ({ level, metric }) => JSON.stringify([level, metric])).values()].flatMap(
    (family) => {
      const [first] = family;
      if (first === undefined || family.length < 2) return [];
      const level = levels.find(({ name }) => name === first.level);
      const noun = level?.nouns.subject ?? "subject";
      const judged = `${pluralize(family.length, noun)} gated by ${metricLabel(first.metric, level)}`;
      const chance = `${boundLevel * 100}%`;
      if (family.some(({ familyWise }) => familyWise !== undefined))
        return [
          {
            label: "Verdicts",
            value: `${judged}, corrected: the chance of any false pass is at most ${chance}`,
          },
        ];
      const expected = boundLevel * family.length;
      const value = `${judged}, each with a chance of a false pass of at most ${chance}: ${expectedFalse(expected)}; --family-wise corrects for it`;
      return [{ label: "Verdicts", value, isNote: expected >= 0.5 }];
    },
  );
}

/** What tested code could reach; nothing where no process was started. */
function containmentFacts(report: Rendered, levels: readonly Level[]): Fact[] {
  const { containment } = report.run;
  const isIdle = levels.length > 0 && levels.every(({ view }) => view?.startsNothing?.(report) === true);
  if (isIdle || containment.level === "off") return [];
  return [
    { label: containmentLabel, value: describeReach(containment) },
    { label: "Contained by", value: containment.backend ?? "" },
    { label: "Not proven", value: containment.unproven.join(", ") },
    { label: "Stronger with", value: containment.hint ?? "" },
  ];
}

/** What the tested code could reach: `process, network: open, answer keys readable`. */
export function describeReach({ level, network }: Reach): string {
  const reach = typeof network === "string" ? network : network.join(" ");
  const keys = level === "strict" ? "" : ", answer keys readable";
  return `${level}, network: ${reach}${keys}`;
}

interface Reach {
  level: string;
  network: string | readonly string[];
}

/** The same as one line, with what is unproven and how to strengthen it. */
export function describeContainment(containment: Containment): string {
  const { unproven, hint } = containment;
  const open = unproven.length === 0 ? "" : `, not proven: ${unproven.join(", ")}`;
  const advice = hint === null || hint === undefined ? "" : ` (${hint})`;
  return `containment: ${describeReach(containment)}${open}${advice}`;
}
