import { existsSync } from "node:fs";
import { join } from "node:path";
import { notLoadedLines } from "../../contract/not-loaded.ts";
import { requireGranted } from "../../engine/granted.ts";
import { type ConfiguredModels, resumedModels } from "../../engine/resumed-models.ts";
import { type Planning, type SessionContext, sessionsFor } from "../../engine/session.ts";
import { listed } from "../../shared/text/phrases.ts";
import { UserError } from "../../shared/user-error.ts";
import { triggerIdentity } from "./identity.ts";
import { prepareTriggers, type ReadyTriggers, type TriggerSuiteContext } from "./prepare.ts";
import type { TriggerPlan } from "./request.ts";

export interface TriggerContext extends TriggerSuiteContext, SessionContext {
  /** The models configured now, for a run that was planned before. */
  configuredModels?: ConfiguredModels | undefined;
}

export const triggerPlanning: Planning<TriggerPlan, ReadyTriggers, TriggerContext> = {
  command: "trigger",
  format: 4,
  prepare: prepareTriggerRun,
  identity: triggerIdentity,
  resumed: (planned, now, { configuredModels }) => ({
    ...now,
    models: resumedModels(planned.models, configuredModels),
  }),
};

export const triggerSessions = sessionsFor(triggerPlanning);

/** Prepares a run of `trigger`; one without trigger tests is an error. */
export async function prepareTriggerRun(plan: TriggerPlan, context: TriggerContext): Promise<ReadyTriggers> {
  requireGranted([], context);
  const ready = await prepareTriggers(plan, context);
  const isEmpty = ready?.subjects.every(({ skipped }) => skipped !== null) ?? true;
  if (ready !== null && !(isEmpty && !plan.storedOptions.requireTriggering)) return ready;
  const subjects = ready?.subjects ?? [];
  const reasons = subjects.map(({ skill, skipped }) => `${skill.id} (${skipped})`);
  await ready?.[Symbol.asyncDispose]();
  const words = [
    `no skill has trigger tests: ${listed(reasons, 5)}`,
    ...notLoadedLines(ready?.notLoaded ?? []),
  ];
  throw new UserError("nothing-to-do", words.join("; "), {
    hint: misnamedFile(subjects) ?? whereToAdd(subjects),
  });
}

function whereToAdd(subjects: ReadyTriggers["subjects"]): string {
  const [only, ...others] = subjects;
  const file = only !== undefined && others.length === 0 ? join(only.found.shown, "eval.yaml") : null;
  return `add a \`triggering\` block to ${file ?? "the eval.yaml of a skill"}, or pass queries with --set`;
}

/** A file with the extension of other tools, `.yml`. */
function misnamedFile(subjects: ReadyTriggers["subjects"]): string | null {
  const other = subjects.find(({ found }) => existsSync(join(found.dir, "eval.yml")));
  if (other === undefined) return null;
  const file = join(other.found.shown, "eval.yml");
  return `${file} is not read: rename it to eval.yaml`;
}
