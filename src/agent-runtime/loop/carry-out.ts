import type { AgentRun } from "./agent-run.ts";
import { callTool } from "./call-tool.ts";
import type { Done } from "./done.ts";
import type { Work } from "./guard-facts.ts";
import { loadResource } from "./load-resource.ts";
import { selectSkills } from "./select-skills.ts";

/** Hands an action that passed the guards to the loader or to the tools runtime. */
export function carryOut(run: AgentRun, work: Work): Done | Promise<Done> {
  switch (work.kind) {
    case "select":
      return selectSkills(run, work.skills);
    case "load":
      return loadResource(run, work);
    case "tool":
      return callTool(run, work);
    case "answer":
      return {
        executed: { started: true, ok: true, result: { chars: work.content.length } },
        observation: null,
        hasNewSkill: false,
      };
    default:
      return work satisfies never;
  }
}
