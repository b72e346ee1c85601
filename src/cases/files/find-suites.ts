import { basename, dirname, extname, join, resolve } from "node:path";
import { realPath } from "../../shared/files/paths.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { didYouMean } from "../../shared/text/nearest.ts";
import { UserError } from "../../shared/user-error.ts";
import { type CaseDocument, caseSuffixes, faultIn } from "./case-document.ts";
import { statPath } from "./case-files.ts";
import { type CaseFolder, fileCalled } from "./case-folder.ts";
import { describingFileIn, enclosingSkill } from "./enclosing-skill.ts";
import { foreignCases, isForeign } from "./foreign-cases.ts";
import { isSuiteFolder, suiteInFolder, suiteOfCase } from "./suite-folder.ts";
import { type FoundSuite, listedCases, readSuiteHead, type SuiteContext } from "./suite-head.ts";

/** Where suites live that are called by their name. */
const defaultFolder = ".agent/evals";

/** The suites that a path means: a suite, a case, a skill, or a folder of suites. The name of a suite will do. */
export async function findSuites(path: string, context: SuiteContext): Promise<FoundSuite[]> {
  const target = locate(path, context);
  const isFolder = statPath(target)?.isDirectory() === true;
  const suites = isFolder
    ? await suitesIn(context.folder(target), context)
    : [await suiteOfFile(target, path, context)];
  const found = suites.filter(({ cases }) => cases.length > 0);
  if (found.length > 0) return found;
  throw new UserError("suite-invalid", `no cases in ${path}`, {
    path,
    hint: describingFileIn(target) === null ? forms : "add `cases:` to its eval.yaml",
  });
}

const forms = "a case is <id>/case.json, <id>.yaml, or an entry of `cases:` in suite.yaml";

function locate(path: string, { cwd, projectRoot, folder: look }: SuiteContext): string {
  const direct = resolve(cwd, path);
  if (statPath(direct) !== null) return direct;
  const folder = join(projectRoot, defaultFolder);
  const byName = join(folder, path);
  if (!path.includes("/") && statPath(byName) !== null) return byName;
  const known = statPath(folder)?.isDirectory() === true ? look(folder).folders : [];
  throw new UserError("suite-invalid", `no suite or case ${path}`, {
    path,
    hint: known.length === 0 ? "pass a folder or file with cases" : didYouMean(path, known),
  });
}

async function suiteOfFile(file: string, path: string, context: SuiteContext): Promise<FoundSuite> {
  const suffix = extname(file);
  const stem = basename(file, suffix);
  if (!caseSuffixes.includes(suffix))
    throw new UserError("suite-invalid", `${path} is neither a folder nor a .json, .yaml or .yml file`, {
      path,
      hint: forms,
    });
  fileCalled(stem, context.folder(dirname(file))); // refuses a second one with this name
  if (stem === "case") return suiteOfCase(file, context);
  const document = await context.read(file);
  const { value } = document;
  if (isForeign(document)) return suiteOfForeign(document);
  const isOfSkill = stem === "eval" && isMap(value) && !Object.hasOwn(value, "input");
  if (isOfSkill) return suiteOfSkill(context.folder(dirname(file)), context);
  if (stem !== "suite" && !(isMap(value) && Object.hasOwn(value, "cases"))) return suiteOfCase(file, context);
  const head = readSuiteHead(document);
  const root = realPath(stem === "suite" ? dirname(file) : file);
  const name = head.name ?? (stem === "suite" ? basename(root) : stem);
  return { root, name, cases: head.cases, warnings: head.warnings };
}

async function suitesIn(folder: CaseFolder, context: SuiteContext): Promise<FoundSuite[]> {
  const file = fileCalled("case", folder);
  if (file !== null) return [await suiteOfCase(file, context)];
  if (isSkill(folder)) return [await suiteOfSkill(folder, context)];
  if (folder.files.includes("evals.json"))
    return [await suiteOfForeign(await context.read(join(folder.path, "evals.json")))];
  const own = await suiteInFolder(folder, context);
  const below: FoundSuite[] = [];
  for (const name of folder.folders) {
    const suite = await childSuite(join(folder.path, name), own.cases.length > 0, context);
    if (suite !== null) below.push(suite);
  }
  // Files that are ignored beside suites need no warning.
  return own.cases.length > 0 ? [own, ...below] : below;
}

/** A folder below one with cases of its own may be anything they need; only one that is clearly a suite is one. */
async function childSuite(
  path: string,
  hasCasesAbove: boolean,
  context: SuiteContext,
): Promise<FoundSuite | null> {
  const folder = context.folder(path);
  if (fileCalled("case", folder) !== null) return null;
  if (hasCasesAbove && !isSuiteFolder(folder, context)) return null;
  const suite = isSkill(folder) ? await suiteOfSkill(folder, context) : await suiteInFolder(folder, context);
  return suite.cases.length > 0 ? suite : null;
}

function isSkill(folder: CaseFolder): boolean {
  return fileCalled("eval", folder) !== null || describingFileIn(folder.path) !== null;
}

/** The cases that come with a skill: `cases:` in its `eval.yaml`, and its `evals/evals.json`. */
async function suiteOfSkill(folder: CaseFolder, { read }: SuiteContext): Promise<FoundSuite> {
  const skill = (await enclosingSkill(folder.path)) ?? { dir: folder.path, name: basename(folder.path) };
  const suite: FoundSuite = { root: realPath(folder.path), name: skill.name, cases: [], warnings: [] };
  const file = fileCalled("eval", folder);
  if (file !== null) {
    const document = await read(file);
    const cases = casesIn(document);
    suite.cases.push(...listedCases(document, cases, { defaults: null, skillDir: folder.path }));
  }
  const evals = join(folder.path, "evals", "evals.json");
  if (statPath(evals)?.isFile() === true)
    suite.cases.push(...foreignCases(await read(evals), { ...skill, dir: folder.path }).cases);
  return suite;
}

/** A file of another tool as a suite of the skill it is about. */
async function suiteOfForeign(document: CaseDocument): Promise<FoundSuite> {
  const context = await enclosingSkill(dirname(document.file));
  const { skill, cases } = foreignCases(document, context);
  const name = skill ?? basename(document.file).replace(/\.[^.]+$/, "");
  return { root: realPath(context?.dir ?? document.file), name, cases, warnings: [] };
}

function casesIn(document: CaseDocument) {
  const { value } = document;
  const cases = isMap(value) ? value.cases : undefined;
  if (cases === undefined || cases === null) return [];
  if (!Array.isArray(cases))
    throw faultIn(document, ["cases"], "must be a list of cases", { code: "suite-invalid" });
  return cases;
}
