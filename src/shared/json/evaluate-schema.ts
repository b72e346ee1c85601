import { canonicalJson } from "./canonical-json.ts";
import { isMap } from "./json-values.ts";
import { jsonPointer } from "./places.ts";
import { checkKeywords } from "./schema-keywords.ts";
import { openResources, type Resource } from "./schema-resources.ts";

/** Something that a schema rejected, as the compiler of older drafts reports it. */
export interface SchemaError {
  instancePath: string;
  keyword: string;
  message: string;
  params: Readonly<Record<string, unknown>>;
  /** The value of the keyword. */
  schema: unknown;
}

export interface EvaluationRules {
  isDraft07: boolean;
  documentAt(uri: string): unknown;
  /** Whether a text or number has a format; null where nobody knows that format, undefined where formats are not checked. */
  format: ((name: string) => ((value: unknown) => boolean) | null) | undefined;
  pattern(source: string): RegExp;
}

/** What a valid part has looked at, which `unevaluated…` leaves alone. */
interface Seen {
  names: Set<string>;
  items: Set<number>;
}

type Schema = Readonly<Record<string, unknown>>;

/** Checks values against a schema by walking through it. Every reference is resolved now, so that a mistake shows before the first value. */
export function schemaEvaluator(root: unknown, rules: EvaluationRules): (value: unknown) => SchemaError[] {
  const references: (() => void)[] = [];
  const { first, homeOf, resolve } = openResources(root, {
    ...rules,
    check(schema) {
      checkKeywords(schema, rules);
      for (const ref of [schema.$ref, schema.$dynamicRef])
        if (typeof ref === "string") references.push(() => resolve(ref, homeOf(schema) ?? first));
    },
  });
  for (const reference of references) reference(); // grows while documents are added
  return (value) => {
    const errors: SchemaError[] = [];
    evaluate(root, value, { at: "", scope: [first], errors });
    return errors;
  };

  interface Place {
    at: string;
    /** The resources that were entered, the outermost first. */
    scope: readonly Resource[];
    errors: SchemaError[];
  }

  /** Null where the value is not valid. */
  function evaluate(schema: unknown, value: unknown, place: Place): Seen | null {
    if (schema === true) return nothing();
    if (!isMap(schema)) {
      fail(place, "false schema", "boolean schema is false", {}, schema);
      return null;
    }
    const home = homeOf(schema) ?? first;
    const scope = place.scope.at(-1) === home ? place.scope : [...place.scope, home];
    const here = { ...place, scope };
    const before = here.errors.length;
    const seen = nothing();
    checkPlain(schema, value, here);
    applyInPlace(schema, value, here, seen);
    if (Array.isArray(value)) checkItems(schema, value, here, seen);
    else if (isMap(value)) checkMembers(schema, value, here, seen);
    return here.errors.length === before ? seen : null;
  }

  function fail(
    { at, errors }: Place,
    keyword: string,
    message: string,
    params: SchemaError["params"] = {},
    schema: unknown = null,
  ): void {
    errors.push({ instancePath: at, keyword, message, params, schema });
  }

  /** Whether a part accepts a value; what it has to say about it is dropped. */
  function isValid(schema: unknown, value: unknown, place: Place): Seen | null {
    return evaluate(schema, value, { ...place, errors: [] });
  }

  function checkPlain(schema: Schema, value: unknown, place: Place): void {
    const { type, enum: values, const: only } = schema;
    const types = type === undefined ? [] : [type].flat();
    if (types.length > 0 && !types.some((one) => isOfType(value, one)))
      fail(place, "type", `must be ${types.join(",")}`, { type });
    if (Array.isArray(values) && !values.some((one) => isSame(one, value)))
      fail(place, "enum", "must be equal to one of the allowed values", { allowedValues: values });
    if (Object.hasOwn(schema, "const") && !isSame(only, value))
      fail(place, "const", "must be equal to constant", { allowedValue: only });
    if (typeof value === "number") checkNumber(schema, value, place);
    if (typeof value === "string") checkText(schema, value, place);
    const { format } = schema;
    if (typeof format !== "string" || rules.format === undefined) return;
    if (rules.format(format)?.(value) === false) fail(place, "format", `must match format "${format}"`);
  }

  function checkNumber(schema: Schema, value: number, place: Place): void {
    const limits = [
      ["minimum", ">=", (limit: number) => value >= limit],
      ["maximum", "<=", (limit: number) => value <= limit],
      ["exclusiveMinimum", ">", (limit: number) => value > limit],
      ["exclusiveMaximum", "<", (limit: number) => value < limit],
    ] as const;
    for (const [keyword, sign, holds] of limits) {
      const limit = schema[keyword];
      if (typeof limit === "number" && !holds(limit)) fail(place, keyword, `must be ${sign} ${limit}`);
    }
    const { multipleOf } = schema;
    if (typeof multipleOf === "number" && !Number.isInteger(value / multipleOf))
      fail(place, "multipleOf", `must be multiple of ${multipleOf}`);
  }

  function checkText(schema: Schema, value: string, place: Place): void {
    checkSize(schema, "Length", [...value].length, "characters", place);
    const { pattern } = schema;
    if (typeof pattern === "string" && !rules.pattern(pattern).test(value))
      fail(place, "pattern", `must match pattern "${pattern}"`);
  }

  function checkSize(schema: Schema, what: string, size: number, noun: string, place: Place): void {
    const { [`min${what}`]: least, [`max${what}`]: most } = schema;
    if (typeof least === "number" && size < least)
      fail(place, `min${what}`, `must NOT have fewer than ${least} ${noun}`);
    if (typeof most === "number" && size > most)
      fail(place, `max${what}`, `must NOT have more than ${most} ${noun}`);
  }

  /** What other schemas say about the same value. */
  function applyInPlace(schema: Schema, value: unknown, place: Place, seen: Seen): void {
    const { $ref: ref, $dynamicRef: dynamicRef, not, if: condition } = schema;
    const apply = (other: unknown, at: Place = place) => merge(seen, evaluate(other, value, at));
    if (typeof ref === "string") apply(...refer(resolve(ref, currentResource(place)), place));
    if (typeof dynamicRef === "string") apply(...refer(dynamicTarget(dynamicRef, place), place));
    for (const other of listOf(schema.allOf)) apply(other);
    checkAlternatives(schema, value, place, seen);
    if (not !== undefined && isValid(not, value, place) !== null)
      fail(place, "not", "must NOT be valid", {}, not);
    if (condition !== undefined) {
      const met = isValid(condition, value, place);
      merge(seen, met);
      const branch = met === null ? "else" : "then";
      if (schema[branch] !== undefined && !apply(schema[branch]))
        fail(place, "if", `must match "${branch}" schema`);
    }
    if (!isMap(value)) return;
    for (const [name, other] of Object.entries({
      ...mapOf(schema.dependencies),
      ...mapOf(schema.dependentSchemas),
    }))
      if (Object.hasOwn(value, name) && !Array.isArray(other)) apply(other);
  }

  function currentResource({ scope }: Place): Resource {
    return scope.at(-1) ?? first;
  }

  function refer(
    { schema, resource }: { schema: unknown; resource: Resource },
    place: Place,
  ): [unknown, Place] {
    const home = (isMap(schema) ? homeOf(schema) : undefined) ?? resource;
    return [schema, { ...place, scope: [...place.scope, home] }];
  }

  /** The outermost resource that has an anchor of this name, where the reference begins at such an anchor. */
  function dynamicTarget(ref: string, place: Place) {
    const target = resolve(ref, currentResource(place));
    const { anchor } = target;
    if (anchor === null || !target.resource.dynamic.has(anchor)) return target;
    const resource = place.scope.find(({ dynamic }) => dynamic.has(anchor)) ?? target.resource;
    return { schema: resource.anchors.get(anchor), resource };
  }

  function checkAlternatives(schema: Schema, value: unknown, place: Place, seen: Seen): void {
    for (const keyword of ["anyOf", "oneOf"] as const) {
      const options = schema[keyword];
      if (!Array.isArray(options)) continue;
      const tried: SchemaError[] = [];
      const valid = options.flatMap((one) => evaluate(one, value, { ...place, errors: tried }) ?? []);
      if (valid.length === 0) place.errors.push(...tried);
      if (valid.length === 0 || (keyword === "oneOf" && valid.length > 1))
        fail(
          place,
          keyword,
          keyword === "anyOf" ? "must match a schema in anyOf" : "must match exactly one schema in oneOf",
        );
      for (const one of valid) merge(seen, one);
    }
  }

  function checkItems(schema: Schema, value: readonly unknown[], place: Place, seen: Seen): void {
    checkSize(schema, "Items", value.length, "items", place);
    if (schema.uniqueItems === true && new Set(value.map((one) => canonicalJson(one))).size < value.length)
      fail(place, "uniqueItems", "must NOT have duplicate items");
    const first = Array.isArray(schema.items) ? schema.items : listOf(schema.prefixItems);
    const rest = Array.isArray(schema.items) ? schema.additionalItems : schema.items;
    for (const [index, item] of value.entries()) {
      const other = index < first.length ? first[index] : rest;
      if (other === undefined) continue;
      evaluate(other, item, within(place, index));
      seen.items.add(index);
    }
    if (schema.contains !== undefined) checkContains(schema, value, place, seen);
    const { unevaluatedItems: others } = schema;
    if (others === undefined || rules.isDraft07) return;
    for (const [index, item] of value.entries()) {
      if (seen.items.has(index)) continue;
      if (others === false)
        fail(place, "unevaluatedItems", `must NOT have more than ${index} items`, { limit: index });
      else evaluate(others, item, within(place, index));
      if (others === false) break;
    }
    for (const index of value.keys()) seen.items.add(index);
  }

  function checkContains(schema: Schema, value: readonly unknown[], place: Place, seen: Seen): void {
    const { contains, minContains: least = 1, maxContains: most = Infinity } = schema;
    const found = [...value.entries()].filter(([, item]) => isValid(contains, item, place) !== null);
    const isTooMany = !rules.isDraft07 && found.length > Number(most);
    if (found.length < (rules.isDraft07 ? 1 : Number(least)) || isTooMany)
      fail(
        place,
        "contains",
        isTooMany
          ? `must contain at most ${String(most)} valid item(s)`
          : `must contain at least ${rules.isDraft07 ? 1 : String(least)} valid item(s)`,
      );
    if (!rules.isDraft07) for (const [index] of found) seen.items.add(index);
  }

  function checkMembers(schema: Schema, value: Schema, place: Place, seen: Seen): void {
    const names = Object.keys(value);
    checkSize(schema, "Properties", names.length, "properties", place);
    for (const name of listOf(schema.required))
      if (!Object.hasOwn(value, String(name)))
        fail(place, "required", `must have required property '${String(name)}'`, { missingProperty: name });
    for (const [name, needed] of Object.entries({
      ...mapOf(schema.dependencies),
      ...mapOf(schema.dependentRequired),
    }))
      if (Object.hasOwn(value, name))
        for (const other of listOf(needed))
          if (!Object.hasOwn(value, String(other)))
            fail(
              place,
              "dependentRequired",
              `must have property ${String(other)} when property ${name} is present`,
              { missingProperty: other },
            );
    if (schema.propertyNames !== undefined)
      for (const name of names)
        if (evaluate(schema.propertyNames, name, place) === null)
          fail(place, "propertyNames", "property name must be valid", { propertyName: name });
    const properties = mapOf(schema.properties);
    const patterns = Object.entries(mapOf(schema.patternProperties));
    for (const name of names) {
      const own = Object.hasOwn(properties, name) ? [properties[name]] : [];
      const matching = patterns.filter(([source]) => rules.pattern(source).test(name)).map(([, one]) => one);
      const found = [...own, ...matching];
      for (const one of found) evaluate(one, value[name], within(place, name));
      if (found.length > 0) seen.names.add(name);
      else if (schema.additionalProperties !== undefined) {
        checkRest("additionalProperties", name);
        seen.names.add(name);
      }
    }
    if (schema.unevaluatedProperties === undefined || rules.isDraft07) return;
    for (const name of names) {
      if (!seen.names.has(name)) checkRest("unevaluatedProperties", name);
      seen.names.add(name);
    }

    function checkRest(keyword: "additionalProperties" | "unevaluatedProperties", name: string): void {
      const isAdditional = keyword === "additionalProperties";
      const params = isAdditional ? { additionalProperty: name } : { unevaluatedProperty: name };
      const words = `must NOT have ${isAdditional ? "additional" : "unevaluated"} properties`;
      if (schema[keyword] === false) fail(place, keyword, words, params);
      else evaluate(schema[keyword], value[name], within(place, name));
    }
  }

  function within(place: Place, key: PropertyKey): Place {
    return { ...place, at: `${place.at}${jsonPointer([key])}` };
  }
}

function nothing(): Seen {
  return { names: new Set(), items: new Set() };
}

/** Adds what a valid part has seen; whether it was valid. */
function merge(seen: Seen, other: Seen | null): boolean {
  for (const name of other?.names ?? []) seen.names.add(name);
  for (const index of other?.items ?? []) seen.items.add(index);
  return other !== null;
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isMap(value);
    case "integer":
      return Number.isInteger(value);
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || canonicalJson(one) === canonicalJson(other);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function mapOf(value: unknown): Schema {
  return isMap(value) ? value : {};
}
