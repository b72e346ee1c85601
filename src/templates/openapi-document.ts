import type { Json, JsonObject } from "../shared/json/json.ts";
import { isMap } from "../shared/json/json-values.ts";
import { UserError } from "../shared/user-error.ts";

/** An OpenAPI file that was read, with its references. Whatever is wrong with it is a `UserError` naming file and location. */
export class OpenapiDocument {
  readonly root: JsonObject;
  readonly path: string;
  readonly version: "3.0" | "3.1";

  constructor(root: Json, path: string) {
    this.path = path;
    if (!isMap(root)) throw this.refusal("is not an OpenAPI document: expected a map", "$");
    this.root = root;
    this.version = this.#readVersion(root);
  }

  refusal(problem: string, jsonPath?: string, hint?: string): UserError {
    return new UserError("usage", `${this.path} ${problem}`, { path: this.path, jsonPath, hint });
  }

  /** The value at a path of the document, with a reference there resolved. Null where there is nothing. */
  follow(value: Json | undefined): JsonObject | null {
    const seen = new Set<string>();
    let current = value;
    while (isMap(current) && typeof current.$ref === "string") {
      if (seen.has(current.$ref)) throw this.refusal(`has a circular reference: ${current.$ref}`);
      seen.add(current.$ref);
      current = this.at(current.$ref);
    }
    return isMap(current) ? current : null;
  }

  /** The value a reference names. Only this file is looked into. */
  at(reference: string): Json {
    if (reference !== "#" && !reference.startsWith("#/"))
      throw this.refusal(
        `has the reference ${reference}, which points outside the file`,
        undefined,
        "only references within the file (#/…) are supported; bundle it into one file first",
      );
    let value: Json = this.root;
    for (const step of reference.split("/").slice(1)) {
      const key = readStep(step);
      const next: Json | undefined =
        typeof value === "object" && value !== null && Object.hasOwn(value, key)
          ? (value as JsonObject)[key]
          : undefined;
      if (next === undefined) throw this.refusal(`has the unresolved reference ${reference}`);
      value = next;
    }
    return value;
  }

  #readVersion(root: JsonObject): "3.0" | "3.1" {
    const { openapi, swagger } = root;
    const version = typeof openapi === "string" ? /^3\.[01](?=\.\d+)/.exec(openapi)?.[0] : undefined;
    if (version !== undefined) return version as "3.0" | "3.1";
    if (openapi === undefined && swagger !== undefined)
      throw this.refusal("is a Swagger 2 file", "$.swagger", "convert it to OpenAPI 3 first");
    const problem =
      openapi === undefined
        ? "is not an OpenAPI document: `openapi` is missing"
        : "has an unsupported version";
    throw this.refusal(problem, "$.openapi", "OpenAPI 3.0 and 3.1 are supported");
  }
}

/** One step of a JSON pointer in a URL fragment. */
function readStep(step: string): string {
  let text = step;
  try {
    text = decodeURIComponent(step);
  } catch {
    // A lone percent sign is literal.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}
