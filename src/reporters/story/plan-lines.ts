import type { EventData } from "../../contract/agent-event.ts";
import { textOf } from "./action-words.ts";
import type { StoryPage } from "./story-page.ts";

type Plan = EventData<"plan_created">["plan"];
type Step = Plan["steps"][number];

/** A plan with a mark for every step. */
export function planLines(plan: Plan, version: number, page: StoryPage): string[] {
  return [
    ...page.told("≡", `plans: ${textOf(plan.goal)}`, { aside: version > 1 ? `version ${version}` : "" }),
    ...plan.steps.flatMap((step) => stepLines(step, page)),
  ];
}

/** The plan after single changes, and the steps that they are about. */
export function changedPlan(
  plan: Plan | null,
  ops: NonNullable<EventData<"plan_updated">["ops"]>,
): { plan: Plan | null; changed: readonly Step[] } {
  if (plan === null) return { plan, changed: [] };
  const next = { ...plan, steps: plan.steps.map((step) => ({ ...step })) };
  const changed = new Set<Step>();
  for (const { path, value } of ops) {
    const [, root, id, member] = path.split("/");
    if (root === "goal") next.goal = value;
    const step = next.steps.find((each) => each.id === id);
    if (step === undefined || member === undefined) continue;
    if (member === "title") step.title = value;
    if (member === "reason") step.reason = value;
    if (member === "status" && isStatus(value)) step.status = value;
    changed.add(step);
  }
  return { plan: next, changed: next.steps.filter((step) => changed.has(step)) };
}

export function stepLines(step: Step, page: StoryPage): string[] {
  const { paint } = page;
  const tones: Record<Step["status"], (text: string) => string> = {
    pending: (text) => text,
    in_progress: paint.cyan,
    completed: paint.green,
    failed: paint.red,
    skipped: paint.dim,
  };
  const aside = step.reason === undefined ? "" : textOf(step.reason);
  return page.told(`  ${marks[step.status]}`, textOf(step.title), { tone: tones[step.status], aside });
}

const marks: Record<Step["status"], string> = {
  pending: "○",
  in_progress: "◐",
  completed: "●",
  failed: "✗",
  skipped: "–",
};

function isStatus(value: unknown): value is Step["status"] {
  return typeof value === "string" && Object.hasOwn(marks, value);
}
