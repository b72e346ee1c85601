import { countOf } from "../../base/count-of.ts";
import type { Rendered } from "../../contract/format.ts";
import type { Level } from "../../contract/level.ts";
import type { Fact } from "../../contract/view.ts";
import { describeReach } from "../describe-containment.ts";

/** What a reader must know to judge the numbers and to get them again; what does not apply is left out. */
export function runFacts(report: Rendered, levels: readonly Level[]): Fact[] {
  const { run, tool, suites } = report;
  const { backend, unproven, hint } = run.containment;
  const facts: Fact[] = [
    { label: "Run", value: run.id },
    { label: "Command", value: run.command },
    { label: "Tool", value: `${tool.name} ${tool.version}` },
    { label: "Started", value: run.startedAt },
    { label: "Finished", value: run.finishedAt },
    ...suites.map(({ id, level, version, cases }) => {
      const noun = levels.find(({ name }) => name === level)?.nouns.case ?? (["case", "cases"] as const);
      const named = version === "" ? id : `${id} ${version}`;
      return { label: "Suite", value: `${named} (${level}, ${countOf(cases, ...noun)})` };
    }),
    { label: "Models", value: run.models.join(", ") },
    ...levels.flatMap(({ view }) => view?.runFacts?.(report) ?? []),
    { label: "Trials", value: run.trials, unit: "count" },
    { label: "Concurrency", value: run.concurrency, unit: "count" },
    { label: "Seed", value: run.seed },
    { label: "Containment", value: run.containment.level === "off" ? "" : describeReach(run.containment) },
    { label: "Contained by", value: backend ?? "" },
    { label: "Not proven", value: unproven.join(", ") },
    { label: "Stronger with", value: hint ?? "" },
    { label: "Store", value: run.store },
  ];
  return facts.filter(({ value }) => value !== "");
}
