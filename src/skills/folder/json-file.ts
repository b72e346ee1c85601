import type { DiagnosticLocation } from "../../contract/diagnostics.ts";
import { findJsonFault } from "../../shared/json/find-json-fault.ts";
import { jsonPath, nearestPosition } from "../../shared/json/locations.ts";
import { positionInJson } from "../../shared/json/position-in-json.ts";
import { parseStrictJson } from "../../shared/json/strict-json.ts";
import type { FileProblem, SkillFolder } from "./skill-folder.ts";

/** A JSON file of a skill that was read. */
export interface JsonFile {
  /** Relative to the folder of the skill. */
  file: string;
  value: unknown;
  /** The location of a member for a finding; if it is missing, that of its nearest ancestor. */
  locate: (steps: readonly PropertyKey[]) => DiagnosticLocation;
}

export type JsonReading =
  | { ok: true; json: JsonFile }
  | { ok: false; location: DiagnosticLocation; problem: string };

/** Reads a JSON file of a skill, strictly: no key twice, nothing nested too deep. */
export function readJsonFile(folder: SkillFolder, file: string): JsonReading {
  const read = folder.text(file);
  if (!read.ok) return { ok: false, location: { file }, problem: inWords[read.problem] };
  const parsed = parseStrictJson(read.text);
  if (parsed.ok) {
    const locate = (steps: readonly PropertyKey[]) => ({
      file,
      ...nearestPosition((way) => positionInJson(read.text, way), steps),
      jsonPath: jsonPath(steps),
    });
    return { ok: true, json: { file, value: parsed.value, locate } };
  }
  const fault = findJsonFault(read.text);
  return fault === null
    ? { ok: false, location: { file }, problem: parsed.problem }
    : { ok: false, location: { file, line: fault.line, column: fault.column }, problem: fault.problem };
}

const inWords: Record<FileProblem, string> = {
  missing: "no such file",
  outside: "points outside the folder",
  "not a regular file": "is not a regular file",
  "too large": "is larger than 4 MiB",
  unreadable: "cannot be read",
  "not UTF-8": "is not UTF-8 text",
};
