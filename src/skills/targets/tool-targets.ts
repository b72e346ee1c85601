import type { NotLoaded } from "../../contract/not-loaded.ts";
import type { DescribedSkill, SkillTool } from "../../contract/skill.ts";
import { realPath } from "../../shared/files/paths.ts";
import { listed } from "../../shared/text/phrases.ts";
import { UserError } from "../../shared/user-error.ts";
import { type ReadFolder, readFound } from "../describe-found.ts";
import { discoverSkills, type FoundFolder } from "../discover/discover-skills.ts";
import { refuseDuplicateIds } from "../discover/resolve-duplicates.ts";
import { findingLine } from "../finding-words.ts";
import { notLoaded as asNotLoaded, isNamed } from "../not-loaded.ts";
import { notOneSkill, toolTarget, undeclared } from "./named-target.ts";
import { brokenManifest, hasManifest, refuseBroken } from "./unit-targets.ts";

/** A skill, and those of its tools that are meant. */
export interface ToolTargets {
  skill: DescribedSkill;
  /** The folder as the user would name it. */
  shown: string;
  /** In the order they are declared in. */
  tools: SkillTool[];
}

/**
 * The tools that paths mean, by skill: of a skill, of every skill in a folder, or the one of `<skill>#<tool>`. In a folder that
 * is searched, skills without tools are passed over, and broken manifests are listed. Of paths that are named, those without tools
 * are a warning where others have some.
 */
export async function toolTargets(
  paths: readonly string[],
  cwd: string,
): Promise<{ targets: ToolTargets[]; warnings: string[]; notLoaded: NotLoaded[] }> {
  const notLoaded: NotLoaded[] = [];
  const withoutTools: string[] = [];
  const bySkill = new Map<string, { read: ReadFolder; skill: DescribedSkill; meant: Set<string> }>();
  for (const path of paths) {
    const named = toolTarget(path, cwd);
    let hasTools = false;
    const broken = notLoaded.length;
    for (const found of await discoverSkills({ paths: [named?.skill ?? path], cwd })) {
      if (named !== null && !isNamed(found)) throw notOneSkill(path, named.tool, found);
      if (!isNamed(found) && !hasManifest(found)) continue;
      const read = await readFound(found);
      const refusal = brokenManifest(read);
      if (refusal !== null && isNamed(found)) throw refusal;
      if (refusal !== null) {
        notLoaded.push(asNotLoaded(read));
        continue;
      }
      if (named !== null && !read.skill?.tools.some(({ name }) => name === named.tool))
        throw undeclared(path, named.tool, read);
      if (read.skill === null || read.skill.tools.length === 0) continue;
      hasTools = true;
      const key = realPath(read.skill.manifest ?? found.dir);
      // Named as it was reached: links on the way to it are not followed.
      const skill = { ...read.skill, dir: found.dir };
      const known = bySkill.get(key) ?? { read, skill, meant: new Set<string>() };
      for (const { name } of read.skill.tools)
        if (named === null || name === named.tool) known.meant.add(name);
      bySkill.set(key, known);
    }
    if (!hasTools && notLoaded.length === broken) withoutTools.push(path);
  }
  if (bySkill.size === 0 && notLoaded.length === 0) throw nothingToCheck(withoutTools);
  const all = [...bySkill.values()];
  refuseDuplicateIds(
    all.map(({ skill, read }) => ({ id: skill.id, path: read.found.shown })),
    { jsonPath: "$.meta.id" },
  );
  return {
    targets: all.map(({ read, skill, meant }) => ({
      skill,
      shown: read.found.shown,
      tools: skill.tools.filter(({ name }) => meant.has(name)),
    })),
    notLoaded,
    warnings: [
      ...all.flatMap(({ read }) => read.warnings.map((one) => findingLine(one, read.found.shown))),
      ...(withoutTools.length === 0 ? [] : [noToolsIn(withoutTools)]),
    ],
  };
}

/** The one skill that a path means, with all its tools; it may have none. */
export async function skillWithTools(
  path: string,
  cwd: string,
): Promise<{ target: ToolTargets; warnings: string[] }> {
  const [found, ...more] = (await discoverSkills({ paths: [path], cwd })) as [FoundFolder, ...FoundFolder[]];
  if (more.length > 0)
    throw new UserError("usage", `expected one skill in ${path}, found ${more.length + 1}`, {
      hint: `pass one of them: ${listed(
        [found, ...more].map(({ shown }) => shown),
        5,
      )}`,
    });
  const read = await readFound(found);
  refuseBroken(read);
  const { skill } = read;
  if (skill === null || skill.kind !== "prompt-tool")
    throw new UserError("skill-invalid", `${path} is not a prompt with tools, so it has no tool to call`, {
      path,
      hint: "call a skill that has an adapter with `eval-skills task`",
    });
  const warnings = read.warnings.map((one) => findingLine(one, found.shown));
  return {
    target: { skill: { ...skill, dir: found.dir }, shown: found.shown, tools: skill.tools },
    warnings,
  };
}

function nothingToCheck(paths: readonly string[]): UserError {
  return new UserError("nothing-to-do", noToolsIn(paths), {
    path: paths[0],
    hint: "declare tools in `tools` of skill.json",
  });
}

function noToolsIn(paths: readonly string[]): string {
  return `no tools to check in ${listed(paths, 5)}`;
}
