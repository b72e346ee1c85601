import { dirname } from "node:path";
import * as z from "zod";
import { AnyJson, type Json, type JsonObject } from "../../shared/json/json.ts";
import { jsonPath } from "../../shared/json/locations.ts";
import { type CaseDocument, faultIn } from "./case-document.ts";
import type { CaseFolder } from "./case-folder.ts";
import { closedShape, fitShape } from "./fit-shape.ts";
import type { RawCase, SuiteDefaults } from "./raw-case.ts";

/** What the file of a suite says. */
export interface SuiteHead {
  name: string | null;
  defaults: SuiteDefaults | null;
  cases: RawCase[];
  warnings: string[];
}

export const noHead: SuiteHead = { name: null, defaults: null, cases: [], warnings: [] };

/** Cases are checked one by one, later. */
const shape = closedShape(
  z.strictObject({
    suite: z.string().trim().min(1).max(200).nullish(),
    defaults: z.record(z.string(), AnyJson).nullish(),
    cases: z.array(AnyJson).nullish(),
  }),
);

/** Reads a `suite.yaml`: a name, what holds for all cases, and cases. */
export function readSuiteHead(document: CaseDocument): SuiteHead {
  const warnings: string[] = [];
  const read = fitShape(document.value, shape, {
    fault: (steps, problem, hint) => faultIn(document, steps, problem, { code: "suite-invalid", hint }),
    warn: (message) => warnings.push(message),
    locate: (steps) => ({ shown: document.shown, jsonPath: jsonPath(steps) }),
  });
  const defaults = read.defaults ? { document, value: read.defaults as JsonObject } : null;
  return {
    name: read.suite ?? null,
    defaults,
    cases: listedCases(document, read.cases ?? [], { defaults, skillDir: null }),
    warnings,
  };
}

/** The cases of a `cases:` list. */
export function listedCases(
  document: CaseDocument,
  cases: readonly Json[],
  about: Pick<RawCase, "defaults" | "skillDir">,
): RawCase[] {
  const dir = dirname(document.file);
  return cases.map((written, index) => ({
    document,
    steps: ["cases", index],
    written,
    calledBy: null,
    dir,
    ...about,
  }));
}

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
