import type { DiagnosticPlace, Diagnostics } from "../../../contract/diagnostics.ts";
import { isMap, kindOfValue } from "../../../shared/json/json-values.ts";
import type { UnknownKey } from "../../../shared/json/known-keys.ts";
import { parseLocatedYaml } from "../../../shared/json/located-yaml.ts";
import { jsonPath, nearestPosition } from "../../../shared/json/places.ts";
import { shorten } from "../../../shared/text/visible-text.ts";

/** An `eval.yaml` that was read. */
export interface EvalFile {
  value: Record<string, unknown>;
  /** Where a member stands, as a finding names it; where there is none, where the nearest one above it stands. */
  placeOf: (steps: readonly PropertyKey[]) => DiagnosticPlace;
}

const file = "eval.yaml";
const capBytes = 1024 * 1024;
const rules = { scalars: "core", depth: 32, aliases: 10 } as const;

/** Reads the `eval.yaml` of a skill; null where there is none, or none that can be used, which is told. */
export async function readEvalFile(readFile: ReadFile, diagnostics: Diagnostics): Promise<EvalFile | null> {
  const read = readFile(file);
  if (!read.ok) {
    if (read.problem !== "missing") diagnostics.add("TRG01", { file }, `${file}: ${read.problem}`, noHint);
    return null;
  }
  if (Buffer.byteLength(read.text) > capBytes) {
    diagnostics.add("TRG01", { file }, `${file}: larger than 1 MiB`, { hint: "move queries to imports" });
    return null;
  }
  const yaml = await parseLocatedYaml(read.text, rules);
  if (!yaml.ok) {
    const { line, column, problem, hint = "fix the YAML there" } = yaml.fault;
    diagnostics.add("TRG01", { file, line, column }, `${file}:${line}: ${problem}`, { hint });
    return null;
  }
  if (yaml.value === null) return null;
  if (!isMap(yaml.value)) {
    const problem = `${file} is ${kindOfValue(yaml.value)}, not a map`;
    diagnostics.add("TRG01", { file, line: 1, jsonPath: "$" }, problem);
    return null;
  }
  const placeOf = (steps: readonly PropertyKey[]) => ({
    file,
    ...nearestPosition(yaml.placeOf, steps),
    jsonPath: jsonPath(steps),
  });
  return { value: yaml.value, placeOf };
}

const noHint = { hint: "make it a text file in UTF-8" };

/** Reads a file of a skill: relative to its folder, `/`-separated, never outside of it. */
export type ReadFile = (path: string) => { ok: true; text: string } | { ok: false; problem: string };

/** Looking up where a key stands takes longer the more keys there are; nobody reads more of them. */
const maxReported = 50;

/** Keys that nobody reads: an error where a known one was meant, since what it says is lost. */
export function reportUnknownKeys(
  keys: readonly UnknownKey[],
  evalFile: EvalFile,
  diagnostics: Diagnostics,
  way: readonly PropertyKey[] = [],
): void {
  for (const { steps, meant } of diagnostics.firstOf(keys, maxReported)) {
    const message = `unknown key ${shorten(String(steps.at(-1)), 80)}`;
    diagnostics.add("TRG04", evalFile.placeOf([...way, ...steps]), message, {
      severity: meant === null ? "warning" : "error",
      hint: meant === null ? undefined : `did you mean ${meant}?`,
    });
  }
}
