import type { CaseDocument } from "./case-document.ts";
import type { CaseFolder } from "./case-folder.ts";
import type { RawCase } from "./raw-case.ts";

/** A suite whose cases were found and not yet checked. */
export interface FoundSuite {
  /** Where it lies: the same for every path that leads into it. */
  root: string;
  name: string;
  cases: RawCase[];
  warnings: string[];
}

export interface SuiteContext {
  cwd: string;
  projectRoot: string;
  /** Reads a file with cases, once. */
  read(file: string): Promise<CaseDocument>;
  /** Looks into a folder, once. */
  folder(path: string): CaseFolder;
}
