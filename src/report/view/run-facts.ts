import type { Containment } from "../../contract/containment.ts";
import type { Rendered } from "../../contract/format.ts";
import { describeGrants } from "../../contract/grant.ts";
import type { Level } from "../../contract/level.ts";
import type { Fact } from "../../contract/view.ts";
import { listed, pluralize } from "../../shared/text/phrases.ts";
import { describeMachine } from "../text/describe-machine.ts";
import { judgeFacts } from "./judges.ts";

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
    ...suites.map(({ id, level, version, cases }) => {
      const noun = levels.find(({ name }) => name === level)?.nouns.case ?? (["case", "cases"] as const);
      const named = version === "" ? id : `${id} ${version}`;
      return { label: "Suite", value: `${named} (${level}, ${pluralize(cases, ...noun)})` };
    }),
    { label: "Models", value: run.models.join(", ") },
    ...levels.flatMap(({ view }) => view?.runFacts?.(report) ?? []),
    ...judgeFacts(report),
    { label: "Trials", value: run.trials, unit: "count" },
    { label: "Concurrency", value: run.concurrency, unit: "count" },
    { label: "Seed", value: run.seed },
    ...(run.timesRecorded === null
      ? []
      : [{ label: "Times", value: `recorded ${run.timesRecorded}`, isNote: true }]),
    { label: "Machine", value: run.machine === null ? "" : describeMachine(run.machine) },
    ...containmentFacts(report, levels),
    ...grantFacts(run.grants),
    ...run.vacuousExpectations.map(({ caseId, accepted, why }) => ({
      label: "Vacuous expectation",
      value: `${caseId} accepts ${listed(accepted, 3)}${why === null ? "" : ` (${why})`}`,
    })),
    { label: "Store", value: run.store },
  ];
  return facts.filter(({ value }) => value !== "");
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
