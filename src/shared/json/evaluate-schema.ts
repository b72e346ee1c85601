import { canonicalJson } from "./canonical-json.ts";
import {
  checkPlain,
  checkSize,
  fail,
  type Place,
  type Schema,
  type SchemaError,
} from "./check-plain-value.ts";
import { isMap } from "./json-values.ts";
import { jsonPointer } from "./locations.ts";
import { checkKeywords } from "./schema-keywords.ts";
import { openResources, type Resource } from "./schema-resources.ts";

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
    checkPlain(schema, value, here, rules);
    applyInPlace(schema, value, here, seen);
    if (Array.isArray(value)) checkItems(schema, value, here, seen);
    else if (isMap(value)) checkMembers(schema, value, here, seen);
    return here.errors.length === before ? seen : null;
  }

  /** Whether a part accepts a value; what it has to say about it is dropped. */
  function isValid(schema: unknown, value: unknown, place: Place): Seen | null {
    return evaluate(schema, value, { ...place, errors: [] });
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

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function mapOf(value: unknown): Schema {
  return isMap(value) ? value : {};
}
