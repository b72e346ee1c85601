import type { Diagnostics } from "../../contract/diagnostics.ts";
import { PromptToolManifest, promptToolVersion } from "../../contract/prompt-tool-manifest.ts";
import { countValues, isMap } from "../../shared/json/json-values.ts";
import { jsonPointer } from "../../shared/json/locations.ts";
import { isPlainSchema } from "../../shared/json/plain-schema.ts";
import { schemaFault } from "../../shared/json/schema-fault.ts";
import { type Problem, zodProblems } from "../../shared/json/zod-problem.ts";
import { nearest } from "../../shared/text/nearest.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import type { JsonFile } from "../folder/json-file.ts";
import type { SkillFolder } from "../folder/skill-folder.ts";

/** A manifest with its defaults; null where something about it is an error. Reports everything that is wrong. */
export function checkManifest(
  value: Readonly<Record<string, unknown>>,
  manifest: JsonFile,
  diagnostics: Diagnostics,
): PromptToolManifest | null {
  const known = withoutFreeKeys(value);
  const read = PromptToolManifest.safeParse(known);
  if (read.success) return read.data;
  const problems = zodProblems(read.error, known);
  for (const problem of diagnostics.takeFirst(problems, maxProblems))
    reportProblem(problem, known, manifest, diagnostics);
  // A newer version of the format may know these: a run goes on without them.
  const unknown = problems.filter(({ reason }) => reason === notKnown);
  if (diagnostics.isStrict || unknown.length < problems.length) return null;
  return PromptToolManifest.parse(
    withoutMembers(
      known,
      unknown.map(({ steps }) => steps),
    ),
  );
}

const notKnown = "is not known";

/**
 * What is left of a manifest with errors, so that they do not hide what else is wrong with its skill: members that are wrong are
 * left out, and where that does not help, what they are part of. Null where nothing can be made of it.
 */
export function salvageManifest(value: JsonMap): PromptToolManifest | null {
  let left = withRequired(withoutFreeKeys(value));
  for (let above = 0; above <= deepestMember; above++) {
    const read = PromptToolManifest.safeParse(left);
    if (read.success) return read.data;
    const wrong = zodProblems(read.error, left).map(({ steps }) => steps.slice(0, steps.length - above));
    left = withRequired(withoutMembers(left, wrong));
  }
  return PromptToolManifest.safeParse(left).data ?? null;
}

/** How far below the root a member with a type of its own can be: `tools[0].name`, and the examples of `routing`. */
const deepestMember = 3;

/** Whatever has to be there; nothing is looked up by this id. */
function withRequired(value: JsonMap): JsonMap {
  const meta = isMap(value.meta) ? value.meta : {};
  return {
    schema_version: promptToolVersion,
    ...value,
    meta: { id: "unreadable", name: "unreadable", ...meta },
    entry: isMap(value.entry) ? value.entry : {},
  };
}

function withoutFreeKeys(value: JsonMap): JsonMap {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !isFreeKey(key)));
}

/** A copy without the members that these paths name. */
function withoutMembers(value: JsonMap, paths: readonly (readonly PropertyKey[])[]): JsonMap {
  const copy = structuredClone(value);
  for (const path of paths) {
    let owner: unknown = copy;
    for (const step of path.slice(0, -1)) owner = (owner as JsonMap | undefined)?.[String(step)];
    if (typeof owner === "object" && owner !== null) Reflect.deleteProperty(owner, String(path.at(-1)));
  }
  return closedUp(copy) as JsonMap;
}

/** Lists without the gaps that items left behind. */
function closedUp(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter(() => true).map(closedUp);
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, closedUp(member)]));
}

type JsonMap = Readonly<Record<string, unknown>>;

/** Keys of the root that take any value. */
export function isFreeKey(key: string): boolean {
  return key.startsWith("x-");
}

/** Enough to start with; locating each takes time. */
const maxProblems = 50;

function reportProblem(
  { steps, jsonPath, reason }: Problem,
  { meta }: Readonly<Record<string, unknown>>,
  manifest: JsonFile,
  diagnostics: Diagnostics,
): void {
  const location = manifest.locate(steps);
  const { id, name } = (meta ?? {}) as { id?: unknown; name?: unknown };
  if (jsonPath === "$.meta.id" && typeof id === "string")
    diagnostics.add("AHM03", location, `meta.id "${shownText(id)}": ${reason}`, { hint: spelling(id) });
  else if (jsonPath === "$.meta.name" && typeof name === "string")
    diagnostics.add("AHM03", location, `meta.name "${shownText(name)}": ${reason}`, {
      hint: "1 to 64 characters",
    });
  else
    diagnostics.add("AHM02", location, `${jsonPath}: ${reason}`, {
      hint: hintFor(steps, reason),
      ...(reason === notKnown && !diagnostics.isStrict && { severity: "warning" }),
    });
}

