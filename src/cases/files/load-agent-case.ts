import { join } from "node:path";
import type { AgentCaseFile } from "../../contract/agent-case.ts";
import type { InputFile, LoadedAgentCase } from "../../contract/loaded-case.ts";
import { jsonPath } from "../../shared/json/locations.ts";
import { filesRead, hostAsks, pathAsks } from "./case-asks.ts";
import { type CaseFiles, statPath } from "./case-files.ts";
import { caseDigests, caseLevel, checkId } from "./case-identity.ts";
import { checkExpectations } from "./check-expectations.ts";
import { checkMock } from "./check-mock.ts";
import { warnOfRefusals } from "./mock-warnings.ts";
import { findCheckFiles, findExpected, findSkillRoots, readRequest } from "./named-files.ts";
import type { CaseReporter, RawCase } from "./raw-case.ts";
import { skillToolNames } from "./tool-names.ts";

export interface AgentCaseContext {
  suite: string;
  files: CaseFiles;
  report: CaseReporter;
}

/** Checks what no schema can say about an agent case, and finds the files it names. */
export function loadAgentCase(
  written: AgentCaseFile,
  raw: RawCase,
  { suite, files, report }: AgentCaseContext,
): LoadedAgentCase {
  const { document, steps, dir } = raw;
  const file = withWholeHashes(written);
  checkId(file.id, raw, report);
  const level = caseLevel(file, report);
  if (file.draft === true)
    report.warn(`${document.shown}: case ${file.id} is a draft: edit what it expects, then remove "draft"`);
  checkMock(file, report);
  checkExpectations(file, report);
  const skillTools = skillToolNames(file, report);
  const request = readRequest(file, dir, files, report);
  const inputs = raw.inputs ?? findInputs(dir, files, report);
  const { expectedFiles, outputSchema } = findExpected(file, dir, files, report);
  const checkFiles = findCheckFiles(file, dir, files, report);
  const skillRoots = findSkillRoots(file, raw, files, report);
  const preinstall = findPreinstalled(file, dir, files, report);
  if (level === "L1") warnOfRefusals(file, report);
  return {
    kind: "agent",
    case: file,
    suite,
    ...caseDigests({ file, request, inputs, expectedFiles, checkFiles, outputSchema }, files, report),
    level,
    file: document.file,
    shown: document.shown,
    jsonPath: jsonPath(steps),
    dir,
    files: filesRead(raw, report, inputs),
    asks: [...hostAsks(file, suite, report), ...pathAsks(`${suite}/${file.id}`, raw, files, report)],
    request,
    skillRoots,
    preinstall,
    inputs,
    expectedFiles,
    checkFiles,
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

function findInputs(dir: string, files: CaseFiles, report: CaseReporter): readonly InputFile[] {
  const folder = join(dir, "inputs");
  const found = files.inputsIn(folder);
  if (!found.ok) throw report.fault([], `cannot use its inputs: ${found.problem}`);
  if (found.files.length > 0) report.reads(folder, []);
  return found.files;
}

function findPreinstalled(
  { setup }: AgentCaseFile,
  dir: string,
  files: CaseFiles,
  report: CaseReporter,
): LoadedAgentCase["preinstall"] {
  return setup.preinstall_skills.map((entry, index) => {
    const { source = "project", path: words } = typeof entry === "string" ? { path: entry } : entry;
    const steps = ["setup", "preinstall_skills", index, ...(typeof entry === "string" ? [] : ["path"])];
    const found = files.resolvePath(words, dir);
    if (!found.ok) throw report.fault(steps, found.problem);
    const stats = statPath(found.path);
    const isZip = stats?.isFile() === true && found.path.toLowerCase().endsWith(".zip");
    if (stats?.isDirectory() !== true && !isZip)
      throw report.fault(steps, `names neither the folder of a skill nor a .zip of one: ${found.path}`);
    report.reads(found.path, steps);
    return { source, path: found.path };
  });
}
