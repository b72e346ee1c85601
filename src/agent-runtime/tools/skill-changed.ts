import type { AgentError } from "../../contract/agent-error.ts";
import type { AgentSkill } from "../../contract/agent-parts.ts";
import { shownText } from "../../shared/text/visible-text.ts";

/** Why nothing of a skill runs whose files were edited since the run began. */
export function skillChanged({ name }: Pick<AgentSkill, "name">): AgentError {
  return { code: "SkillChanged", message: `the files of ${shownText(name)} are not those that were indexed` };
}
