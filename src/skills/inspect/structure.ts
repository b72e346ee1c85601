import { Benchmark } from "../../contract/benchmark.ts";
import type { Skill } from "../../contract/skill.ts";
import { Task } from "../../contract/task.ts";
import { isInside, realPath, whereLinkLeads } from "../inside-folder.ts";
import { entrypointProblem } from "./entrypoint.ts";
import { finding, findingOf, listed } from "./finding.ts";
import { entriesOf, fileInside, readJson } from "./read-inside.ts";

/** Whether what is started is there, with documentation and tests, and nothing leads out of the folder. */
export async function inspectStructure(skill: Skill): Promise<string[]> {
  return [
    finding("entrypoint", entrypointProblem(skill)),
    finding("documentation", documentationProblem(skill.dir)),
    await findingOf("tests", () => testsProblem(skill)),
    await findingOf("links", () => linksProblem(skill)),
  ];
}

function documentationProblem(dir: string): string | null {
  const isThere = ["README.md", "SKILL.md"].some((path) => fileInside(dir, path) !== null);
  return isThere ? null : "neither README.md nor SKILL.md";
}

/** One valid file is enough; what is wrong with a broken one is told only where there is no other. */
function testsProblem(skill: Skill): string | null {
  const files = entriesOf(skill).filter(
    ({ kind, path }) => kind === "file" && /^tests\/[^/]+\.eval\.json$/.test(path),
  );
  if (files.length === 0) return "no tests/*.eval.json";
  const problems: string[] = [];
  for (const { path, absolute } of files.sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const problem = benchmarkProblem(absolute);
    if (problem === null) return null;
    problems.push(`${path} ${problem}`);
  }
  return listed(problems);
}

function benchmarkProblem(absolute: string): string | null {
  const read = readJson(absolute);
  if (!read.ok) return `is not JSON (${read.problem})`;
  const parsed = Array.isArray(read.value)
    ? Task.array().min(1).safeParse(read.value)
    : Benchmark.safeParse(read.value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `is no benchmark (${["$", ...(issue?.path ?? [])].join(".")} ${issue?.message})`;
  }
  const tasks = Array.isArray(parsed.data) ? parsed.data : parsed.data.tasks;
  const ids = new Set(tasks.map((task) => task.id));
  return ids.size === tasks.length ? null : "names a task twice";
}

function linksProblem(skill: Skill): string | null {
  const root = realPath(skill.dir);
  const leaving = entriesOf(skill)
    .filter(({ kind, absolute }) => kind === "link" && !isInside(root, whereLinkLeads(absolute)))
    .map(({ path }) => path);
  return leaving.length === 0 ? null : `out of the folder leads ${listed(leaving)}`;
}
