import { dirname, join } from "node:path";
import { jsonPath } from "../../base/json-path.ts";
import type { AgentCaseFile, CaseLevel } from "../../contract/agent-case.ts";
import type { InputFile, LoadedAgentCase } from "../../contract/loaded-case.ts";
import { UserError } from "../../contract/user-error.ts";
import { readTextFile } from "../read-text-file.ts";
import { caseDigest } from "./case-digest.ts";
import { type CaseFiles, statsOf } from "./case-files.ts";
import { checkExpectations } from "./check-expectations.ts";
import { checkId } from "./check-id.ts";
import { checkMock } from "./check-mock.ts";
import { findExpected } from "./find-expected.ts";
import { warnOfRefusals } from "./mock-warnings.ts";
import type { RawCase, Teller } from "./raw-case.ts";
import { skillToolNames } from "./tool-names.ts";

export interface AgentCaseSurroundings {
  suite: string;
  files: CaseFiles;
  tell: Teller;
}

/** Checks what no schema can say about an agent case, and finds the files it names. */
export function loadAgentCase(
  written: AgentCaseFile,
  raw: RawCase,
  { suite, files, tell }: AgentCaseSurroundings,
): LoadedAgentCase {
  const { document, steps, dir } = raw;
  const file = withWholeHashes(written);
  checkId(file.id, raw, tell);
  const level = levelOf(file, tell);
  checkMock(file, tell);
  checkExpectations(file, tell);
  const skillTools = skillToolNames(file, tell);
  const request = readRequest(file, dir, files, tell);
  const inputs = raw.inputs ?? inputsOf(dir, files, tell);
  const { expectedFiles, outputSchema } = findExpected(file, dir, files, tell);
  if (level === "L1") warnOfRefusals(file, tell);
  return {
    kind: "agent",
    case: file,
    suite,
    digest: caseDigest({ file, request, inputs, expectedFiles, outputSchema }, files, tell),
    level,
    file: document.file,
    shown: document.shown,
    jsonPath: jsonPath(steps),
    dir,
    request,
    skillRoots: skillRootsOf(file, raw, files, tell),
    preinstall: preinstalledOf(file, dir, files, tell),
    inputs,
    expectedFiles,
    outputSchema,
    skillTools,
  };
}

/** Hashes have the name of their kind before them everywhere; a person may leave it out. */
function withWholeHashes(file: AgentCaseFile): AgentCaseFile {
  if (file.expect.files.every(({ sha256 }) => sha256 === undefined)) return file;
  const whole = (hash: string) => (hash.startsWith("sha256:") ? hash : `sha256:${hash}`);
  const files = file.expect.files.map((one) =>
    one.sha256 === undefined ? one : { ...one, sha256: whole(one.sha256) },
  );
  return { ...file, expect: { ...file.expect, files } };
}

function levelOf({ level, mock }: AgentCaseFile, tell: Teller): CaseLevel {
  if (level === "L0")
    throw tell.fault(["level"], "is L0, and only pure functions run without an agent", "leave it out");
  if (level === "L1" && mock === undefined)
    throw tell.fault(["level"], "is L1, and the case has no mock", "add mock.turns, or write level: L2");
  return level ?? (mock === undefined ? "L2" : "L1");
}

const requestCapBytes = 1024 * 1024;

function readRequest({ input }: AgentCaseFile, dir: string, files: CaseFiles, tell: Teller): string {
  const text = typeof input === "string" ? input : readInputFile(input.file, dir, files, tell);
  if (text.trim() === "") throw tell.fault(["input"], "must not be empty");
  return text;
}

function readInputFile(words: string, dir: string, files: CaseFiles, tell: Teller): string {
  const found = files.file(words, dir);
  if (!found.ok) throw tell.fault(["input", "file"], found.problem);
  try {
    return readTextFile(found.path, {
      code: "case-invalid",
      capBytes: requestCapBytes,
      shownPath: `names ${words}, which`,
    });
  } catch (error) {
    throw error instanceof UserError ? tell.fault(["input", "file"], error.message) : error;
  }
}

function inputsOf(dir: string, files: CaseFiles, tell: Teller): readonly InputFile[] {
  const found = files.inputsIn(join(dir, "inputs"));
  if (!found.ok) throw tell.fault([], `cannot use its inputs: ${found.problem}`);
  return found.files;
}

function skillRootsOf(
  { setup }: AgentCaseFile,
  { dir, skillDir }: RawCase,
  files: CaseFiles,
  tell: Teller,
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
    const found = files.place(words, dir);
    if (!found.ok) throw tell.fault(steps, found.problem);
    if (statsOf(found.path)?.isDirectory() !== true)
      throw tell.fault(steps, `names no folder: ${found.path}`);
    return { source, path: found.path, priority };
  });
}

function preinstalledOf(
  { setup }: AgentCaseFile,
  dir: string,
  files: CaseFiles,
  tell: Teller,
): LoadedAgentCase["preinstall"] {
  return setup.preinstall_skills.map((entry, index) => {
    const { source = "project", path: words } = typeof entry === "string" ? { path: entry } : entry;
    const steps = ["setup", "preinstall_skills", index, ...(typeof entry === "string" ? [] : ["path"])];
    const found = files.place(words, dir);
    if (!found.ok) throw tell.fault(steps, found.problem);
    const stats = statsOf(found.path);
    const isZip = stats?.isFile() === true && found.path.toLowerCase().endsWith(".zip");
    if (stats?.isDirectory() !== true && !isZip)
      throw tell.fault(steps, `names neither the folder of a skill nor a .zip of one: ${found.path}`);
    return { source, path: found.path };
  });
}
