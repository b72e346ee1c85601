import type { UnitSkill } from "../../contract/unit-skill.ts";
import { isInside, realPath, whereLinkLeads } from "../../shared/files/paths.ts";
import { entrypointProblem } from "./entrypoint.ts";
import { checkedFinding, finding, firstFew } from "./finding.ts";
import { fileInside, listEntries } from "./read-inside.ts";

/** What is wrong with a benchmark file, or null; `shownPath` is what to call it. */
export type BenchmarkProblem = (path: string, shownPath: string) => Promise<string | null>;

/** Whether what is started is there, with documentation and tests, and nothing leads out of the folder. */
export async function inspectStructure(
  skill: UnitSkill,
  benchmarkProblem: BenchmarkProblem,
): Promise<string[]> {
  return [
    finding("entrypoint", entrypointProblem(skill)),
    finding("documentation", documentationProblem(skill.dir)),
    await checkedFinding("tests", () => testsProblem(skill, benchmarkProblem)),
    await checkedFinding("links", () => linksProblem(skill)),
  ];
}

function documentationProblem(dir: string): string | null {
  const isThere = ["README.md", "SKILL.md"].some((path) => fileInside(dir, path) !== null);
  return isThere ? null : "neither README.md nor SKILL.md";
}

/** One valid file is enough; what is wrong with a broken one is reported only where there is no other. */
async function testsProblem(skill: UnitSkill, benchmarkProblem: BenchmarkProblem): Promise<string | null> {
  const files = listEntries(skill).filter(
    ({ kind, path }) => kind === "file" && /^tests\/[^/]+\.eval\.(?:json|ya?ml|jsonl)$/.test(path),
  );
  if (files.length === 0) return "no tests/*.eval.json";
  const problems: string[] = [];
  for (const { path, absolute } of files.sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const problem = await benchmarkProblem(absolute, path);
    if (problem === null) return null;
    problems.push(problem);
  }
  return firstFew(problems);
}

function linksProblem(skill: UnitSkill): string | null {
  const root = realPath(skill.dir);
  const leaving = listEntries(skill)
    .filter(({ kind, absolute }) => kind === "link" && !isInside(root, whereLinkLeads(absolute)))
    .map(({ path }) => path);
  return leaving.length === 0 ? null : `points outside the folder: ${firstFew(leaving)}`;
}
