import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { NotLoaded } from "../../contract/not-loaded.ts";
import { isInside, nearPath } from "../../shared/files/paths.ts";
import { matchesAny } from "../../shared/text/glob.ts";
import { didYouMean } from "../../shared/text/nearest.ts";
import { UserError } from "../../shared/user-error.ts";
import { readFound } from "../../skills/describe-found.ts";
import type { FoundFolder } from "../../skills/discover/discover-skills.ts";
import { notLoaded } from "../../skills/not-loaded.ts";
import { brokenManifest } from "../../skills/targets/unit-targets.ts";
import { filesBelow, isBench } from "./files-below.ts";
import { searchedPlaces } from "./searched-places.ts";

/** A file of tasks, and what it is put to: the skill, or one of its tools. */
export interface UnitFile {
  path: string;
  tool: string | null;
}

/** A skill and its tests, by where they are. Paths are absolute. */
export interface SkillMaterial {
  id: string;
  dir: string;
  /** As the user would name it. */
  shown: string;
  unit: readonly UnitFile[];
  /** Whether its `eval.yaml` has trigger tests. */
  hasTriggers: boolean;
  /** Trigger queries in files of their own. */
  querySets: readonly string[];
  /** Whether it brings cases for agents or conversations along. */
  hasCases: boolean;
  benches: readonly string[];
}

/** Everything below some paths that can be tested, and the tests. */
export interface Material {
  skills: readonly SkillMaterial[];
  /** The folders of skills whose contract is checked, unreadable ones too. */
  folders: readonly FoundFolder[];
  /** Folders or files with cases that belong to the project. */
  suites: readonly string[];
  /** Benches that belong to no skill. */
  benches: readonly string[];
  notLoaded: readonly NotLoaded[];
  /** Tests that are there and not run, each with the reason. */
  warnings: readonly string[];
}

export interface MaterialRequest {
  /** What was named; none: the project. */
  paths: readonly string[];
  cwd: string;
  projectRoot: string;
  /** The roots that the project's own file names; null where it names none. */
  roots: readonly string[] | null;
  /** Patterns for ids of skills; none: all. */
  skills: readonly string[];
}

/** Finds skills and, for each, its own tests. Reads names and the heads of files; runs nothing. */
export async function discoverMaterial(request: MaterialRequest): Promise<Material> {
  const { cwd } = request;
  const places = await searchedPlaces(request);
  const known = new Map<string, FoundFolder & { only: readonly string[] | null }>();
  for (const { skills, only } of places)
    for (const one of skills) {
      // Named as a whole besides, all of a skill is wanted.
      const before = known.get(one.dir)?.only;
      const named = only === null || before === null ? null : [...(before ?? []), only];
      known.set(one.dir, { ...one, only: named });
    }
  const read = await Promise.all(
    [...known.values()].map(async (one) => ({ one, ...(await readFound(one)) })),
  );
  const broken: NotLoaded[] = [];
  const warnings: string[] = [];
  const skills: SkillMaterial[] = [];
  const folders: FoundFolder[] = [];
  const { isWanted, refuseUnmatched } = wantedSkills(request.skills);
  for (const { one, ...folder } of read) {
    const { only, ...found } = one;
    if (brokenManifest(folder) !== null || folder.skill === null) {
      // What cannot be read goes by the name of its folder.
      if (!isWanted(basename(one.dir))) continue;
      broken.push(notLoaded(folder));
      if (only === null) folders.push(found);
      continue;
    }
    const { id, tools } = folder.skill;
    if (!isWanted(id)) continue;
    const isTool = folder.skill.kind === "prompt-tool";
    const facts = { id, tools: isTool ? tools.map(({ name }) => name) : null, only };
    skills.push(skillMaterial(one, facts, cwd, warnings));
    // Who names a test file wants that.
    if (only === null) folders.push(found);
  }
  refuseUnmatched();
  // Whoever names skills wants nothing of the project besides.
  const ofProject = request.skills.length > 0 ? [] : places;
  return {
    skills,
    folders,
    suites: [...new Set(ofProject.flatMap(({ suites }) => suites))],
    benches: [...new Set(ofProject.flatMap(({ benches }) => benches))].filter(
      (file) => ![...known.keys()].some((dir) => isInside(dir, file)),
    ),
    notLoaded: broken,
    warnings,
  };
}

