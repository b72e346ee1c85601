import type { LoadedBench, LoadedBenchCase } from "../../contract/planbench-file.ts";
import { openPromptSkills, type PromptSkills } from "../../engine/skills/prompt-skills.ts";
import { defaultSkillRoots } from "../../engine/skills/skill-root-folders.ts";
import { nearPath } from "../../shared/files/paths.ts";
import { listed, pluralize } from "../../shared/text/phrases.ts";
import { memoryCache } from "../../store/memory-cache.ts";
import { openCache } from "../../store/open-cache.ts";
import { type ChosenSkills, promptsFor, toolFor } from "./bench-skills.ts";
import type { OpenTarget } from "./open-target.ts";
import type { BenchContext } from "./prepare.ts";
import type { BenchPlan } from "./request.ts";

interface Choosing {
  bench: LoadedBench;
  plan: BenchPlan;
  context: BenchContext;
  target: OpenTarget;
  warnings: string[];
}

/** The skills of each case, chosen once for the whole run: a sample that is tried again is given the same. */
export async function chooseSkills(
  cases: readonly LoadedBenchCase[],
  { bench, plan, context, target, warnings }: Choosing,
): Promise<Map<string, ChosenSkills>> {
  const chosen = new Map<string, ChosenSkills>();
  const prompted = target.takesPrompts ? cases.filter(({ source }) => source === "model") : [];
  const local = cases.filter(({ source }) => source === "local");
  if (prompted.length + local.length === 0) return chosen;
  const { router, prompt: budget, settings: models, cwd } = plan;
  const { env, exclude, isDryRun = false } = context;
  const { apiKey } = context.models;
  const warn = (message: string) => void warnings.push(message);
  await using cache =
    router.embedding === null || isDryRun ? memoryCache() : await openCache(context.storePath, { warn });
  const roots =
    bench.skillRoots?.map((path) => ({ path, source: "project" as const })) ??
    defaultSkillRoots(plan.roots, plan.projectRoot);
  await using skills = openPromptSkills({
    roots,
    profile: "lenient",
    cwd,
    exclude,
    router,
    budget,
    models,
    env,
    apiKey,
    cache,
  });
  for (const one of prompted) chosen.set(one.id, await promptsFor(one, skills, bench));
  for (const one of local) chosen.set(one.id, await toolFor(one, skills, { bench, exclude }));
  warnings.push(...(await skillWarnings([...chosen.values()], prompted.length, skills, roots, cwd)));
  return chosen;
}

async function skillWarnings(
  chosen: readonly ChosenSkills[],
  prompted: number,
  skills: PromptSkills,
  roots: readonly { path: string }[],
  cwd: string,
): Promise<string[]> {
  const cut = [...new Set(chosen.flatMap(({ truncated }) => truncated))].sort();
  const truncated = cut.map(
    (id) => `the prompt of ${id} was truncated to fit prompt.perSkillChars and prompt.totalChars`,
  );
  if (prompted === 0 || (await skills.current()).length > 0) return truncated;
  const folders = listed(
    roots.map(({ path }) => nearPath(path, cwd)),
    5,
  );
  return [
    ...truncated,
    `no skills found for ${pluralize(prompted, "case")} in ${folders || "no folder"}; set skill_roots in the bench file or skills.roots in the configuration`,
  ];
}
