import { type Plan, type PlanStep, type PlanUpdate, stepStatuses } from "../../contract/agent-action.ts";
import { listed } from "../../shared/text/phrases.ts";

/** What became of an update of the plan. */
export type PlanChange =
  | { ok: true; isFirst: boolean; version: number; plan: Plan; hasNewStatus: boolean }
  | { ok: false; problem: string };

/** Keeps the plan of a run. An update that is wrong anywhere is ignored as a whole. */
export class PlanBook {
  /** Null until the model has made one. */
  plan: Plan | null = null;

  apply(update: PlanUpdate): PlanChange {
    const before = this.plan;
    const next = update.mode === "replace" ? replaced(update.plan) : patched(before, update.ops);
    if (typeof next === "string") return { ok: false, problem: next };
    const version = (before?.version ?? 0) + 1;
    this.plan = { ...next, version };
    const statuses = new Map(before?.steps.map(({ id, status }) => [id, status]));
    const hasNewStatus = this.plan.steps.some(({ id, status }) => statuses.get(id) !== status);
    return { ok: true, isFirst: before === null, version, plan: this.plan, hasNewStatus };
  }
}

type Ops = Extract<PlanUpdate, { mode: "patch" }>["ops"];

/** The plan, or what is wrong with it. */
function replaced(plan: Plan): Plan | string {
  const ids = new Set<string>();
  for (const { id } of plan.steps) {
    if (ids.has(id)) return `two steps have the id ${id}`;
    ids.add(id);
  }
  for (const { id, dependencies = [] } of plan.steps) {
    const unknown = dependencies.find((dependency) => !ids.has(dependency));
    if (unknown !== undefined) return `step ${id} depends on ${JSON.stringify(unknown)}, which is no step`;
  }
  const circle = stepsInCircles(plan.steps);
  return circle.length === 0 ? plan : `steps depend on each other in a circle: ${listed(circle, 10)}`;
}

function patched(plan: Plan | null, ops: Ops): Plan | string {
  if (plan === null) return "there is no plan to patch yet";
  const steps = new Map(plan.steps.map((step) => [step.id, step]));
  let { goal } = plan;
  for (const { path, value } of ops) {
    const [, , id, member] = path.split("/");
    if (id === undefined) {
      goal = value;
      continue;
    }
    const step = steps.get(id);
    if (step === undefined) return `there is no step ${id}`;
    if (member === "status" && !isStatus(value))
      return `${JSON.stringify(value)} is no status; known: ${stepStatuses.join(", ")}`;
    steps.set(id, { ...step, [member as keyof PlanStep]: value });
  }
  return { ...plan, goal, steps: [...steps.values()] };
}

function isStatus(value: string): boolean {
  return (stepStatuses as readonly string[]).includes(value);
}

/** Takes away steps that wait for nothing until no more can go; a loop, since a plan may be a long chain. */
function stepsInCircles(steps: readonly PlanStep[]): string[] {
  const waitsFor = new Map(steps.map(({ id, dependencies = [] }) => [id, new Set(dependencies).size]));
  const waiting = new Map<string, string[]>(steps.map(({ id }) => [id, []]));
  for (const { id, dependencies = [] } of steps)
    for (const dependency of new Set(dependencies)) waiting.get(dependency)?.push(id);
  const free = [...waitsFor].filter(([, count]) => count === 0).map(([id]) => id);
  for (let id = free.pop(); id !== undefined; id = free.pop()) {
    waitsFor.delete(id);
    for (const next of waiting.get(id) ?? []) {
      const left = (waitsFor.get(next) ?? 0) - 1;
      waitsFor.set(next, left);
      if (left === 0) free.push(next);
    }
  }
  return [...waitsFor.keys()];
}
