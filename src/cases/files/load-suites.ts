import { basename, extname } from "node:path";
import { ownFolders } from "../../config/project-rules.ts";
import type { LoadedCase, LoadedSuite } from "../../contract/loaded-case.ts";
import { nearPath } from "../../shared/files/paths.ts";
import { joinErrors, UserError } from "../../shared/user-error.ts";
import { type CaseDocument, readCaseDocument } from "./case-document.ts";
import { CaseFiles } from "./case-files.ts";
import { type CaseFolder, readCaseFolder } from "./case-folder.ts";
import { findSuites } from "./find-suites.ts";
import { loadCase } from "./load-case.ts";
import type { FoundSuite, SuiteContext } from "./suite-head.ts";

export interface SuiteFolders {
  cwd: string;
  /** The folder relative paths of cases count from. */
  projectRoot: string;
}

/**
 * Reads suites of agent cases in every form and checks all that can be checked without their skills. What is wrong is one
 * UserError: the first fault with its location, the others in its message.
 */
export async function loadSuites(
  paths: readonly string[],
  baseFolders: SuiteFolders,
): Promise<LoadedSuite[]> {
  const context = suiteContext(baseFolders);
  const found = new Map<string, FoundSuite>();
  for (const path of paths)
    for (const suite of await findSuites(path, context)) {
      const known = found.get(suite.root);
      found.set(suite.root, known === undefined ? suite : together(known, suite));
    }
  const suites = [...found.values()];
  checkNames(suites, baseFolders);
  const faults: UserError[] = [];
  const { cwd, projectRoot } = baseFolders;
  const files = new CaseFiles(projectRoot, ownFolders(paths, { cwd, projectRoot }));
  const loaded = suites.map((suite) => loadSuite(suite, { files, faults, cwd }));
  if (faults.length > 0) throw joinErrors(faults);
  return loaded;
}

/** What was read once is not read again: one file can be reached by several paths. */
function suiteContext(baseFolders: SuiteFolders): SuiteContext {
  const documents = new Map<string, Promise<CaseDocument>>();
  const folders = new Map<string, CaseFolder>();
  const shown = (path: string) => nearPath(path, baseFolders.cwd);
  return {
    ...baseFolders,
    read(file) {
      const code = basename(file, extname(file)) === "suite" ? "suite-invalid" : "case-invalid";
      const document = documents.get(file) ?? readCaseDocument(file, shown(file), code);
      documents.set(file, document);
      return document;
    },
    folder(path) {
      const folder = folders.get(path) ?? readCaseFolder(path, shown(path));
      folders.set(path, folder);
      return folder;
    },
  };
}

/** The same suite by two paths: a case that both mean is one case. */
function together(one: FoundSuite, other: FoundSuite): FoundSuite {
  const locationKey = ({ document, steps }: FoundSuite["cases"][number]) =>
    `${document.file}\0${steps.join("/")}`;
  const known = new Set(one.cases.map(locationKey));
  const cases = [...one.cases, ...other.cases.filter((raw) => !known.has(locationKey(raw)))];
  return { ...one, cases, warnings: [...one.warnings, ...other.warnings] };
}

function checkNames(suites: readonly FoundSuite[], { cwd }: SuiteFolders): void {
  const byName = new Map<string, FoundSuite>();
  for (const suite of suites) {
    const other = byName.get(suite.name);
    if (other !== undefined) {
      const [one, two] = [other.root, suite.root].map((root) => nearPath(root, cwd));
      throw new UserError("suite-invalid", `duplicate suite name ${suite.name}: ${one} and ${two}`, {
        path: two,
        hint: "rename one with `suite:` in its suite.yaml, or run them separately",
      });
    }
    byName.set(suite.name, suite);
  }
}

interface Loading {
  files: CaseFiles;
  /** Gets what is wrong. */
  faults: UserError[];
  cwd: string;
}

function loadSuite(
  { root, name, cases, warnings }: FoundSuite,
  { files, faults, cwd }: Loading,
): LoadedSuite {
  const found = [...warnings];
  const loaded: LoadedCase[] = [];
  const seen = new Map<string, LoadedCase>();
  for (const raw of cases) {
    try {
      const one = loadCase(raw, { suite: name, files, warnings: found });
      const { id } = one.case;
      const other = seen.get(id);
      if (other !== undefined) throw duplicate(one, other);
      seen.set(id, one);
      loaded.push(one);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      faults.push(error);
    }
  }
  return { name, shown: nearPath(root, cwd), cases: loaded, warnings: [...new Set(found)] };
}

function duplicate(one: LoadedCase, other: LoadedCase): UserError {
  const idPath = `${one.jsonPath}.id`;
  const message = `${one.shown}: ${idPath} is a duplicate: ${other.shown} at ${other.jsonPath} has the same id ${one.case.id}`;
  return new UserError("case-invalid", message, { path: one.shown, jsonPath: idPath, hint: "rename one" });
}
