import type { AgentReport, AgentResultReader } from "../../contract/agent-report.ts";
import type { CellReader, Rendered } from "../../contract/format.ts";
import type { PlanReport, PlanResultReader } from "../../contract/planbench-report.ts";
import type { Report, CellReader as TaskReader } from "../../contract/report.ts";
import type { QueryReader, TriggerReport } from "../../contract/trigger-report.ts";
import { agentShape } from "./agent-shape.ts";
import { planShape } from "./plan-shape.ts";
import { triggerShape } from "./trigger-shape.ts";
import { unitShape } from "./unit-shape.ts";

/** A report as the writers of Markdown, HTML, CSV, JUnit, terminal and GitHub still read it, one shape per command. */
export type LegacyShape =
  | { kind: "unit"; report: Report; cellsOf: TaskReader }
  | { kind: "trigger"; report: TriggerReport; queriesOf: QueryReader }
  | { kind: "agent"; report: AgentReport; results: AgentResultReader }
  | { kind: "planbench"; report: PlanReport; results: PlanResultReader };
export type ShapeKind = LegacyShape["kind"];

const made = new WeakMap<Rendered, LegacyShape | null>();

/** The one adapter between the document and those writers; null where they know nothing of its levels. Made once for all of them. */
export function legacyShape(report: Rendered, cells: CellReader): LegacyShape | null {
  const known = made.get(report);
  if (known !== undefined) return known;
  const shape = makeShape(report, cells);
  made.set(report, shape);
  return shape;
}

function makeShape(report: Rendered, cells: CellReader): LegacyShape | null {
  const kind = shapeKind(report);
  switch (kind) {
    case "unit":
      return { kind, ...unitShape(report, cells) };
    case "trigger":
      return { kind, ...triggerShape(report, cells) };
    case "agent":
      return { kind, ...agentShape(report, cells) };
    case "planbench":
      return { kind, ...planShape(report, cells) };
    case null:
      return null;
    default:
      return kind satisfies never;
  }
}

/** Which of the shapes a report has, by the levels of its suites. */
export function shapeKind({ suites, run }: Pick<Rendered, "suites" | "run">): ShapeKind | null {
  const levels = new Set(suites.map(({ level }) => level));
  if (levels.has("unit")) return "unit";
  if (levels.has("trigger") || (levels.size === 0 && run.command === "trigger")) return "trigger";
  if (levels.has("agent") || levels.has("conversation")) return "agent";
  return levels.has("planbench") ? "planbench" : null;
}
