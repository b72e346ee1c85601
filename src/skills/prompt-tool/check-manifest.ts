import type { Diagnostics } from "../../contract/diagnostics.ts";
import { PromptToolManifest } from "../../contract/prompt-tool-manifest.ts";
import { type Problem, zodProblems } from "../../shared/json/zod-problem.ts";
import { nearest } from "../../shared/text/nearest.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import type { JsonFile } from "../folder/json-file.ts";

/** A manifest with its defaults; null where something about it is an error. Reports everything that is wrong. */
export function checkManifest(
  value: Readonly<Record<string, unknown>>,
  manifest: JsonFile,
  diagnostics: Diagnostics,
): PromptToolManifest | null {
  const known = Object.fromEntries(Object.entries(value).filter(([key]) => !isFreeKey(key)));
  const read = PromptToolManifest.safeParse(known);
  if (read.success) return read.data;
  for (const problem of diagnostics.firstOf(zodProblems(read.error, known), maxProblems))
    reportProblem(problem, known, manifest, diagnostics);
  return null;
}

/** Keys of the root that take any value. */
export function isFreeKey(key: string): boolean {
  return key.startsWith("x-");
}

/** Whoever has this many has to begin somewhere, and finding the place of each takes time. */
const maxProblems = 50;

function reportProblem(
  { steps, jsonPath, reason }: Problem,
  { meta }: Readonly<Record<string, unknown>>,
  manifest: JsonFile,
  diagnostics: Diagnostics,
): void {
  const place = manifest.placeOf(steps);
  const { id, name } = (meta ?? {}) as { id?: unknown; name?: unknown };
  if (jsonPath === "$.meta.id" && typeof id === "string")
    diagnostics.add("AHM03", place, `meta.id "${shownText(id)}": ${reason}`, { hint: spelling(id) });
  else if (jsonPath === "$.meta.name" && typeof name === "string")
    diagnostics.add("AHM03", place, `meta.name "${shownText(name)}": ${reason}`, {
      hint: "1 to 64 characters",
    });
  else diagnostics.add("AHM02", place, `${jsonPath}: ${reason}`, { hint: hintFor(steps, reason) });
}

/** Left out where the rule's own hint fits: a key of the root that nobody knows. */
function hintFor(steps: readonly PropertyKey[], reason: string): string | undefined {
  if (reason === "is required and missing") return missing[steps.join(".")] ?? "add it";
  if (reason !== "is not known") return "fix it";
  const near = nearest(String(steps.at(-1)), keysBeside(steps));
  if (near !== null) return `did you mean ${near}?`;
  return steps.length === 1 ? undefined : "remove it";
}

const missing: Readonly<Record<string, string>> = {
  entry: 'add "entry": { "system_prompt": "SYSTEM.md" }',
  meta: 'add "meta" with an id and a name',
};

/** The same words as an id may spell them. */
function spelling(id: string): string | undefined {
  const near = (id.toLowerCase().match(/[a-z0-9_-]+/g) ?? []).join("_").replace(/^[_-]+/, "");
  return PromptToolManifest.shape.meta.shape.id.safeParse(near).success ? `use ${near}` : undefined;
}

function keysBeside(steps: readonly PropertyKey[]): readonly string[] {
  const parent = steps.slice(0, -1).map((step) => (typeof step === "number" ? "[]" : String(step)));
  return keys[parent.join(".")] ?? [];
}

const keys: Readonly<Record<string, readonly string[]>> = {
  "": Object.keys(PromptToolManifest.shape),
  meta: Object.keys(PromptToolManifest.shape.meta.shape),
  entry: Object.keys(PromptToolManifest.shape.entry.shape),
  routing: Object.keys(PromptToolManifest.shape.routing.unwrap().shape),
  output: Object.keys(PromptToolManifest.shape.output.unwrap().shape),
  "tools.[]": ["name", "description", "parameters"],
};
