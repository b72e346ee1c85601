import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { projectFileNames } from "../../config/config-files.ts";
import type { RunHistory } from "../../contract/store.ts";
import { planCommand } from "../../engine/stored-plan.ts";
import { isFolder, isSkillFile } from "../../skills/discover/scan-folders.ts";
import { hiddenRootsIn } from "../../skills/discover/skill-roots.ts";
import type { Material } from "./discover-material.ts";
import { hasTests } from "./untested.ts";

/** Whether a folder looks as if it had skills, by the names in it: nothing below is searched. */
export function looksLikeProject(folder: string): boolean {
  const own = [...projectFileNames, "skills", join(".agent", "evals")];
  if (own.some((name) => existsSync(join(folder, name))) || hiddenRootsIn(folder).length > 0) return true;
  return isFolder(folder) && readdirSync(folder).some(isSkillFile);
}

/** What there is to test in a project. */
export interface Overview {
  skills: number;
  /** How many skills have tests of each kind, and suites of the project. */
  tests: { kind: string; skills: number; files: number }[];
  untested: string[];
  notLoaded: string[];
  lastRun: LastRun | null;
}

interface LastRun {
  runId: string;
  finishedAt: string;
  command: string;
  passed: number;
  total: number;
}

export async function projectOverview(material: Material, history: RunHistory | null): Promise<Overview> {
  const { skills, suites, benches, notLoaded } = material;
  const kind = (name: string, counts: readonly number[], more = 0) => ({
    kind: name,
    skills: counts.filter((count) => count > 0).length,
    files: counts.reduce((sum, count) => sum + count, more),
  });
  const tests = [
    kind(
      "unit",
      skills.map(({ unit }) => unit.length),
    ),
    kind(
      "trigger",
      skills.map(({ hasTriggers, querySets }) => Number(hasTriggers) + querySets.length),
    ),
    kind(
      "agent, conversation",
      skills.map(({ hasCases }) => Number(hasCases)),
      suites.length,
    ),
    kind(
      "planbench",
      skills.map((skill) => skill.benches.length),
      benches.length,
    ),
  ];
  return {
    skills: skills.length,
    tests: tests.filter(({ files }) => files > 0),
    untested: skills.filter((skill) => !hasTests(skill)).map(({ id }) => id),
    notLoaded: notLoaded.map(({ path }) => path),
    lastRun: history === null ? null : await lastRun(history),
  };
}

/** The newest run that came to its end. */
async function lastRun(history: RunHistory): Promise<LastRun | null> {
  let last: LastRun | null = null;
  for await (const page of history.finishedReports())
    for (const { runId, finishedAt, subject } of page) {
      if (last !== null && last.runId !== runId) return last;
      last ??= { runId, finishedAt, command: await commandOf(runId, history), passed: 0, total: 0 };
      last.passed += subject.counts.pass;
      last.total += subject.counts.total;
    }
  return last;
}

async function commandOf(runId: string, history: RunHistory): Promise<string> {
  const run = await history.findRun(runId);
  return (run && planCommand(run)) ?? "eval";
}
