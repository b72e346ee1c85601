import type { DiagnosticLocation, Diagnostics } from "../../../contract/diagnostics.ts";
import { isMap, kindOfValue } from "../../../shared/json/json-values.ts";
import type { UnknownKey } from "../../../shared/json/known-keys.ts";
import { parseLocatedYaml } from "../../../shared/json/located-yaml.ts";
import { jsonPath, nearestPosition } from "../../../shared/json/locations.ts";
import { shorten } from "../../../shared/text/visible-text.ts";

/** An `eval.yaml` that was read. */
export interface EvalFile {
  value: Record<string, unknown>;
  /** The location of a member as a diagnostic names it, or of its nearest existing parent. */
  locate: (steps: readonly PropertyKey[]) => DiagnosticLocation;
}

const file = "eval.yaml";
const capBytes = 1024 * 1024;
const rules = { scalars: "core", depth: 32, aliases: 10 } as const;

/** Reads the `eval.yaml` of a skill; null where there is none, or an unusable one, which is reported. */
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
  const locate = (steps: readonly PropertyKey[]) => ({
    file,
    ...nearestPosition(yaml.findPosition, steps),
    jsonPath: jsonPath(steps),
  });
  return { value: yaml.value, locate };
}

const noHint = { hint: "make it a text file in UTF-8" };

/** Reads a file of a skill: relative to its folder, `/`-separated, never outside of it. */
export type ReadFile = (path: string) => { ok: true; text: string } | { ok: false; problem: string };

/** Looking up the location of a key takes longer the more keys there are. */
const maxReported = 50;

/** Reports unknown keys: an error if a known one was probably meant, since its value is lost. */
export function reportUnknownKeys(
  keys: readonly UnknownKey[],
  evalFile: EvalFile,
  diagnostics: Diagnostics,
  way: readonly PropertyKey[] = [],
): void {
  for (const { steps, meant } of diagnostics.takeFirst(keys, maxReported)) {
    const message = `unknown key ${shorten(String(steps.at(-1)), 80)}`;
    diagnostics.add("TRG04", evalFile.locate([...way, ...steps]), message, {
      severity: meant === null ? "warning" : "error",
      hint: meant === null ? undefined : `did you mean ${meant}?`,
    });
  }
}
