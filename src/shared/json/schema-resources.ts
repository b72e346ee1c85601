import { isMap } from "./json-values.ts";

/** A schema with a name of its own, and what can be referred to in it. */
export interface Resource {
  uri: string;
  root: unknown;
  anchors: Map<string, unknown>;
  /** Those of the anchors that `$dynamicRef` looks for from outside. */
  dynamic: Set<string>;
  /** References that were resolved from here. */
  targets: Map<string, Target>;
}

export interface Target {
  schema: unknown;
  resource: Resource;
  /** The anchor by which it was found. */
  anchor: string | null;
}

interface ScanRules {
  isDraft07: boolean;
  /** Documents that are known without being fetched. */
  documentAt(uri: string): unknown;
  /** Called for every schema of the document, to refuse it. */
  check(schema: Readonly<Record<string, unknown>>): void;
}

const schemaMaps = [
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
  "dependencies",
];
const schemaLists = ["allOf", "anyOf", "oneOf", "prefixItems", "items"];
const schemas =
  "items additionalItems contains additionalProperties propertyNames unevaluatedItems unevaluatedProperties not if then else contentSchema".split(
    " ",
  );

/** Where nothing else is named: relative references are resolved against it. */
const unnamed = "schema://unnamed/";

/** The resources of one schema, found by following its subschemas, and how references between them are resolved. */
export function openResources(root: unknown, rules: ScanRules) {
  const byUri = new Map<string, Resource>();
  const homes = new Map<object, Resource>();
  const first = addResource(root, unnamed);

  return { first, homeOf: (schema: object) => homes.get(schema), resolve };

  function addResource(schema: unknown, uri: string): Resource {
    const resource = newResource(schema, uri);
    byUri.set(uri, resource);
    scan(schema, resource);
    return resource;
  }

  function scan(schema: unknown, outer: Resource): void {
    if (!isMap(schema) || homes.has(schema)) return;
    rules.check(schema);
    const resource = ownResource(schema, outer);
    homes.set(schema, resource);
    for (const keyword of ["$anchor", "$dynamicAnchor"]) {
      const name = schema[keyword];
      if (typeof name !== "string" || rules.isDraft07) continue;
      // Where both are there, `$dynamicAnchor` is not hidden by an `$anchor` of the same name.
      if (keyword === "$dynamicAnchor") resource.dynamic.add(name);
      resource.anchors.set(name, schema);
    }
    for (const inner of innerSchemas(schema)) scan(inner, resource);
  }

  function ownResource(schema: Readonly<Record<string, unknown>>, outer: Resource): Resource {
    const { $id: id, $ref: ref } = schema;
    if (typeof id !== "string" || (rules.isDraft07 && ref !== undefined)) return outer;
    if (rules.isDraft07 && id.startsWith("#")) {
      outer.anchors.set(id.slice(1), schema);
      return outer;
    }
    const uri = absolute(id, outer.uri).document;
    if (outer.root === schema) Object.assign(outer, { uri });
    const resource = outer.root === schema ? outer : newResource(schema, uri);
    byUri.set(uri, resource);
    return resource;
  }

  function resolve(ref: string, from: Resource): Target {
    const known = from.targets.get(ref);
    if (known !== undefined) return known;
    const target = find(ref, from);
    from.targets.set(ref, target);
    return target;
  }

  function find(ref: string, from: Resource): Target {
    const { document, fragment } = absolute(ref, from.uri);
    const resource = byUri.get(document) ?? knownDocument(document);
    if (resource === null) throw new Error(`can't resolve reference ${ref} from id ${from.uri}`);
    if (fragment === "") return { schema: resource.root, resource, anchor: null };
    if (!fragment.startsWith("/")) {
      const schema = resource.anchors.get(fragment);
      if (schema === undefined) throw new Error(`can't resolve reference ${ref} from id ${from.uri}`);
      return { schema, resource, anchor: fragment };
    }
    return { ...follow(fragment, resource, ref), anchor: null };
  }

  function knownDocument(uri: string): Resource | null {
    const document = rules.documentAt(uri);
    return document === undefined ? null : addResource(document, uri);
  }

  function follow(pointer: string, from: Resource, ref: string): Omit<Target, "anchor"> {
    let schema = from.root;
    let resource = from;
    for (const part of pointer.slice(1).split("/")) {
      const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
      if (schema === null || typeof schema !== "object" || !Object.hasOwn(schema, key))
        throw new Error(`can't resolve reference ${ref} from id ${from.uri}`);
      schema = (schema as Record<string, unknown>)[key];
      if (isMap(schema)) resource = homes.get(schema) ?? resource;
    }
    scan(schema, resource);
    return { schema, resource };
  }
}

function newResource(root: unknown, uri: string): Resource {
  return { uri, root, anchors: new Map(), dynamic: new Set(), targets: new Map() };
}

function* innerSchemas(schema: Readonly<Record<string, unknown>>): Generator<unknown> {
  for (const keyword of schemaMaps) if (isMap(schema[keyword])) yield* Object.values(schema[keyword]);
  for (const keyword of schemaLists) if (Array.isArray(schema[keyword])) yield* schema[keyword];
  for (const keyword of schemas) yield schema[keyword];
}

function absolute(ref: string, base: string): { document: string; fragment: string } {
  const url = new URL(ref, base);
  const fragment = decodeURIComponent(url.hash.slice(1));
  url.hash = "";
  return { document: url.href.replace(/#$/, ""), fragment };
}
