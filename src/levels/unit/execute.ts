import { openAdapter } from "../../adapters/open-adapter.ts";
import type { Adapter } from "../../contract/outcome.ts";
import { containmentStamp } from "../../engine/containment-stamp.ts";
import { prepareScorer } from "../../scorers/choose-scorer.ts";
import { openOrClose } from "../../shared/async/open-or-close.ts";
import type { Execute, Execution } from "./execution.ts";
import { checkInputs, outputCheck } from "./schema-warnings.ts";

/** Calls the skill through its adapter. */
export const unitExecution: Execution = {
  prepareScorer,
  async open({ skills: loaded, tasks, context }) {
    const skills = loaded.map(({ skill }) => skill);
    const adapters = new Map<string, Adapter>();
    const close = async () => {
      await Promise.all([...adapters.values()].map((adapter) => adapter[Symbol.asyncDispose]()));
    };
    return openOrClose(close, async () => {
      for (const { skill, unreachable } of loaded) {
        adapters.set(skill.id, await openAdapter(skill, context));
        if (unreachable !== null) throw unreachable;
      }
      const { containment } = context.sandbox;
      const stamps = new Map(skills.map((skill) => [skill.id, containmentStamp(skill, containment)]));
      return {
        execute: executeByCalling(adapters),
        checkOutput: await outputCheck(skills),
        stampOf: (skillId) => stamps.get(skillId) ?? null,
        warnings: await checkInputs(skills, tasks),
        [Symbol.asyncDispose]: close,
      };
    });
  },
};

function executeByCalling(adapters: ReadonlyMap<string, Adapter>): Execute {
  return async (cell, signal) => {
    const { deadlineMs } = cell;
    const { skillId } = cell.subject;
    const { inputData, document } = cell.case.task;
    const adapter = adapters.get(skillId) as Adapter;
    return adapter.call(inputData, { deadlineMs, signal, document });
  };
}
