import type { Ask } from "../../contract/grant.ts";
import type { InputFile } from "../../contract/loaded-case.ts";
import type { Json, JsonObject } from "../../shared/json/json.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { jsonPath } from "../../shared/json/locations.ts";
import type { UserError } from "../../shared/user-error.ts";
import { type CaseDocument, faultIn } from "./case-document.ts";

/** A case that was found and not yet checked. */
export interface RawCase {
  document: CaseDocument;
  /** The way to it in its document. */
  steps: readonly PropertyKey[];
  written: Json;
  defaults: SuiteDefaults | null;
  /** What its folder or file is called, which is its id; null where several are in one file. */
  calledBy: string | null;
  /** The folder that `${case}`, `inputs/` and `expected/` are below. */
  dir: string;
  /** The skill whose own tests it is one of: the folder that holds it is where its skills are, unless it says otherwise. */
  skillDir: string | null;
  /** Files that a foreign form names one by one. */
  inputs?: readonly InputFile[] | undefined;
}

/** What the file of a suite says about all its cases. */
export interface SuiteDefaults {
  document: CaseDocument;
  value: JsonObject;
}

/** Reports problems of a document with their location. */
export interface ProblemReporter {
  fault(steps: readonly PropertyKey[], problem: string, hint?: string): UserError;
  warn(message: string): void;
  /** The location of a member, for a warning. */
  locate(steps: readonly PropertyKey[]): { shown: string; jsonPath: string };
}

/** Where a case is written, and the paths it names. */
export interface CaseReporter extends ProblemReporter {
  /** The file and the member where something of the case is written. */
  place(steps: readonly PropertyKey[]): Pick<Ask, "file" | "steps">;
  /** Notes that the case reads a path. */
  reads(path: string, steps: readonly PropertyKey[]): void;
  /** Every path that was noted. */
  readonly named: readonly { path: string; steps: readonly PropertyKey[] }[];
}

/** Reports problems of a case: what the case does not set itself is in the defaults of its suite. */
export function caseReporter(raw: RawCase, warnings: string[]): CaseReporter {
  const named: { path: string; steps: readonly PropertyKey[] }[] = [];
  const found = (steps: readonly PropertyKey[]): [CaseDocument, readonly PropertyKey[]] => {
    const { document, written, defaults } = raw;
    const isInherited = defaults !== null && !has(written, steps) && has(defaults.value, steps);
    return isInherited ? [defaults.document, ["defaults", ...steps]] : [document, [...raw.steps, ...steps]];
  };
  return {
    fault: (steps, problem, hint) => faultIn(...found(steps), problem, { hint }),
    warn: (message) => warnings.push(message),
    locate(steps) {
      const [{ shown }, way] = found(steps);
      return { shown, jsonPath: jsonPath(way) };
    },
    place(steps) {
      const [{ file }, way] = found(steps);
      return { file, steps: way };
    },
    reads: (path, steps) => void named.push({ path, steps }),
    named,
  };
}

function has(value: unknown, steps: readonly PropertyKey[]): boolean {
  let at = value;
  for (const step of steps) {
    if (!(isMap(at) || Array.isArray(at)) || !Object.hasOwn(at, step)) return false;
    at = (at as Record<PropertyKey, unknown>)[step];
  }
  return true;
}
