import { hash } from "node:crypto";
import { basename, dirname, join, resolve } from "node:path";
import * as z from "zod";
import type { InputFile } from "../../contract/loaded-case.ts";
import { isInside, realPath } from "../../shared/files/paths.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { zodProblem } from "../../shared/json/zod-problem.ts";
import { shorten, shownText } from "../../shared/text/visible-text.ts";
import { type CaseDocument, faultIn } from "./case-document.ts";
import { statPath } from "./case-files.ts";
import type { EnclosingSkill } from "./enclosing-skill.ts";
import type { RawCase } from "./raw-case.ts";

const text = z.string().trim().min(1);
const prose = z.union([text, z.object({ text }).transform((value) => value.text)]);
const Query = z.object({ query: text, should_trigger: z.boolean(), skill_name: text.optional() });
const Evaluation = z.object({
  id: z.union([text, z.int()]).optional(),
  prompt: text,
  should_trigger: z.boolean().default(true),
  skill_name: text.optional(),
  files: z.array(text).nullish(),
  expected_output: z.string().nullish(),
  assertions: z.array(prose).nullish(),
  expectations: z.array(prose).nullish(),
});

/** Whether a document is an `evals.json` or a list of queries, the forms of other tools. */
export function isForeign({ value }: CaseDocument): boolean {
  return Array.isArray(value) || (isMap(value) && value.evals !== undefined);
}

export interface ForeignCases {
  /** The skill they are about; null where each names its own. */
  skill: string | null;
  cases: RawCase[];
}

/** Reads cases from a file of another tool: `{skill_name, evals}`, or a list of `{query, should_trigger}`. */
export function foreignCases(document: CaseDocument, context: EnclosingSkill | null): ForeignCases {
  const { value } = document;
  const isList = Array.isArray(value);
  const declared = isMap(value) ? value.skill_name : undefined;
  if (declared !== undefined && (typeof declared !== "string" || declared.trim() === ""))
    throw suiteFault(document, ["skill_name"], "must be the name of a skill");
  const items = isMap(value) ? value.evals : value;
  const way = isList ? [] : ["evals"];
  if (!Array.isArray(items) || items.length === 0) throw suiteFault(document, way, "must be a list of cases");
  const skill = declared ?? context?.name ?? null;
  const cases = items.map((item, index) => {
    const steps = [...way, index];
    const read = readItem(item, index, document, steps);
    const about = read.skill ?? skill;
    if (about === null) throw suiteFault(document, steps, "does not name its skill", whatToAdd(document));
    return {
      document,
      steps,
      written: toCase(read, about),
      defaults: null,
      calledBy: null,
      dir: context?.dir ?? dirname(document.file),
      skillDir: context?.dir ?? null,
      inputs: findInputs(read.files, document, [...steps, "files"], context),
    };
  });
  return { skill, cases };
}

interface ForeignCase {
  id: string;
  prompt: string;
  triggers: boolean;
  skill: string | null;
  files: readonly string[];
  rubric: readonly string[];
}

function readItem(
  item: unknown,
  index: number,
  document: CaseDocument,
  steps: readonly PropertyKey[],
): ForeignCase {
  if (isMap(item) && item.query !== undefined) {
    const { query, should_trigger, skill_name } = fit(Query, item, document, steps);
    const id = hash("sha256", query.normalize("NFC"), "hex").slice(0, 12); // stays where the list is sorted anew
    return {
      id,
      prompt: query,
      triggers: should_trigger,
      skill: skill_name ?? null,
      files: [],
      rubric: [],
    };
  }
  const read = fit(Evaluation, item, document, steps);
  const { expected_output: whole, assertions, expectations } = read;
  return {
    id: toCaseId(read.id ?? index + 1),
    prompt: read.prompt,
    triggers: read.should_trigger,
    skill: read.skill_name ?? null,
    files: read.files ?? [],
    rubric: [
      ...(whole && whole.trim() !== "" ? [whole] : []),
      ...(assertions ?? []),
      ...(expectations ?? []),
    ],
  };
}

function fit<Schema extends z.ZodType>(
  schema: Schema,
  item: unknown,
  document: CaseDocument,
  steps: readonly PropertyKey[],
): z.infer<Schema> {
  const read = schema.safeParse(item);
  if (read.success) return read.data;
  const problem = zodProblem(read.error, item);
  throw suiteFault(document, [...steps, ...problem.steps], problem.reason);
}

/** Other tools allow any text; ours is a name for files and the command line. */
function toCaseId(written: string | number): string {
  const plain = String(written)
    .replace(/[^A-Za-z0-9_.-]+/g, "-")
    .replace(/^[-_.]+/, "")
    .slice(0, 80);
  return plain === "" ? hash("sha256", String(written), "hex").slice(0, 12) : plain;
}

function toCase({ id, prompt, triggers, rubric }: ForeignCase, skill: string): JsonObject {
  return {
    id,
    title: shorten(prompt, 80),
    input: prompt,
    expect: {
      [triggers ? "skills_all_of" : "skills_none_of"]: [skill],
      ...(rubric.length > 0 && { rubric: [...rubric] }),
    },
  };
}

/** Files are named from the folder of the skill, or from the file that names them; others are refused. */
function findInputs(
  words: readonly string[],
  document: CaseDocument,
  steps: readonly PropertyKey[],
  context: EnclosingSkill | null,
): InputFile[] {
  const base = context?.dir ?? dirname(document.file);
  const names = new Set<string>();
  return words.map((word, index) => {
    const refuse = (problem: string) =>
      faultIn(document, [...steps, index], `names ${shownText(word, 200)}, which ${problem}`);
    const path = [join(base, word), resolve(dirname(document.file), word)].find(
      (one) => statPath(one) !== null,
    );
    if (path === undefined) throw refuse("does not exist");
    if (!isInside(realPath(base), realPath(path))) throw refuse("is outside the skill folder");
    if (statPath(path)?.isFile() !== true) throw refuse("is not a regular file");
    const name = basename(path);
    if (names.has(name)) throw refuse("has the same name as another file");
    names.add(name);
    return { name, path };
  });
}

function suiteFault(document: CaseDocument, steps: readonly PropertyKey[], problem: string, hint?: string) {
  return faultIn(document, steps, problem, { code: "suite-invalid", hint });
}

function whatToAdd({ value }: CaseDocument): string {
  return Array.isArray(value)
    ? 'move the file into the skill folder, or write {"skill_name": "…", "evals": [ … ]} around the list'
    : 'add "skill_name" beside "evals"';
}
