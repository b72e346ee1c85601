import * as z from "zod";
import type { DiagnosticLocation, Diagnostics } from "../../../contract/diagnostics.ts";
import { maxIdCharacters } from "../../../contract/limits.ts";
import type { TriggerQuery } from "../../../contract/triggering.ts";
import { findJsonFault } from "../../../shared/json/find-json-fault.ts";
import { isMap } from "../../../shared/json/json-values.ts";
import { jsonPath } from "../../../shared/json/locations.ts";
import { itemPositionsInJson, positionInJson } from "../../../shared/json/position-in-json.ts";
import { parseStrictJson } from "../../../shared/json/strict-json.ts";
import { zodProblem } from "../../../shared/json/zod-problem.ts";
import { shorten } from "../../../shared/text/visible-text.ts";
import { makeQuery } from "./make-query.ts";
import { maxQueries, type QuerySource } from "./read-queries.ts";

const Listed = z.object({ query: z.string(), should_trigger: z.boolean() });
const Evaluated = z.object({
  prompt: z.string(),
  should_trigger: z.boolean().default(true),
  id: z
    .union(
      [z.string().trim().min(1).max(maxIdCharacters), z.int()],
      `must be text of at most ${maxIdCharacters} characters, or a number`,
    )
    .optional(),
});

export interface QuerySetSource {
  /** As messages name it. */
  file: string;
  text: string;
  /** All names of the skill: `skill_name` must be one of them. */
  skillNames: readonly string[];
}

/**
 * Reads queries from a file of another tool: a list of `{query, should_trigger}`, or an `evals.json`.
 * Problems are reported.
 */
export function readQuerySet(source: QuerySetSource, diagnostics: Diagnostics): QuerySource {
  const { file, text } = source;
  const report = (location: Partial<DiagnosticLocation>, problem: string) =>
    diagnostics.add("TRG07", { file, ...location }, `import ${file}: ${problem}`, { hint });
  const parsed = parseStrictJson(text);
  if (!parsed.ok) {
    const { line, column, problem } = findJsonFault(text) ?? { problem: parsed.problem };
    report({ line, column }, problem);
    return nothing;
  }
  const { value } = parsed;
  if (isMap(value) && !namesSkill(value.skill_name, source)) {
    report(locate(text, ["skill_name"]), describeName(value.skill_name, source));
    return nothing;
  }
  const isList = Array.isArray(value);
  const items = isMap(value) ? value.evals : value;
  if (!Array.isArray(items)) {
    report({}, "neither a list of {query, should_trigger} nor {skill_name, evals}");
    return nothing;
  }
  if (items.length > maxQueries) {
    report({}, `has ${items.length} queries, limit ${maxQueries}`);
    return nothing;
  }
  const way = isList ? [] : ["evals"];
  const positions = itemPositionsInJson(text, way);
  const queries: TriggerQuery[] = [];
  for (const [index, item] of items.entries()) {
    const steps = [...way, index];
    const location = { file, ...positions[index], jsonPath: jsonPath(steps) };
    const read = isList ? readListed(item) : readEvaluated(item);
    if (!read.ok) {
      report(location, `${jsonPath([...steps, ...read.steps])} ${read.reason}`);
      continue;
    }
    const made = makeQuery({ ...read.written, location });
    if (made.ok) queries.push(made.query);
    else diagnostics.add("TRG03", location, `${file}${jsonPath(steps).slice(1)}: ${made.reason}`);
  }
  return { queries, isWhole: queries.length === items.length };
}

const nothing: QuerySource = { queries: [], isWhole: false };

const hint = "a list of {query, should_trigger}, or {skill_name, evals: [{id, prompt}]}";

type ItemReading =
  | { ok: true; written: { text: string; side: TriggerQuery["side"]; id?: string | number | undefined } }
  | { ok: false; steps: readonly PropertyKey[]; reason: string };

function readListed(item: unknown): ItemReading {
  const read = Listed.safeParse(item);
  if (!read.success) return { ok: false, ...zodProblem(read.error, item) };
  const { query: text, should_trigger: triggers } = read.data;
  return { ok: true, written: { text, side: triggers ? "should_match" : "should_not_match" } };
}

function readEvaluated(item: unknown): ItemReading {
  const read = Evaluated.safeParse(item);
  if (!read.success) return { ok: false, ...zodProblem(read.error, item) };
  const { prompt: text, should_trigger: triggers, id } = read.data;
  return { ok: true, written: { text, id, side: triggers ? "should_match" : "should_not_match" } };
}

function namesSkill(name: unknown, { skillNames }: QuerySetSource): boolean {
  return typeof name === "string" && skillNames.includes(name);
}

function describeName(name: unknown, { skillNames }: QuerySetSource): string {
  return typeof name === "string"
    ? `skill_name is ${JSON.stringify(shorten(name, 80))}, not ${skillNames[0]}`
    : "skill_name is missing";
}

function locate(text: string, steps: readonly PropertyKey[]): Partial<DiagnosticLocation> {
  const location = positionInJson(text, steps);
  return location === null ? {} : { ...location, jsonPath: jsonPath(steps) };
}
