import { join } from "node:path";
import type { JudgedWord } from "../../../cases/ask-about-sentences.ts";
import type { CheckResult } from "../../../cases/grade/dimension.ts";
import { checkText } from "../../../cases/grade/expected-text.ts";
import {
  bundledSchema,
  type FoundSchema,
  findOutputSchema,
  type SchemaLocations,
  schemasMentioned,
} from "../../../config/schemas/find-output-schema.ts";
import {
  type ContractSchema,
  type NamedSchema,
  type OutputContract,
  type PromisedOutput,
  readOutputSchema,
} from "../../../contract/output-contract.ts";
import type { DescribedSkill } from "../../../contract/skill.ts";
import { compileContract } from "../../../scorers/output-contract.ts";
import { nearPath } from "../../../shared/files/paths.ts";
import { isMap } from "../../../shared/json/json-values.ts";
import { parseStrictJson } from "../../../shared/json/strict-json.ts";
import { shownText } from "../../../shared/text/visible-text.ts";
import { UserError } from "../../../shared/user-error.ts";
import { type ConversationView, check } from "./conversation-view.ts";

/** Whether the final reply meets the contract of its skills and what the case asks for. */
export async function checkOutput(view: ConversationView): Promise<CheckResult[]> {
  const { output } = view.expect;
  if (output === undefined) return [];
  const { final, silence, loaded } = view;
  if (final === null) return [check("output", { unseen: silence ?? "there is no final reply" })];
  const ofContract = output.contract || output.schema !== undefined ? checkContract(view, final) : [];
  return [...ofContract, ...(await checkText({ ...loaded, output }, final))];
}

function checkContract({ contract, prose: word }: ConversationView, final: string): CheckResult[] {
  const { markers = [], maxChars = null, schemas = [], prose = null, offers = [] } = contract ?? {};
  const hasRules = markers.length > 0 || maxChars !== null || schemas.length > 0;
  if (!hasRules && prose === null)
    return [check("contract", { unseen: "no skill of the conversation declares an output contract" })];
  const rules = { markers, maxChars, schemas: schemas.map(usableSchema) };
  return [
    ...(hasRules ? [holds("contract", rules, final)] : []),
    ...offers.map((offer) => keepsOffer(offer, final)),
    ...(prose === null
      ? []
      : [word === undefined ? note(proseCheck, "prose contract") : asJudged(prose, word)]),
  ];
}

/** The name of the check of what a skill says in prose about its output. */
export const proseCheck = "output.prose";

/** What a judge found, who was asked whether the output is as the skill says. */
function asJudged(prose: string, { pass, reason }: JudgedWord): CheckResult {
  if (pass === null)
    return check(proseCheck, { unseen: `the judge gave no verdict: ${shownText(reason, 300)}` });
  if (pass) return check(proseCheck, {});
  const message = `the output does not match its description in the skill: ${shownText(reason, 400)}`;
  return check(proseCheck, { faults: [{ code: "OutputProse", message, expected: prose, actual: reason }] });
}

/** Whether a text meets a contract. */
function holds(name: string, contract: OutputContract, text: string): CheckResult {
  const compiled = compileContract(contract);
  if (!compiled.ok) return check(name, { unseen: compiled.problem });
  const lines = compiled
    .check(text)
    .map(({ pointer, reason }) => shownText(`${pointer} ${reason}`.trim(), 300));
  if (lines.length === 0) return check(name, {});
  const message = `the output breaks its contract: ${lines.slice(0, 3).join("; ")}`;
  const expected = {
    markers: [...contract.markers],
    max_chars: contract.maxChars,
    schemas: contract.schemas.map((schema) => schema.name),
  };
  return check(name, { faults: [{ code: "OutputContract", message, expected, actual: lines }] });
}

/** A schema that prose mentions binds outputs which say that they are of it. */
function keepsOffer(offer: NamedSchema, final: string): CheckResult {
  const text = withoutFence(final);
  const name = `contract ${offer.name}${text === final.trim() ? "" : " (fenced)"}`;
  const read = parseStrictJson(text);
  if (!read.ok || !isMap(read.value) || read.value.schema_version !== offer.name)
    return note(name, `the output is not a JSON object of ${offer.name}`);
  return holds(name, { markers: [], maxChars: null, schemas: [usableSchema(offer)] }, text);
}

/** The one code fence around a whole output: chats ask for it. */
function withoutFence(text: string): string {
  return /^```[\w-]*\n([\s\S]*?)\n```$/.exec(text.trim())?.[1]?.trim() ?? text.trim();
}

function note(name: string, unseen: string): CheckResult {
  return { ...check(name, { unseen }), isRequired: false, isNote: true };
}

type Promising = Pick<DescribedSkill, "dir" | "id" | "output">;
type Known = { schemas: Readonly<Record<string, string>>; cwd: string };

/** What the first of these skills that declares something promises of its output; null where none does. */
export function promisedOutput(skills: readonly Promising[], { schemas, cwd }: Known): PromisedOutput | null {
  const first = skills.find(({ output }) => output !== null);
  if (first === undefined || first.output === null) return null;
  const { markers = [], max_chars, output_schema } = first.output;
  const locations = { given: schemas, skillDir: first.dir, cwd };
  const { name, prose } = readOutputSchema(output_schema);
  return {
    markers,
    maxChars: max_chars ?? null,
    schemas: name === null ? [] : [stored(findPromised(name, first, locations))],
    prose,
    offers: prose === null ? [] : schemasMentioned(prose, locations).map(stored),
  };
}

/** The schema of this name, which a case demands whatever its skills promise. */
export function demandedSchema(name: string, { schemas, cwd }: Known): NamedSchema {
  return stored(findOutputSchema(name, { given: schemas, skillDir: null, cwd }));
}

function findPromised(name: string, { id, dir }: Promising, locations: SchemaLocations): FoundSchema {
  try {
    return findOutputSchema(name, locations);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(error.code, `${id}: ${error.message}`, {
      path: nearPath(join(dir, "skill.json"), locations.cwd),
      jsonPath: "$.output.output_schema",
      hint: error.hint ?? undefined,
    });
  }
}

/** The schema of plans alone is 90 KB, and comes with the package: it is not stored with every conversation. */
function stored({ name, schema, path }: FoundSchema): NamedSchema {
  return { name, schema: path === null ? null : schema };
}

function usableSchema({ name, schema }: NamedSchema): ContractSchema {
  return schema === null ? bundledSchema(name) : { name, schema };
}