/** Left out where the rule's own hint fits: a key of the root that nobody knows. */
function hintFor(steps: readonly PropertyKey[], reason: string): string | undefined {
  if (reason === "is required and missing") return missing[steps.join(".")] ?? "add it";
  if (reason !== notKnown) return "fix it";
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
  "tools.[]": ["name", "description", "parameters", "hints"],
};

/** Reports where a manifest that is well formed does not agree with its folder, or with itself. */
export function checkAgreement(
  value: Readonly<Record<string, unknown>>,
  folder: SkillFolder,
  manifest: JsonFile,
  diagnostics: Diagnostics,
): void {
  const id = member(value.meta, "id");
  if (typeof id === "string" && id !== folder.name && isId(id))
    diagnostics.add(
      "AHM06",
      manifest.locate(["meta", "id"]),
      `$.meta.id: "${shownText(id)}" does not match folder "${shownText(folder.name)}"`,
      { hint: "rename one of them" },
    );
  const hosts = member(value.routing, "hosts");
  if (Array.isArray(hosts) && hosts.includes("*") && new Set(hosts).size > 1)
    diagnostics.add(
      "AHM06",
      manifest.locate(["routing", "hosts"]),
      "$.routing.hosts: mixes * (every host) with names",
      { hint: "keep only *, or only the names" },
    );
  for (const [index, tool] of (Array.isArray(value.tools) ? value.tools : []).entries())
    for (const { steps, reason } of hintProblems(member(tool, "hints")))
      diagnostics.add(
        "AHM02",
        manifest.locate(["tools", index, "hints", ...steps]),
        `$.tools[${index}].hints${steps.map((step) => `.${step}`).join("")}: ${reason}`,
        { severity: "warning", hint: "fix it, or remove it" },
      );
}

const turnModes = ["background", "no_writeback", "chat_only"];

/** What is wrong with the hints of a tool. They change nothing here, so nothing about them is an error. */
function hintProblems(hints: unknown): { steps: readonly string[]; reason: string }[] {
  if (hints === undefined) return [];
  if (!isMap(hints)) return [{ steps: [], reason: "must be a map" }];
  return Object.entries(hints).flatMap(([key, value]) => {
    if ((key === "turn_mode" || key === "mode") && !turnModes.includes(String(value)))
      return [{ steps: [key], reason: `must be one of ${turnModes.join(", ")}` }];
    const texts = Array.isArray(value) ? value : [value];
    if ((key === "triggers" || key === "trigger") && !texts.every((text) => typeof text === "string"))
      return [{ steps: [key], reason: "must be texts" }];
    return [];
  });
}

/** An invalid one was already reported. */
function isId(text: string): boolean {
  return PromptToolManifest.shape.meta.shape.id.safeParse(text).success;
}

function member(owner: unknown, key: string): unknown {
  return (owner as Record<string, unknown> | null | undefined)?.[key];
}

/** Reports which `parameters` of a tool are not a JSON Schema of an object. */
export async function checkParameters(
  tools: unknown,
  manifest: JsonFile,
  diagnostics: Diagnostics,
): Promise<void> {
  let parts = 0;
  let faults = 0;
  for (const [index, tool] of (Array.isArray(tools) ? tools : []).entries()) {
    if (!isMap(tool) || !Object.hasOwn(tool, "parameters")) continue;
    if (faults === maxFaults) {
      const location = manifest.locate(["tools", index, "parameters"]);
      diagnostics.add("AHM07", location, `tools[${index}].parameters: not checked, nor any after it`);
      return;
    }
    parts += countParts(tool.parameters);
    const fault =
      parts > maxParts ? { steps: [], reason: "too large to check" } : await findFault(tool.parameters);
    if (fault === null) continue;
    faults++;
    const location = manifest.locate(["tools", index, "parameters", ...fault.steps]);
    diagnostics.add(
      "AHM07",
      location,
      `tools[${index}].parameters${jsonPointer(fault.steps)}: ${fault.reason}`,
    );
  }
}

/** Of all tools together: compiling takes a millisecond for every few values of a schema, and with many of them more. */
const maxParts = 5000;
/** Enough to start with; locating each takes time. */
const maxFaults = 50;

/** How many values a schema is made of; none where it is so plain that it need not be compiled. */
function countParts(schema: unknown): number {
  return isPlainSchema(schema) ? 0 : countValues(schema, maxParts);
}

const latestDraft = "https://json-schema.org/draft/2020-12/schema";

async function findFault(schema: unknown): Promise<{ steps: readonly PropertyKey[]; reason: string } | null> {
  if (!isMap(schema)) return { steps: [], reason: "expected a schema of type object" };
  const fault = await schemaFault(
    Object.hasOwn(schema, "$schema") ? schema : { $schema: latestDraft, ...schema },
  );
  if (fault !== null || schema.type === "object") return fault;
  return schema.type === undefined
    ? { steps: [], reason: 'the type is missing; it must be "object"' }
    : { steps: ["type"], reason: 'must be "object"' };
}
