import { countOf } from "../../base/count-of.ts";
import { listed } from "../../base/listed.ts";
import { nearPath } from "../../base/near-path.ts";
import type { LoadedBench, LoadedBenchCase } from "../../contract/planbench-file.ts";
import { memoryShelf } from "../../store/memory-shelf.ts";
import { openShelf } from "../../store/open-shelf.ts";
import { openPromptSkills, type PromptSkills } from "../conversations/prompt-skills.ts";
import { usualRoots } from "../skill-root-folders.ts";
import type { BenchPlan } from "./bench-request.ts";
import { type ChosenSkills, promptsFor, toolFor } from "./bench-skills.ts";
import type { OpenTarget } from "./open-target.ts";
import type { BenchSurroundings } from "./prepare-bench.ts";

interface Choosing {
  bench: LoadedBench;
  plan: BenchPlan;
  around: BenchSurroundings;
  target: OpenTarget;
  warnings: string[];
}

/** The skills of each case, chosen once for the whole run: a sample that is tried again is given the same. */
export async function chooseSkills(
  cases: readonly LoadedBenchCase[],
  { bench, plan, around, target, warnings }: Choosing,
): Promise<Map<string, ChosenSkills>> {
  const chosen = new Map<string, ChosenSkills>();
  const prompted = target.takesPrompts ? cases.filter(({ source }) => source === "model") : [];
  const local = cases.filter(({ source }) => source === "local");
  if (prompted.length + local.length === 0) return chosen;
  const { router, prompt: budget, settings: models, cwd } = plan;
  const { env, exclude, isDryRun = false } = around;
  const { apiKey } = around.models;
  const warn = (message: string) => void warnings.push(message);
  await using shelf =
    router.embedding === null || isDryRun ? memoryShelf() : await openShelf(around.storePath, { warn });
  const roots =
    bench.skillRoots?.map((path) => ({ path, source: "project" as const })) ??
    usualRoots(plan.roots, plan.projectRoot);
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
    shelf,
  });
  for (const one of prompted) chosen.set(one.id, await promptsFor(one, skills, bench));
  for (const one of local) chosen.set(one.id, await toolFor(one, skills, { bench, exclude }));
  warnings.push(...(await tellOfSkills([...chosen.values()], prompted.length, skills, roots, cwd)));
  return chosen;
}

async function tellOfSkills(
  chosen: readonly ChosenSkills[],
  prompted: number,
  skills: PromptSkills,
  roots: readonly { path: string }[],
  cwd: string,
): Promise<string[]> {
  const cut = [...new Set(chosen.flatMap(({ truncated }) => truncated))].sort();
  const told = cut.map(
    (id) => `the prompt of ${id} was cut to what there is room for (prompt.perSkillChars, prompt.totalChars)`,
  );
  if (prompted === 0 || (await skills.current()).length > 0) return told;
  const places = listed(
    roots.map(({ path }) => nearPath(path, cwd)),
    5,
  );
  return [
    ...told,
    `no skill was found for ${countOf(prompted, "case")}: looked for in ${places || "no folder"}; name others with skill_roots, or skills.roots in the configuration`,
  ];
}
