import { actionTypes } from "../../contract/agent-action.ts";
import type { AgentCaseFile } from "../../contract/agent-case.ts";
import { foreignPrefix } from "../../contract/agent-tools.ts";
import { builtInTools } from "../../contract/built-in-tools.ts";
import type { LoadedAgentCase, SkillToolName } from "../../contract/loaded-case.ts";
import { didYouMean } from "../../shared/text/nearest.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { UserError } from "../../shared/user-error.ts";
import type { ProblemReporter } from "./raw-case.ts";

const tools: readonly string[] = builtInTools;
const actions: readonly string[] = actionTypes;
/** What can be seen in a log whatever the skills are. */
const events = [...new Set([...actions, "load_skill_body", ...tools])];

/** The names in a case that only a tool of a skill can have. A name that nothing can have is a fault. */
export function skillToolNames(file: AgentCaseFile, report: ProblemReporter): SkillToolName[] {
  const found: SkillToolName[] = [];
  const note = (name: string, steps: readonly PropertyKey[]) => found.push({ name, ...report.locate(steps) });
  for (const { name, steps } of toolsNamedIn(file)) {
    if (tools.includes(name)) continue;
    if (events.includes(name))
      throw report.fault(steps, `must name a tool; ${name} is not a tool`, `tools: ${tools.join(", ")}`);
    if (isForeign(name))
      throw report.fault(steps, "names a tool of an imported trace, which eval-skills cannot run");
    note(name, steps);
  }
  for (const { name, steps } of eventsNamedIn(file))
    if (!events.includes(name) && !isForeign(name)) note(name, steps);
  return found;
}

/** Refuses a case with a name that none of these tools of its skills has. */
export function checkSkillTools(
  { skillTools }: Pick<LoadedAgentCase, "skillTools">,
  known: readonly string[],
): void {
  const unknown = skillTools.find(({ name }) => !known.includes(name));
  if (unknown === undefined) return;
  const { name, shown, jsonPath } = unknown;
  const message = `${shown}: ${jsonPath} names ${shownText(name)}, which is not an action, a tool, or a tool of a skill of this case`;
  throw new UserError("case-invalid", message, {
    path: shown,
    jsonPath,
    hint: didYouMean(name, [...events, ...known]),
  });
}

interface Named {
  name: string;
  steps: readonly PropertyKey[];
}

function toolsNamedIn({ enable_tools, approvals, constraints }: AgentCaseFile): Named[] {
  const list = (names: readonly string[], ...way: PropertyKey[]) =>
    names.map((name, index) => ({ name, steps: [...way, index] }));
  return [
    ...list(enable_tools, "enable_tools"),
    ...approvals.map(({ tool }, index) => ({ name: tool, steps: ["approvals", index, "tool"] })),
    ...list(constraints.deny_tools, "constraints", "deny_tools"),
    ...list(constraints.require_approval_for, "constraints", "require_approval_for"),
  ];
}

function eventsNamedIn({ expect }: AgentCaseFile): Named[] {
  return expect.action_sequence_constraints.flatMap((rule, index): Named[] => {
    const way = ["expect", "action_sequence_constraints", index];
    if ("forbid" in rule) return [{ name: rule.forbid, steps: [...way, "forbid"] }];
    const { must_occur, before = [] } = rule;
    const first = { name: must_occur, steps: [...way, "must_occur"] };
    if (typeof before === "string") return [first, { name: before, steps: [...way, "before"] }];
    return [first, ...before.map((name, position) => ({ name, steps: [...way, "before", position] }))];
  });
}

/** A tool of another agent, in a trace that was imported. */
function isForeign(name: string): boolean {
  return name.startsWith(foreignPrefix) && name.length > foreignPrefix.length;
}

/** Whether a tool starts a process: a script, a command, or a tool that a skill brings. */
export function startsProcess(tool: string): boolean {
  return (
    tool === "run_script" || tool === "run_command" || !(builtInTools as readonly string[]).includes(tool)
  );
}
