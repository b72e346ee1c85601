import { didYouMean, nearest } from "../../base/nearest.ts";
import { shownText } from "../../base/visible-text.ts";
import type { LoadedConversationCase } from "../../contract/loaded-case.ts";
import type { Skill } from "../../contract/skill.ts";
import { UserError } from "../../contract/user-error.ts";
import type { AgentPlan } from "../agents/agent-request.ts";
import { checkFolders } from "./check-folders.ts";
import type { ConversationDesk } from "./conversation-desk.ts";
import { promisedOutput } from "./promised-output.ts";
import type { PromptSkills } from "./prompt-skills.ts";
import { toolsOf } from "./prompted-skills.ts";

/** Refuses what conversations name and nobody has; what may be meant is told. */
export async function checkConversations(
  cases: readonly LoadedConversationCase[],
  plan: Pick<AgentPlan, "schemas" | "cwd">,
  desk: ConversationDesk,
): Promise<string[]> {
  const told = new Set<string>();
  const own = new Set(cases.map(({ dir }) => dir));
  const ready = new Map<PromptSkills, readonly Skill[]>();
  for (const loaded of cases) {
    const around = desk.skillsOf(loaded);
    if (!ready.has(around)) for (const word of checkFolders(await around.troubles(), own)) told.add(word);
    const skills = ready.get(around) ?? (await prepared(around, desk));
    ready.set(around, skills);
    const { skills_all_of = [], output } = loaded.case.expect;
    const forced = (loaded.forced ?? []).map((name) => forcedSkill(name, loaded, skills));
    const wanted = skills_all_of.map((name) => skillNamed(name, skills) ?? name);
    for (const name of wanted) if (typeof name === "string") told.add(missing(name, loaded, skills));
    if (output?.contract !== true) continue;
    // A schema that is nowhere would otherwise be noticed in the middle of the run.
    const named = [...forced, ...wanted.filter((skill): skill is Skill => typeof skill !== "string")];
    for (const skill of named) promisedOutput([skill], plan);
    if (named.length > 0 && named.every((skill) => skill.output === null)) told.add(promisesNothing(loaded));
  }
  return [...told];
}

/** Python that is not there, and a deadline that is none, are told now and not as the failure of a tool. */
async function prepared(around: PromptSkills, { hosts }: ConversationDesk): Promise<readonly Skill[]> {
  const skills = await around.current();
  const [first, ...rest] = (await Promise.all(skills.map(toolsOf))).flat();
  if (first !== undefined) await hosts.prepare([first, ...rest]);
  return skills;
}

function skillNamed(name: string, skills: readonly Skill[]): Skill | undefined {
  return skills.find(({ id }) => id === name) ?? skills.find(({ aliases }) => aliases.includes(name));
}

function forcedSkill(
  name: string,
  { shown, jsonPath, case: { id } }: LoadedConversationCase,
  skills: readonly Skill[],
) {
  const skill = skillNamed(name, skills);
  if (skill !== undefined) return skill;
  const ids = skills.map((one) => one.id);
  throw new UserError(
    "case-invalid",
    `${shown}: case ${id} forces ${shownText(name)}, and there is no such skill with a prompt that is switched on`,
    {
      path: shown,
      jsonPath: `${jsonPath}.setup.route.forced`,
      hint: ids.length === 0 ? "name where skills are with setup.skill_roots" : didYouMean(name, ids),
    },
  );
}

function missing(
  name: string,
  { shown, case: { id } }: LoadedConversationCase,
  skills: readonly Skill[],
): string {
  const near = nearest(
    name,
    skills.map((skill) => skill.id),
  );
  const hint = near === null ? "" : `; did you mean ${near}?`;
  return `${shown}: case ${id} asks for the skill ${shownText(name)}, and there is none of that name${hint}`;
}

function promisesNothing({ shown, case: { id } }: LoadedConversationCase): string {
  return `${shown}: case ${id} asks for the contract of an output, and its skills declare none`;
}