/** Whether a skill is among those that `--skill` names; all are where it names none. A pattern that matched none may be misspelt. */
function wantedSkills(patterns: readonly string[]) {
  const names: string[] = [];
  return {
    isWanted(name: string): boolean {
      names.push(name);
      return patterns.length === 0 || matchesAny(name, patterns);
    },
    refuseUnmatched(): void {
      const unmatched = patterns.find((pattern) => !names.some((name) => matchesAny(name, [pattern])));
      if (unmatched === undefined) return;
      throw new UserError("nothing-to-do", `--skill: no skill matches ${unmatched}`, {
        hint: didYouMean(unmatched, names),
      });
    },
  };
}

interface SkillFacts {
  id: string;
  /** Null where the skill itself is called. */
  tools: readonly string[] | null;
  /** The files and folders of the skill that were named. */
  only: readonly string[] | null;
}

const taskFile = /\.eval\.(?:json|ya?ml|jsonl)$/;

function skillMaterial(
  { dir, shown }: FoundFolder,
  { id, tools, only }: SkillFacts,
  cwd: string,
  warnings: string[],
): SkillMaterial {
  const isWanted = (path: string) => only === null || only.some((named) => isInside(named, path));
  const evalFile = join(dir, "eval.yaml");
  const evalText = isWanted(evalFile) ? readHead(evalFile) : "";
  const evals = filesBelow(join(dir, "evals"), 1).filter(isWanted);
  const unit: UnitFile[] = [];
  for (const path of filesBelow(join(dir, "tests")).filter(isWanted)) {
    if (!taskFile.test(path)) {
      if (looksLikeTasks(path)) warnings.push(misnamed(nearPath(path, cwd)));
      continue;
    }
    const tool = tools === null ? null : basename(path).replace(taskFile, "");
    if (tools === null || (tool !== null && tools.includes(tool))) unit.push({ path, tool });
    else warnings.push(`${nearPath(path, cwd)} is not run: ${id} has no tool ${tool}`);
  }
  return {
    id,
    dir,
    shown,
    unit,
    hasTriggers: hasKey(evalText, "triggering") || isOfUnknownKeys(evalText),
    querySets: evals.filter(isQuerySet),
    hasCases: hasKey(evalText, "cases") || evals.includes(join(dir, "evals", "evals.json")),
    benches: filesBelow(dir).filter((file) => isBench(file) && isWanted(file)),
  };
}

/** Whether a file that is not called so holds tasks. */
function looksLikeTasks(path: string): boolean {
  return /\.(?:jsonl?|ya?ml)$/i.test(path) && /["']?inputData["']?[ \t]*:/.test(readHead(path));
}

function misnamed(path: string): string {
  return `${path} is not run: files of tasks are called *.eval.json, *.eval.yaml or *.eval.jsonl`;
}

/** Whether a file of YAML has a key at its top; JSON is YAML too. */
function hasKey(text: string, key: string): boolean {
  return new RegExp(`^(?:["']?${key}["']?[ \\t]*:|\\s*\\{[^]*"${key}"[ \\t]*:)`, "m").test(text);
}

/** A list of `{query, should_trigger}`, whatever it is called, or `evals/triggers.json`. */
function isQuerySet(path: string): boolean {
  if (!path.endsWith(".json") || basename(path) === "evals.json") return false;
  return basename(path) === "triggers.json" || /^\s*\[\s*\{[^}]*"should_trigger"/.test(readHead(path));
}

/** Whether an `eval.yaml` has none of our keys: one may be misspelt, or the file no YAML, which its reader says. */
function isOfUnknownKeys(text: string): boolean {
  return text.trim() !== "" && !["cases", "tools", "defaults"].some((key) => hasKey(text, key));
}

const headChars = 256 * 1024;

function readHead(path: string): string {
  try {
    return readFileSync(path, "utf8").slice(0, headChars);
  } catch {
    return ""; // not there, or not readable, which its reader reports
  }
}
