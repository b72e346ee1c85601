import { dirname, extname } from "node:path";
import type { AgentCaseFile, Expect } from "../../contract/agent-case.ts";
import type { LoadedAgentCase } from "../../contract/loaded-case.ts";
import { parseJsonText, readTextFile } from "../../shared/files/read-text-file.ts";
import type { JsonSchema } from "../../shared/json/json.ts";
import { UserError } from "../../shared/user-error.ts";
import { type CaseFiles, statPath } from "./case-files.ts";
import type { CaseReporter, RawCase } from "./raw-case.ts";

const requestCapBytes = 1024 * 1024;

/** The request of a case: its words, or those of the file it names. */
export function readRequest(
  { input }: { input: string | { file: string } },
  dir: string,
  files: CaseFiles,
  report: CaseReporter,
): string {
  const text = typeof input === "string" ? input : readInputFile(input.file, dir, files, report);
  if (text.trim() === "") throw report.fault(["input"], "must not be empty");
  return text;
}

function readInputFile(words: string, dir: string, files: CaseFiles, report: CaseReporter): string {
  const found = files.file(words, dir);
  if (!found.ok) throw report.fault(["input", "file"], found.problem);
  report.reads(found.path, ["input", "file"]);
  try {
    return readTextFile(found.path, {
      code: "case-invalid",
      capBytes: requestCapBytes,
      shownPath: `names ${words}, which`,
    });
  } catch (error) {
    throw error instanceof UserError ? report.fault(["input", "file"], error.message) : error;
  }
}

type Expected = Pick<LoadedAgentCase, "expectedFiles" | "outputSchema">;

/** Finds the files that `expect` names, and reads the schema of the output. */
export function findExpected(
  { expect }: { expect: Pick<Expect, "output"> & Partial<Pick<Expect, "files">> },
  dir: string,
  files: CaseFiles,
  report: CaseReporter,
): Expected {
  const paths = new Map<string, string>();
  const find = (words: string | undefined, steps: readonly PropertyKey[]) => {
    if (words === undefined) return;
    const found = files.file(words, dir);
    if (!found.ok) throw report.fault(steps, found.problem);
    report.reads(found.path, steps);
    paths.set(words, found.path);
  };
  find(expect.output?.equals_file, ["expect", "output", "equals_file"]);
  for (const [index, { equals }] of (expect.files ?? []).entries())
    find(equals, ["expect", "files", index, "equals"]);
  return {
    expectedFiles: Object.fromEntries(paths),
    outputSchema: readSchema(expect.output?.json_schema, dir, files, report),
  };
}

/** Finds the files of a case that its checks run. */
export function findCheckFiles(
  { expect }: { expect: Pick<Expect, "checks"> },
  dir: string,
  files: CaseFiles,
  report: CaseReporter,
): Readonly<Record<string, string>> {
  const paths: Record<string, string> = {};
  const find = (words: string, steps: readonly PropertyKey[]) => {
    const found = files.file(words, dir);
    if (!found.ok) throw report.fault(steps, found.problem);
    report.reads(found.path, steps);
    paths[words] = found.path;
  };
  for (const [index, { run, module }] of expect.checks.entries()) {
    const steps = ["expect", "checks", index];
    if ((run === undefined) === (module === undefined))
      throw report.fault(steps, "must have either run, a program with its arguments, or module");
    if (module !== undefined) find(module, [...steps, "module"]);
    for (const [n, word] of (run ?? []).entries())
      if (word.startsWith("${case}/")) find(word, [...steps, "run", n]);
  }
  return paths;
}

const schemaCapBytes = 1024 * 1024;

function readSchema(
  requested: string | JsonSchema | undefined,
  dir: string,
  files: CaseFiles,
  report: CaseReporter,
): JsonSchema | undefined {
  if (requested === undefined) return undefined;
  const steps = ["expect", "output", "json_schema"];
  const schema = typeof requested === "string" ? readSchemaFile(requested, dir, files, report) : requested;
  const problem = files.problemWithSchema(schema);
  if (problem !== null) throw report.fault(steps, `is not a valid JSON Schema: ${problem}`);
  return schema;
}

function readSchemaFile(words: string, dir: string, files: CaseFiles, report: CaseReporter): JsonSchema {
  const steps = ["expect", "output", "json_schema"];
  const found = files.file(words, dir);
  if (!found.ok) throw report.fault(steps, found.problem);
  report.reads(found.path, steps);
  const shown = `names ${words}, which`;
  try {
    const rules = { code: "case-invalid", capBytes: schemaCapBytes, shownPath: shown } as const;
    if (extname(found.path) !== ".json") throw new UserError("case-invalid", `${shown} is not a .json file`);
    return parseJsonText(readTextFile(found.path, rules), "case-invalid", shown) as JsonSchema;
  } catch (error) {
    throw error instanceof UserError ? report.fault(steps, error.message) : error;
  }
}

/** Where the skills of a case are: as it says, else beside the skill whose test it is; null: where the project has them. */
export function findSkillRoots(
  { setup }: { setup: Pick<AgentCaseFile["setup"], "skill_roots"> },
  { dir, skillDir }: RawCase,
  files: CaseFiles,
  report: CaseReporter,
): LoadedAgentCase["skillRoots"] {
  if (setup.skill_roots === undefined)
    return skillDir === null ? null : [{ source: "project", path: dirname(skillDir), priority: 0 }];
  return setup.skill_roots.map((entry, index) => {
    const {
      source,
      path: words,
      priority = 0,
    } = typeof entry === "string" ? { source: "project" as const, path: entry } : entry;
    const steps = ["setup", "skill_roots", index, ...(typeof entry === "string" ? [] : ["path"])];
    const found = files.resolvePath(words, dir);
    if (!found.ok) throw report.fault(steps, found.problem);
    if (statPath(found.path)?.isDirectory() !== true)
      throw report.fault(steps, `is not a folder: ${found.path}`);
    report.reads(found.path, steps);
    return { source, path: found.path, priority };
  });
}
