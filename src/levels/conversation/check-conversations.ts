import { extname } from "node:path";
import type { AgentPlan } from "../../cases/case-request.ts";
import type { ConversationRegistry } from "../../cases/conversation-registry.ts";
import type { LoadedConversationCase } from "../../contract/loaded-case.ts";
import type { Skill } from "../../contract/skill.ts";
import type { PromptSkills } from "../../engine/skills/prompt-skills.ts";
import { toolsOf } from "../../engine/skills/prompted-skills.ts";
import { readBody } from "../../engine/skills/read-body.ts";
import { nearPath } from "../../shared/files/near-path.ts";
import { didYouMean, nearest } from "../../shared/text/nearest.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { UserError } from "../../shared/user-error.ts";
import { checkFolders } from "./check-folders.ts";
import { openDocument } from "./open-document.ts";
import { promisedOutput } from "./promised-output.ts";

/** Refuses names in conversations that do not exist, with the nearest one. */
export async function checkConversations(
  cases: readonly LoadedConversationCase[],
  plan: Pick<AgentPlan, "schemas" | "cwd">,
  registry: ConversationRegistry,
): Promise<string[]> {
  const found = new Set<string>();
  const own = new Set(cases.map(({ dir }) => dir));
  const ready = new Map<PromptSkills, readonly Skill[]>();
  for (const loaded of cases) {
    const context = registry.skillsOf(loaded);
    if (!ready.has(context)) for (const word of checkFolders(await context.troubles(), own)) found.add(word);
    const skills = ready.get(context) ?? (await prepared(context, registry, plan));
    ready.set(context, skills);
    await checkDocument(loaded);
    const { skills_all_of = [], output } = loaded.case.expect;
    const forced = (loaded.forced ?? []).map((name) => forcedSkill(name, loaded, skills));
    const wanted = skills_all_of.map((name) => skillNamed(name, skills) ?? name);
    for (const name of wanted) if (typeof name === "string") found.add(missing(name, loaded, skills));
    if (output?.contract !== true) continue;
    // A schema that is nowhere would otherwise be noticed in the middle of the run.
    const named = [...forced, ...wanted.filter((skill): skill is Skill => typeof skill !== "string")];
    for (const skill of named) promisedOutput([skill], plan);
    if (named.length > 0 && named.every((skill) => skill.output === null)) found.add(promisesNothing(loaded));
  }
  return [...found];
}

/** Text was looked at with the case. A `.docx` that is none would otherwise end the run in its middle. */
async function checkDocument({ document, shown, jsonPath, case: { setup } }: LoadedConversationCase) {
  if (document === null || extname(document).toLowerCase() !== ".docx") return;
  try {
    await openDocument(document);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const named = shownText(setup.document ?? document, 200);
    throw new UserError(
      "case-invalid",
      `${shown}: ${jsonPath}.setup.document names ${named}: ${error.message}`,
      {
        path: shown,
        jsonPath: `${jsonPath}.setup.document`,
      },
    );
  }
}

/** Missing Python and an invalid deadline are reported now, not as the failure of a tool. */
async function prepared(
  context: PromptSkills,
  { hosts }: ConversationRegistry,
  { cwd }: Pick<AgentPlan, "cwd">,
): Promise<readonly Skill[]> {
  const skills = await context.current();
  for (const skill of skills) await checkPrompt(skill, cwd);
  const [first, ...rest] = (await Promise.all(skills.map(toolsOf))).flat();
  if (first !== undefined) await hosts.prepare([first, ...rest]);
  return skills;
}

/** The router may choose any of them, and a skill without its rules is another skill. */
async function checkPrompt({ dir, instructions }: Skill, cwd: string): Promise<void> {
  if (instructions === null) return;
  const read = await readBody({ dir, instructions });
  if (read.ok) return;
  const shown = nearPath(dir, cwd);
  throw new UserError("skill-invalid", `${shown}: ${read.error.message}`, {
    path: `${shown}/${instructions.path}`,
    hint: `\`eval-skills doctor ${shown}\` shows details`,
  });
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
    `${shown}: case ${id} forces ${shownText(name)}, but there is no enabled skill of that name with a prompt`,
    {
      path: shown,
      jsonPath: `${jsonPath}.setup.route.forced`,
      hint: ids.length === 0 ? "set the skill folders with setup.skill_roots" : didYouMean(name, ids),
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
  return `${shown}: case ${id} requires the skill ${shownText(name)}, but there is no enabled skill of that name with a prompt${hint}`;
}

function promisesNothing({ shown, case: { id } }: LoadedConversationCase): string {
  return `${shown}: case ${id} checks the output contract, but its skills declare none`;
}
