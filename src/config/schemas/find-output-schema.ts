import { join, resolve } from "node:path";
import { type ContractSchema, isSchemaName } from "../../contract/output-contract.ts";
import { isFile, isInside, nearPath, realPath } from "../../shared/files/paths.ts";
import { parseJsonText, readTextFile } from "../../shared/files/read-text-file.ts";
import type { JsonSchema } from "../../shared/json/json.ts";
import { compileSchema } from "../../shared/json/json-schema.ts";
import { isPlainSchema } from "../../shared/json/plain-schema.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { UserError } from "../../shared/user-error.ts";
import { planSchemaName } from "../plan/plan-schema.ts";
import { tableViolations } from "../plan/plan-tables.ts";
import { fileSchema } from "./file-schemas.ts";
import { type SchemaName, schemaNames } from "./schema-names.ts";

/** Where the schema of an output may be, in this order; the last location is the package itself. */
export interface SchemaLocations {
  /** What `--schema <name>=<file>` says: name → absolute path. */
  given: Readonly<Record<string, string>>;
  /** The skill that names it, absolute; null where none does. */
  skillDir: string | null;
  /** `schemas/` below it is looked into. */
  cwd: string;
}

export interface FoundSchema extends ContractSchema {
  /** Absolute; null where it comes with the package. */
  path: string | null;
}

/** The schema that a skill names. One that is nowhere, or no schema, is for the user to fix. */
export function findOutputSchema(name: string, locations: SchemaLocations): FoundSchema {
  const { given, skillDir, cwd } = locations;
  if (!isSchemaName(name) && !Object.hasOwn(given, name))
    throw new UserError("schema-not-found", `invalid schema name: ${shownText(name, 200)}`, {
      hint: "use a plain name and map it to a file with --schema <name>=<file>",
    });
  const file = `${name}.schema.json`;
  const searched: string[] = [];
  const path = findPath(name, locations, searched);
  if (path !== null) return { name, schema: readSchemaFile(path, cwd), path };
  if (isBundled(name)) return bundledSchema(name);
  throw new UserError(
    "schema-not-found",
    `schema not found: ${shownText(name, 200)}; searched ${[...searched, `${file} in the package`].join(", ")}`,
    {
      path: skillDir === null ? undefined : nearPath(skillDir, cwd),
      hint: `add schemas/${file}, or pass --schema ${name}=<file>`,
    },
  );
}

/** A schema that comes with the package. */
export function bundledSchema(name: string): FoundSchema {
  if (!isBundled(name)) throw new Error(`${name} does not come with the package`);
  return { name, schema: fileSchema(name), check: bundledCheck(name), path: null };
}

/** The schemas that a text mentions by names with a dot, such as `ah32.plan.v1`, and that exist. */
export function schemasMentioned(prose: string, locations: SchemaLocations): FoundSchema[] {
  const names = prose.match(/(?<![\w.-])[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)+/g) ?? [];
  return [...new Set(names)].flatMap((name) => {
    try {
      return [findOutputSchema(name, locations)];
    } catch (error) {
      if (error instanceof UserError && error.code === "schema-not-found") return [];
      throw error;
    }
  });
}

/** The schema that a file names: another file, from the folder of the first, or the name of a schema. */
export function findNamedSchema(words: string, dir: string, locations: SchemaLocations): FoundSchema {
  if (!Object.hasOwn(locations.given, words) && isFile(resolve(dir, words))) {
    const path = resolve(dir, words);
    return { name: words, schema: readSchemaFile(path, locations.cwd), path };
  }
  // `schemas/<name>.schema.json` is how the package itself calls it.
  const name = /^(?:\.\/)?schemas\/([^/\\]+)\.schema\.json$/.exec(words)?.[1] ?? words;
  if (isSchemaName(name) || Object.hasOwn(locations.given, name)) return findOutputSchema(name, locations);
  throw new UserError("schema-not-found", `schema file not found: ${shownText(words, 200)}`, {
    path: nearPath(resolve(dir, words), locations.cwd),
    hint: "paths are relative to the file that references them",
  });
}

function findPath(
  name: string,
  { given, skillDir, cwd }: SchemaLocations,
  searched: string[],
): string | null {
  if (Object.hasOwn(given, name)) return given[name] ?? null;
  for (const folder of [skillDir, cwd]) {
    if (folder === null) continue;
    const path = join(folder, "schemas", `${name}.schema.json`);
    searched.push(nearPath(path, cwd));
    if (!isFile(path)) continue;
    if (folder === skillDir && !isInside(realPath(skillDir), realPath(path)))
      throw new UserError("path-outside-skill", `${nearPath(path, cwd)} is outside the skill folder`, {
        path: nearPath(path, cwd),
      });
    return path;
  }
  return null;
}

const capBytes = 1024 * 1024;

function readSchemaFile(path: string, cwd: string): JsonSchema {
  const shown = nearPath(path, cwd);
  const code = "schema-invalid";
  const schema = parseJsonText(readTextFile(path, { code, capBytes, shownPath: shown }), code, shown);
  const compiled = isPlainSchema(schema) ? null : compileSchema(schema);
  if (compiled?.ok === false)
    throw new UserError(code, `${shown} is not a valid JSON Schema: ${compiled.problem}`, { path: shown });
  return schema as JsonSchema;
}

/** What a bundled schema cannot express. A file of that name that a user brings is taken as it is. */
function bundledCheck(name: SchemaName): FoundSchema["check"] {
  return name === planSchemaName ? tableViolations : undefined;
}

function isBundled(name: string): name is SchemaName {
  return (schemaNames as readonly string[]).includes(name);
}
