import type { AgentError } from "../../contract/agent-error.ts";
import type { AgentSkill } from "../../contract/agent-parts.ts";
import type { AgentRun } from "./agent-run.ts";
import { type Done, nameOf } from "./done.ts";
import { failedObservation, observationOf } from "./observations.ts";
import { quotedText } from "./quoted-text.ts";
import { hasBegunReading } from "./reading-errors.ts";
import { endsRun } from "./run-ending-errors.ts";

/** Discloses the bodies of skills. One that cannot be read does not keep the others back. */
export async function selectSkills(run: AgentRun, skills: readonly AgentSkill[]): Promise<Done> {
  const loaded: string[] = [];
  const known: string[] = [];
  const errors: AgentError[] = [];
  for (const skill of skills) {
    if (run.selected.includes(skill)) {
      known.push(skill.name);
      continue;
    }
    const load = await run.setup.loader.body(skill, run.callId);
    if (!load.ok) {
      errors.push({ ...load.error, message: `${quotedText(skill.name, 80)}: ${load.error.message}` });
      if (endsRun(load.error)) break;
      continue;
    }
    const { report } = load;
    const facts = { call_id: run.callId, skill: { ...nameOf(skill), digest: skill.digest } };
    const event = run.emit("skill_loaded", { ...facts, path: report.path, report });
    run.selected.push(skill);
    run.context.addBody(load, event);
    loaded.push(skill.name);
  }

  const result = { loaded, already_loaded: known };
  const words = [
    ...(loaded.length === 0 ? [] : [`loaded the instructions of ${loaded.join(", ")}`]),
    ...(known.length === 0 ? [] : [`loaded before: ${known.join(", ")}`]),
  ].join("; ");
  const [error] = errors;
  if (error === undefined)
    return {
      executed: { started: true, ok: true, result },
      observation: observationOf(true, words),
      hasNewSkill: loaded.length > 0,
    };
  const problems = errors.map((each) => failedObservation(each).summary).join("; ");
  return {
    executed: { started: loaded.length > 0 || errors.some(hasBegunReading), ok: false, error, result },
    observation: observationOf(false, words === "" ? problems : `${words}; ${problems}`),
    hasNewSkill: loaded.length > 0,
  };
}
