import { basename, dirname, extname, join } from "node:path";
import { realPath } from "../../shared/files/paths.ts";
import type { Json } from "../../shared/json/json.ts";
import { isMap } from "../../shared/json/json-values.ts";
import type { CaseDocument } from "./case-document.ts";
import { type CaseFolder, fileCalled, stemsIn } from "./case-folder.ts";
import { isForeign } from "./foreign-cases.ts";
import type { RawCase } from "./raw-case.ts";
import { type FoundSuite, noHead, readSuiteHead, type SuiteContext, type SuiteHead } from "./suite-head.ts";

/** A folder as a suite: the cases of its `suite.yaml`, its folders with a case, and its files that are one. */
export async function suiteInFolder(folder: CaseFolder, context: SuiteContext): Promise<FoundSuite> {
  const head = await readHead(folder, context);
  const suite = startSuite(folder.path, head);
  suite.cases.push(...head.cases);
  for (const name of folder.folders) {
    const child = context.folder(join(folder.path, name));
    const file = fileCalled("case", child);
    if (file !== null) suite.cases.push(ownCase(await context.read(file), name, head));
    else if (child.folders.includes("expected"))
      suite.warnings.push(`${child.shown} has an expected/ folder but no case.json or case.yaml`);
  }
  for (const stem of stemsIn(folder)) {
    const file = notCases.has(stem) ? null : fileCalled(stem, folder);
    if (file === null) continue;
    const document = await context.read(file);
    if (looksLikeCase(document)) suite.cases.push(ownCase(document, stem, head));
    else suite.warnings.push(leftAlone(document));
  }
  return suite;
}

/** One case alone, in the suite that it is part of. */
export async function suiteOfCase(file: string, context: SuiteContext): Promise<FoundSuite> {
  const stem = basename(file, extname(file));
  const isInFolder = stem === "case";
  const folder = context.folder(dirname(file));
  const root = isInFolder ? dirname(folder.path) : folder.path;
  const head = await readHead(isInFolder ? context.folder(root) : folder, context);
  const suite = startSuite(root, head);
  suite.cases.push(ownCase(await context.read(file), isInFolder ? basename(folder.path) : stem, head));
  return suite;
}

/** Whether a folder is meant as a suite, judged by names alone. */
export function isSuiteFolder(folder: CaseFolder, context: SuiteContext): boolean {
  if (fileCalled("suite", folder) !== null) return true;
  return folder.folders.some((name) => fileCalled("case", context.folder(join(folder.path, name))) !== null);
}

const notCases = new Set(["suite", "eval", "evals"]);

async function readHead(folder: CaseFolder, { read }: SuiteContext): Promise<SuiteHead> {
  const file = fileCalled("suite", folder);
  return file === null ? noHead : readSuiteHead(await read(file));
}

function startSuite(folder: string, { name, warnings }: SuiteHead): FoundSuite {
  const root = realPath(folder);
  return { root, name: name ?? (basename(root) || "suite"), cases: [], warnings: [...warnings] };
}

function ownCase(document: CaseDocument, calledBy: string, { defaults }: SuiteHead): RawCase {
  const written = document.value as Json;
  return { document, steps: [], written, defaults, calledBy, dir: dirname(document.file), skillDir: null };
}

/** A folder of cases may hold other files: a schema, a list of queries. */
function looksLikeCase({ value }: CaseDocument): boolean {
  return isMap(value) && ["input", "expect", "mock"].some((key) => Object.hasOwn(value, key));
}

function leftAlone(document: CaseDocument): string {
  const why = isForeign(document)
    ? "is a separate suite: pass its path to run it"
    : "is not a case: it has neither input nor expect, so it was skipped";
  return `${document.shown} ${why}`;
}
