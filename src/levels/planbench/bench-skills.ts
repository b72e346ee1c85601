import type { RunInput } from "../../contract/level.ts";
import type { LoadedBench, LoadedBenchCase } from "../../contract/planbench-file.ts";
import type { PlanEvidence } from "../../contract/planbench-report.ts";
import type { HostedTool } from "../../contract/tool-host.ts";
import { skillInput } from "../../engine/run-inputs.ts";
import type { PromptSkills } from "../../engine/skills/prompt-skills.ts";
import { hostedTool } from "../../engine/skills/prompted-skills.ts";
import { neverAborted } from "../../shared/async/abort.ts";
import { didYouMean } from "../../shared/text/nearest.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { UserError } from "../../shared/user-error.ts";
import { watchFolder } from "../../skills/folder/folder-watch.ts";
import { toolDeadlines } from "../../skills/targets/tool-deadline.ts";

/** The skills behind the plans of a case, as they are for the whole run. */
export interface ChosenSkills extends Pick<PlanEvidence, "selected" | "skills"> {
  /** Cut to their budget, the best skill first. */
  prompts: readonly string[];
  /** Ids of skills whose prompt did not fit. */
  truncated: readonly string[];
  /** The tool that makes the plan, and whether its skill is still the same; null where none does. */
  tool: { hosted: HostedTool; input: RunInput; isUnchanged: () => boolean | Promise<boolean> } | null;
}

/** For cases whose plans do not use skills. */
export const noSkills: ChosenSkills = { selected: null, skills: {}, prompts: [], truncated: [], tool: null };

/** The skills that a case is given: those it forces, or those the router selects. */
export async function promptsFor(
  { index, route, host, input: query }: LoadedBenchCase,
  skills: PromptSkills,
  bench: LoadedBench,
): Promise<ChosenSkills> {
  const forced = route === "auto" ? null : [route.forced].flat();
  const chosen = await skills.select({ query, host: host ?? null, forced }, neverAborted);
  const [missing] = chosen.missing;
  if (missing !== undefined) {
    const jsonPath = bench.cases[index]?.route === bench.file.route ? "$.route" : `$.cases[${index}].route`;
    const known = (await skills.current()).map(({ id }) => id);
    throw new UserError(
      "benchmark-invalid",
      `${bench.shown}: ${jsonPath} references an unknown skill: ${shownText(missing)}`,
      {
        path: bench.shown,
        jsonPath,
        hint:
          known.length === 0
            ? "no skills found: set their folders in skill_roots"
            : didYouMean(missing, known),
      },
    );
  }
  return {
    selected: chosen.skills.map(({ id }) => id),
    skills: Object.fromEntries(chosen.skills.map(({ id, digest }) => [id, digest])),
    prompts: chosen.skills.map(({ prompt }) => prompt),
    truncated: chosen.skills.filter(({ truncated }) => truncated).map(({ id }) => id),
    tool: null,
  };
}

/** The tool that makes the plans of a local case. */
export async function toolFor(
  { index, tool: named = "" }: LoadedBenchCase,
  skills: PromptSkills,
  { bench: { shown }, exclude }: { bench: LoadedBench; exclude: readonly string[] },
): Promise<ChosenSkills> {
  const [skillId = "", toolName = ""] = named.split("#");
  const known = await skills.current();
  const skill = known.find(({ id }) => id === skillId);
  const tool = skill?.tools.find(({ name }) => name === toolName);
  if (skill === undefined || tool === undefined) {
    const jsonPath = `$.cases[${index}].tool`;
    const all = known.flatMap(({ id, tools }) => tools.map(({ name }) => `${id}#${name}`));
    throw new UserError(
      "benchmark-invalid",
      `${shown}: ${jsonPath} references an unknown tool: ${shownText(named)}`,
      {
        path: shown,
        jsonPath,
        hint:
          all.length === 0
            ? "no skills with tools found: set their folders in skill_roots"
            : didYouMean(named, all),
      },
    );
  }
  const deadline = (await toolDeadlines(skill.dir))(tool.name);
  const watch = watchFolder(
    skill.dir,
    { ignore: skill.adapter?.metadata.digestIgnore ?? [], exclude },
    skill,
  );
  return {
    ...noSkills,
    skills: { [skill.id]: skill.digest },
    tool: {
      hosted: hostedTool(skill, tool, deadline),
      input: skillInput(skill.id, watch),
      isUnchanged: () => watch.isUnchanged(),
    },
  };
}
