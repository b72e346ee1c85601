import { extname, resolve, sep } from "node:path";
import { openToolHosts } from "../../adapters/tool-hosts.ts";
import type { AgentContext, AgentPlan } from "../../cases/case-request.ts";
import { type ConversationRegistry, conversationRegistry } from "../../cases/conversation-registry.ts";
import type { Cache } from "../../contract/cache.ts";
import type { LoadedConversationCase } from "../../contract/loaded-case.ts";
import type { NotLoaded } from "../../contract/not-loaded.ts";
import type { Sandbox } from "../../contract/sandbox.ts";
import type { Skill } from "../../contract/skill.ts";
import { closing } from "../../engine/session.ts";
import type { PromptSkills } from "../../engine/skills/prompt-skills.ts";
import { readBody, readHostedTools } from "../../engine/skills/prompted-skills.ts";
import { openOrClose } from "../../shared/async/open-or-close.ts";
import { nearPath } from "../../shared/files/paths.ts";
import { didYouMean, nearest } from "../../shared/text/nearest.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { UserError } from "../../shared/user-error.ts";
import { skillRefusal } from "../../skills/finding-words.ts";
import { notLoaded } from "../../skills/not-loaded.ts";
import type { CatalogSnapshot } from "../../skills/skill-catalog.ts";
import { memoryCache } from "../../store/memory-cache.ts";
import { openCache } from "../../store/open-cache.ts";
import { demandedSchema, promisedOutput } from "./grade/output.ts";
import { openDocument } from "./open-document.ts";

/**
 * Gets ready for the conversations of a run, and checks what they name. A skill that cannot be loaded is an error where it was
 * named itself; else it is listed, and its own cases are left out.
 */
export async function openConversations(
  cases: readonly LoadedConversationCase[],
  plan: AgentPlan,
  context: Pick<AgentContext, "env" | "models" | "exclude" | "storePath" | "isDryRun"> & {
    sandbox: Sandbox;
  },
): Promise<ConversationRegistry> {
  const { env, exclude, sandbox, models } = context;
  const warnings: string[] = [];
  const broken = new Map<string, NotLoaded>();
  const cache = await openVectors(plan, context, warnings);
  const { toolHost: mode, envKeys, maxOutputBytes } = plan;
  const hosts = openToolHosts({ mode, sandbox, env, envKeys, maxOutputBytes });
  const registry = conversationRegistry(
    { ...plan, timeoutMs: plan.agent.timeout_ms },
    { env, apiKey: models.apiKey, exclude, cache, hosts, notLoaded: broken, warnings },
  );
  return openOrClose(closing(registry), async () => {
    warnings.push(...(await checkConversations(cases, plan, registry, broken)));
    return registry;
  });
}

/** Vectors of skills are cached between runs; lexical routing needs no store. */
async function openVectors(
  { router }: Pick<AgentPlan, "router">,
  { storePath, isDryRun }: Pick<AgentContext, "storePath" | "isDryRun">,
  warnings: string[],
): Promise<Cache> {
  if (router.embedding === null || isDryRun === true) return memoryCache();
  return openCache(storePath, { warn: (message) => warnings.push(message) });
}

/** Refuses names in conversations that do not exist, with the nearest one. */
async function checkConversations(
  cases: readonly LoadedConversationCase[],
  plan: Pick<AgentPlan, "schemas" | "cwd" | "suites">,
  registry: ConversationRegistry,
  broken: Map<string, NotLoaded>,
): Promise<string[]> {
  const found = new Set<string>();
  const named = plan.suites.map((path) => resolve(plan.cwd, path));
  const own = {
    dirs: new Set(cases.map(({ dir }) => dir)),
    isNamed: (dir: string) => named.some((path) => path === dir || path.startsWith(`${dir}${sep}`)),
    broken,
  };
  const ready = new Map<PromptSkills, readonly Skill[]>();
  const resolved = new Set<Skill>();
  for (const loaded of cases) {
    const context = registry.findSkills(loaded);
    if (!ready.has(context)) for (const word of checkFolders(await context.troubles(), own)) found.add(word);
    const skills = ready.get(context) ?? (await prepared(context, registry, plan));
    ready.set(context, skills);
    if (broken.has(loaded.dir)) continue;
    await checkDocument(loaded);
    const { skills_all_of = [], output } = loaded.case.expect;
    const forced = (loaded.forced ?? []).map((name) => forcedSkill(name, loaded, skills));
    const wanted = skills_all_of.map((name) => skillNamed(name, skills) ?? name);
    for (const name of wanted) if (typeof name === "string") found.add(missing(name, loaded, skills));
    // A missing schema would otherwise be noticed in the middle of the run.
    if (output?.schema !== undefined) demandedSchema(output.schema, plan);
    if (output?.contract !== true) continue;
    const named = [...forced, ...wanted.filter((skill): skill is Skill => typeof skill !== "string")];
    // Where none is forced, the router may choose any of them.
    for (const skill of forced.length > 0 ? forced : skills) {
      if (!resolved.has(skill)) promisedOutput([skill], plan);
      resolved.add(skill);
    }
    if (named.length > 0 && named.every((skill) => skill.output === null)) found.add(promisesNothing(loaded));
  }
  return [...found];
}

/** Text documents were checked with the case. An invalid `.docx` would otherwise stop the run midway. */
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
  const [first, ...rest] = (await Promise.all(skills.map(readHostedTools))).flat();
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

/** The skills whose own cases are run. */
interface OwnSkills {
  dirs: ReadonlySet<string>;
  isNamed(dir: string): boolean;
  /** Those that cannot be loaded are added. */
  broken: Map<string, NotLoaded>;
}

/** Refuses duplicate ids and an invalid skill that was named; lists those whose own cases are run, and warns of others. */
function checkFolders(
  { conflicts, broken }: Pick<CatalogSnapshot, "conflicts" | "broken">,
  own: OwnSkills,
): string[] {
  const duplicate = conflicts.find(({ rule }) => rule === "path");
  if (duplicate !== undefined)
    throw new UserError(
      "skill-duplicate",
      `duplicate skill id ${shownText(duplicate.name)}: ${[duplicate.winner, ...duplicate.losers].map((folder) => shownText(folder, 200)).join(" and ")}`,
      { path: duplicate.winner, hint: "rename one of them, or choose other folders with setup.skill_roots" },
    );
  const others: string[] = [];
  for (const { found, diagnostics } of broken) {
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    const [first, ...more] = errors;
    if (!own.dirs.has(found.dir)) others.push(found.shown);
    else if (first !== undefined && own.isNamed(found.dir)) throw skillRefusal([first, ...more], found);
    else own.broken.set(found.dir, notLoaded({ found, errors }));
  }
  const [first] = others.sort();
  if (first === undefined) return [];
  const rest = others.length === 1 ? "" : " and others";
  return [`${pluralize(others.length, "skill")} cannot be read: \`eval-skills doctor ${first}\`${rest}`];
}
