import type * as z from "zod";
import { Config } from "../contract/config.ts";
import type { Json } from "../shared/json/json.ts";
import { isUnsafeKey } from "../shared/json/json-values.ts";
import { parseStrictJson } from "../shared/json/strict-json.ts";
import { zodProblem } from "../shared/json/zod-problem.ts";
import { didYouMean } from "../shared/text/nearest.ts";
import { UserError } from "../shared/user-error.ts";

type Schema = z.core.$ZodType;

export interface ConfigKey {
  /** As typed: `prices.openai/gpt-4o.inputPerMTok`. */
  key: string;
  path: readonly string[];
  schema: Schema;
  /** The keys below it that are always there; such a group can be shown and not be set. */
  members: readonly string[];
}

/** Finds a dotted key in the schema of the configuration, which is the only list of keys there is. */
export function findConfigKey(key: string): ConfigKey {
  const path: string[] = [];
  let schema: Schema = Config;
  let members = Object.keys(Config.shape);
  let rest: string | null = key;
  while (rest !== null) {
    const { name, below, remaining }: Step = nextStep(schema, rest, members, key);
    if (name === "") throw unknownKey(key, rest, members);
    if (isUnsafeKey(name)) throw new UserError("usage", `the key ${key} is not allowed`);
    path.push(name);
    schema = below;
    members = groupMembers(below);
    rest = remaining;
  }
  return { key, path, schema, members };
}

/** Reads the text of a value as the type its key has, and checks its range. */
export function parseConfigValue({ key, path, schema, members }: ConfigKey, text: string): Json {
  if (members.length > 0)
    throw new UserError("usage", `${key} is a group of keys and cannot be set as a whole`, {
      hint: `set one of ${members.map((member) => `${key}.${member}`).join(", ")}`,
    });
  const readings = readValues(text);
  for (const value of readings.all) if (accepts(schema, value)) return value;
  const value = bare(schema)._zod.def.type === "array" ? readings.list : readings.plain;
  const problem = zodProblem((schema as z.ZodType).safeParse(value).error as z.ZodError, value);
  const message = problem.message.replace(/^\$(?=[[.])/, path.join(".")).replace(/^\$ /, "it ");
  throw new UserError("usage", `invalid value ${JSON.stringify(text)} for ${key}: ${message}`);
}

interface Step {
  name: string;
  below: Schema;
  remaining: string | null;
}

function nextStep(schema: Schema, rest: string, members: readonly string[], key: string): Step {
  const { def } = bare(schema)._zod;
  if (def.type === "record") return recordStep(def.valueType, rest);
  const [name = "", ...others] = rest.split(".");
  const option =
    def.type === "union" ? def.options.map(bare).find((one) => one._zod.def.type === "object") : null;
  const shape = def.type === "object" ? def : (option?._zod.def as z.core.$ZodObjectDef | undefined);
  if (shape?.type !== "object" || !Object.hasOwn(shape.shape, name)) throw unknownKey(key, rest, members);
  return {
    name,
    below: shape.shape[name] as Schema,
    remaining: others.length === 0 ? null : others.join("."),
  };
}

/** Names in a record may hold dots (`gpt-4.1`, `.py`), so the known keys below are looked for from the end. */
function recordStep(valueType: Schema, rest: string): Step {
  const { def } = bare(valueType)._zod;
  const member =
    def.type === "object" ? Object.keys(def.shape).find((name) => rest.endsWith(`.${name}`)) : undefined;
  if (member === undefined) return { name: rest, below: valueType, remaining: null };
  return { name: rest.slice(0, -member.length - 1), below: valueType, remaining: member };
}

/** Groups are the maps that fill themselves with defaults. */
function groupMembers(schema: Schema): string[] {
  if ((schema as z.core.$ZodTypes)._zod.def.type !== "prefault") return [];
  const { def } = bare(schema)._zod;
  return def.type === "object" ? Object.keys(def.shape) : [];
}

/** The schema without what says that it may be left out. */
function bare(schema: Schema): z.core.$ZodTypes {
  const known = schema as z.core.$ZodTypes;
  const { def } = known._zod;
  switch (def.type) {
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
      return bare(def.innerType);
    default:
      return known;
  }
}

/** What a word on the command line may mean: null, itself, JSON, or a list with commas. */
function readValues(text: string): { all: Json[]; plain: Json; list: Json[] } {
  const json = parseStrictJson(text);
  const plain = json.ok ? (json.value as Json) : text;
  const list = text.split(",").map((item) => item.trim());
  return { all: [...(plain === null ? [null] : []), text, plain, list], plain, list };
}

function accepts(schema: Schema, value: Json): boolean {
  return (schema as z.ZodType).safeParse(value).success;
}

function unknownKey(key: string, rest: string, members: readonly string[]): UserError {
  const before = key.slice(0, key.length - rest.length);
  const known = members.map((member) => `${before}${member}`);
  return new UserError("usage", `unknown configuration key ${JSON.stringify(key)}`, {
    hint: known.length === 0 ? "eval-skills config list" : didYouMean(key, known),
  });
}
