import { extname } from "node:path";
import type { ConversationCaseFile } from "../../contract/conversation-case.ts";
import type { LoadedConversationCase } from "../../contract/loaded-case.ts";
import { readTextFile } from "../../shared/files/read-text-file.ts";
import { jsonPath } from "../../shared/json/locations.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { UserError } from "../../shared/user-error.ts";
import { filesRead, pathAsks } from "./case-asks.ts";
import type { CaseFiles } from "./case-files.ts";
import { caseDigests, caseLevel, checkId } from "./case-identity.ts";
import { checkConversation } from "./check-conversation.ts";
import { findExpected, findSkillRoots, readRequest } from "./named-files.ts";
import type { CaseReporter, RawCase } from "./raw-case.ts";

/** Checks what no schema can say about a conversation, and finds the files it names. */
export function loadConversationCase(
  file: ConversationCaseFile,
  raw: RawCase,
  { suite, files, report }: { suite: string; files: CaseFiles; report: CaseReporter },
): LoadedConversationCase {
  const { document: source, steps, dir } = raw;
  checkId(file.id, raw, report);
  const level = caseLevel(file, report);
  checkConversation(file, report);
  const request = readRequest(file, dir, files, report);
  const document = findDocument(file, dir, files, report);
  const inputs = document === null ? [] : [{ name: file.setup.document ?? "", path: document }];
  const { expectedFiles, outputSchema } = findExpected(file, dir, files, report);
  const skillRoots = findSkillRoots(file, raw, files, report);
  const { route } = file.setup;
  return {
    kind: "conversation",
    case: file,
    suite,
    ...caseDigests({ file, request, inputs, expectedFiles, outputSchema }, files, report),
    level,
    file: source.file,
    shown: source.shown,
    jsonPath: jsonPath(steps),
    dir,
    files: filesRead(raw, report),
    asks: pathAsks(`${suite}/${file.id}`, raw, files, report),
    request,
    skillRoots,
    document,
    forced: route === "auto" ? null : [...new Set([route.forced].flat())],
    expectedFiles,
    outputSchema,
  };
}

const documentCapBytes = 10 * 1024 * 1024;

function findDocument(
  { setup }: ConversationCaseFile,
  dir: string,
  files: CaseFiles,
  report: CaseReporter,
): string | null {
  const words = setup.document;
  if (words === undefined) return null;
  const steps = ["setup", "document"];
  const found = files.file(words, dir);
  if (!found.ok) throw report.fault(steps, found.problem);
  report.reads(found.path, steps);
  const suffix = extname(found.path).toLowerCase();
  const named = `names ${shownText(words, 200)}, which`;
  if (![".md", ".txt", ".docx"].includes(suffix))
    throw report.fault(steps, `${named} is not a .md, .txt or .docx file`);
  // A .docx is read when the case is run; text is cheap to look at now.
  if (suffix !== ".docx") checkText(found.path, named, steps, report);
  return found.path;
}

function checkText(path: string, named: string, steps: readonly PropertyKey[], report: CaseReporter): void {
  try {
    readTextFile(path, { code: "case-invalid", capBytes: documentCapBytes, shownPath: named });
  } catch (error) {
    throw error instanceof UserError ? report.fault(steps, error.message) : error;
  }
}
