import type { JsonObject } from "../../shared/json/json.ts";
import { isMap } from "../../shared/json/json-values.ts";

/** A schema somewhere inside the schema of a tool's parameters. */
export interface InnerSchema {
  /** The parameter it is about, with its path: `filter.mode`, `rows[]`. */
  parameter: string;
  steps: readonly PropertyKey[];
  schema: Readonly<Record<string, unknown>>;
}

/** The schemas of all parameters, whatever they are nested in. */
export function* innerSchemas(parameters: JsonObject): Generator<InnerSchema> {
  const waiting: InnerSchema[] = [{ parameter: "", steps: [], schema: parameters }];
  for (let inner = waiting.pop(); inner !== undefined; inner = waiting.pop()) {
    if (inner.parameter !== "") yield inner;
    const { schema, steps, parameter } = inner;
    const add = (value: unknown, at: readonly PropertyKey[], name: string) => {
      if (isMap(value)) waiting.push({ parameter: name, steps: [...steps, ...at], schema: value });
    };
    if (isMap(schema.properties))
      for (const [name, value] of Object.entries(schema.properties).reverse())
        add(value, ["properties", name], parameter === "" ? name : `${parameter}.${name}`);
    if (parameter !== "") add(schema.items, ["items"], `${parameter}[]`);
    for (const keyword of sideBySide)
      if (Array.isArray(schema[keyword]))
        for (const [index, value] of schema[keyword].entries()) add(value, [keyword, index], parameter);
  }
}

/** What a call may and must name, as far as the schema says. */
export interface SchemaParameters {
  /** Names that it knows: properties, and what it requires without describing it. */
  declared: ReadonlySet<string>;
  required: ReadonlySet<string>;
}

/** Every way to say something about the same object is followed, so that nothing is taken for undeclared that is not. */
export function schemaParameters(parameters: JsonObject): SchemaParameters {
  const declared = new Set<string>();
  const required = new Set<string>();
  // Iterating a set also visits items added meanwhile, and none twice.
  const schemas = new Set<unknown>([parameters]);
  for (const schema of schemas) {
    if (!isMap(schema)) continue;
    if (isMap(schema.properties))
      for (const [name, value] of Object.entries(schema.properties)) if (value !== false) declared.add(name);
    if (Array.isArray(schema.required))
      for (const name of schema.required) if (typeof name === "string") required.add(name);
    const lists = sideBySide.flatMap((keyword) => (Array.isArray(schema[keyword]) ? schema[keyword] : []));
    const dependent = isMap(schema.dependentSchemas) ? Object.values(schema.dependentSchemas) : [];
    const singles = [schema.if, schema.then, schema.else, definition(parameters, schema.$ref)];
    for (const more of [...lists, ...dependent, ...singles]) schemas.add(more);
  }
  for (const name of required) declared.add(name);
  return { declared, required };
}

const sideBySide = ["allOf", "anyOf", "oneOf"];

function definition(parameters: JsonObject, reference: unknown): unknown {
  const [, keyword = "", name = ""] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(String(reference)) ?? [];
  const members = parameters[keyword];
  return isMap(members) && Object.hasOwn(members, name) ? members[name] : null;
}
