import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../shared/json/json.ts";
import { compileSchema } from "../shared/json/json-schema.ts";
import { openapiFiles } from "./from-openapi.ts";

const skill = { id: "search", name: "Search", description: "Searches" };

function make(content: Json, operation?: string, isDescribed = true) {
  const source = { content, path: "api.json", specPath: "../../api.json", operation, isDescribed };
  const files = openapiFiles(skill, source);
  const read = (name: string) => JSON.parse(files[name] ?? "null");
  return {
    names: Object.keys(files),
    manifest: read("skill.json"),
    config: read("adapter.config.json"),
    benchmark: read("tests/basic.eval.json"),
  };
}

/** A document with these operations, each a POST with this body by default. */
function document(paths: JsonObject, more: JsonObject = {}): JsonObject {
  return { openapi: "3.0.3", info: {}, servers: [{ url: "https://api.example.com/v1/" }], paths, ...more };
}

const anything: JsonObject = { type: "object" };

function post(schema: Json = anything, more: JsonObject = {}): JsonObject {
  return {
    post: {
      operationId: "search",
      requestBody: { content: { "application/json": { schema } } },
      responses: {},
      ...more,
    },
  };
}

function answers(schema: Json, status = "200"): JsonObject {
  return { responses: { [status]: { description: "", content: { "application/json": { schema } } } } };
}

function readInputSchema(schema: Json, more: JsonObject = {}) {
  return make(document({ "/search": post(schema) }, more)).manifest.inputSchema;
}

describe("a skill from an OpenAPI file", () => {
  test("has the operation's address, shapes and origin, and a starter that asks for them", () => {
    const query = { type: "object", properties: { q: { type: "string" } }, required: ["q"] };
    const found = { type: "object", properties: { hits: { type: "array", items: { type: "string" } } } };
    const { names, manifest, config, benchmark } = make(
      document({ "/search": post(query, answers(found, "201")) }),
    );

    expect(names).toEqual(["skill.json", "adapter.config.json", "tests/basic.eval.json"]);
    expect(manifest).toMatchObject({
      id: "search",
      adapterType: "http",
      entrypoint: "https://api.example.com/v1/search",
      inputSchema: query,
      outputSchema: found,
      metadata: {
        license: "MIT",
        openapi: { specPath: "../../api.json", operationId: "search", method: "POST" },
      },
    });
    expect(config).toEqual({
      type: "http",
      baseUrl: "https://api.example.com",
      authType: "none",
      bodyMode: "input",
      timeoutMs: 15000,
    });
    expect(benchmark).toMatchObject({
      id: "search-basic",
      tasks: [
        {
          id: "basic_001",
          inputData: { q: "hello" },
          expectedOutput: { type: "json_schema", schema: found },
        },
      ],
    });
  });

  test.each<[string, JsonObject, JsonObject, string]>([
    ["the summary", { summary: "Finds pages", description: "Long." }, { title: "T" }, "Finds pages"],
    ["the description", { summary: " ", description: "Long.\nLonger." }, { title: "T" }, "Long.\nLonger."],
    ["the title of the file", { summary: 7 }, { title: "T" }, "T"],
    ["what a new skill says", {}, {}, "Searches"],
    ["no control characters", { summary: "\u001b[31mred\u0000" }, {}, "[31mred"],
    ["no more than a manifest may", { summary: "字".repeat(2000) }, {}, "字".repeat(1024)],
  ])("is described by %s", (_, documented, info, description) => {
    const content = document({ "/search": post(anything, documented) }, { info });
    expect(make(content, undefined, false).manifest.description).toBe(description);
    expect(make(content).manifest.description).toBe("Searches");
  });

  test("expects an object where the file promises nothing", () => {
    const { manifest, benchmark } = make(document({ "/search": post() }));
    expect(manifest.outputSchema).toEqual({});
    expect(benchmark.tasks[0].expectedOutput).toEqual({ type: "json_schema", schema: { type: "object" } });
  });

  test("starts from the example its author gave", () => {
    const body = {
      content: { "application/json": { schema: anything, examples: { one: { value: { q: "cats" } } } } },
    };
    expect(
      make(document({ "/search": post({}, { requestBody: body }) })).benchmark.tasks[0].inputData,
    ).toEqual({
      q: "cats",
    });
  });

  test("takes the nearest list of servers", () => {
    const own = { servers: [{ url: "http://localhost:8080" }] };
    expect(make(document({ "/search": post(anything, own) })).manifest.entrypoint).toBe(
      "http://localhost:8080/search",
    );
  });

  test("follows references to bodies, answers and whole paths", () => {
    const components = {
      requestBodies: {
        Query: { $ref: "#/components/requestBodies/Real" },
        Real: { content: { "*/*": { schema: { type: "object", title: "T" } } } },
      },
      responses: { Found: { content: { "application/problem+json": { schema: { type: "array" } } } } },
      pathItems: {
        Search: {
          post: {
            requestBody: { $ref: "#/components/requestBodies/Query" },
            responses: { "2XX": { $ref: "#/components/responses/Found" } },
          },
        },
      },
    };
    const { manifest } = make(
      document({ "/a~b": { $ref: "#/components/pathItems/Search" } }, { components }),
    );
    expect(manifest).toMatchObject({
      inputSchema: { type: "object", title: "T" },
      outputSchema: { type: "array" },
      metadata: { openapi: { operationId: "POST /a~b" } },
    });
  });
});

describe("the operation", () => {
  const two = document({
    "/search": post(),
    "/index": {
      post: { ...(post().post as JsonObject), operationId: "index" },
      get: { operationId: "list" },
    },
  });

  test("must be chosen where there are several, and is listed", () => {
    expect(() => make(two)).toThrow(
      expect.objectContaining({ code: "usage", hint: "choose one with --operation: search, index" }),
    );
    expect(make(two, "index").manifest.entrypoint).toBe("https://api.example.com/v1/index");
  });

  test("that does not exist is answered with the nearest one", () => {
    expect(() => make(two, "serch")).toThrow(expect.objectContaining({ hint: "did you mean search?" }));
  });

  test.each<[string, JsonObject, RegExp]>([
    ["another method", { "/x": { get: { operationId: "search" } } }, /it is a GET, only POST/],
    ["a templated path", { "/x/{id}": post() }, /its path \/x\/\{id\} has parameters/],
    [
      "no JSON body",
      { "/x": post({}, { requestBody: { content: { "text/plain": {} } } }) },
      /takes no JSON body/,
    ],
    [
      "a parameter it needs",
      { "/x": post({}, { parameters: [{ in: "query", name: "key", required: true }] }) },
      /requires the query parameter key/,
    ],
    [
      "server variables",
      { "/x": post({}, { servers: [{ url: "https://{region}.example.com" }] }) },
      /has variables/,
    ],
    [
      "a relative server",
      { "/x": post({}, { servers: [{ url: "/v2" }] }) },
      /not an absolute http or https URL/,
    ],
  ])("with %s is refused, and says why", (_, paths, reason) => {
    expect(() => make(document(paths), "search")).toThrow(
      expect.objectContaining({
        code: "usage",
        message: expect.stringMatching(reason),
        jsonPath: expect.stringMatching(/^\$\.paths\["/),
      }),
    );
    expect(() => make(document(paths))).toThrow(
      expect.objectContaining({ hint: expect.stringMatching(reason) }),
    );
  });

  test("without any server is refused", () => {
    expect(() => make(document({ "/search": post() }, { servers: [] }), "search")).toThrow(/no server; add/);
  });
});

describe("the document", () => {
  test.each<[string, Json, RegExp]>([
    ["a list", [], /expected a map/],
    ["something else", { name: "x" }, /`openapi` is missing/],
    ["Swagger 2", { swagger: "2.0", paths: {} }, /Swagger 2/],
    ["a later version", { openapi: "4.0.0", paths: {} }, /unsupported version/],
    ["without paths", { openapi: "3.1.0" }, /has no paths/],
  ])("that is %s is refused", (_, content, problem) => {
    expect(() => make(content)).toThrow(problem);
  });
});

describe("references of schemas", () => {
  const components = (schemas: JsonObject) => ({ components: { schemas } });

  test("are written out", () => {
    const schema = readInputSchema(
      { $ref: "#/components/schemas/Query" },
      components({
        Query: { type: "object", properties: { term: { $ref: "#/components/schemas/a~1b%20c" } } },
        "a/b c": { type: "string" },
      }),
    );
    expect(schema).toEqual({ type: "object", properties: { term: { type: "string" } } });
  });

  test("that lead back to themselves become definitions, and the schema still works", () => {
    const schema = readInputSchema(
      { $ref: "#/components/schemas/Tree" },
      components({
        Tree: {
          type: "object",
          properties: {
            name: { type: "string" },
            children: { type: "array", items: { $ref: "#/components/schemas/Tree" } },
          },
        },
      }),
    );
    const compiled = compileSchema(schema);
    expect(compiled.ok && compiled.validate({ name: "a", children: [{ children: [{ name: 1 }] }] })).toEqual([
      "/children/0/children/0/name must be string",
    ]);
  });

  test("by the thousand are not multiplied", () => {
    const schemas: JsonObject = {};
    for (let n = 0; n < 60; n++) {
      const next = { $ref: `#/components/schemas/S${n + 1}` };
      schemas[`S${n}`] = { type: "object", properties: { a: next, b: next, c: next } };
    }
    schemas.S60 = { type: "string" };
    const schema = readInputSchema({ $ref: "#/components/schemas/S0" }, components(schemas));
    expect(JSON.stringify(schema).length).toBeLessThan(1_000_000);
    expect(compileSchema(schema).ok).toBe(true);
  });

  test.each([
    ["leaves the file", "./other.json#/Query", /points outside the file/],
    ["is an address", "https://example.com/schema.json", /points outside the file/],
    ["leads nowhere", "#/components/schemas/None", /unresolved reference/],
    ["leads into a prototype", "#/constructor", /unresolved reference/],
    ["leads to itself", "#/components/schemas/Ring", /circular reference/],
  ])("one that %s is refused", (_, $ref, problem) => {
    const ring = {
      Ring: { $ref: "#/components/schemas/Other" },
      Other: { $ref: "#/components/schemas/Ring" },
    };
    expect(() => readInputSchema({ $ref }, components(ring))).toThrow(problem);
  });
});

describe("what only OpenAPI says", () => {
  test("nullable becomes null among the types", () => {
    const schema = readInputSchema({
      type: "object",
      properties: {
        text: { type: "string", nullable: true },
        color: { type: "string", enum: ["red"], nullable: true },
        whole: { allOf: [{ type: "object" }], nullable: true },
      },
    });
    expect(schema.properties).toEqual({
      text: { type: ["string", "null"] },
      color: { type: ["string", "null"], enum: ["red", null] },
      whole: { anyOf: [{ allOf: [{ type: "object" }] }, { type: "null" }] },
    });
  });

  test("bounds that are excluded by a flag become bounds", () => {
    expect(
      readInputSchema({
        type: "number",
        minimum: 0,
        exclusiveMinimum: true,
        maximum: 9,
        exclusiveMaximum: false,
      }),
    ).toEqual({ type: "number", exclusiveMinimum: 0, maximum: 9 });
  });

  test("words for other tools are left out, an example is kept as JSON Schema has it", () => {
    expect(
      readInputSchema({
        type: "string",
        example: "cats",
        format: "search-term",
        pattern: "^[\\w-.]+$",
        xml: {},
        discriminator: { propertyName: "x" },
        externalDocs: {},
        "x-order": 1,
      }),
    ).toEqual({ type: "string", examples: ["cats"] });
  });

  test("what is only read is not required of a request, what is only written not of an answer", () => {
    const schema = {
      type: "object",
      properties: { id: { type: "string", readOnly: true }, secret: { type: "string", writeOnly: true } },
      required: ["id", "secret"],
    };
    const { manifest } = make(document({ "/search": post(schema, answers(schema)) }));
    expect(manifest.inputSchema.required).toEqual(["secret"]);
    expect(manifest.outputSchema.required).toEqual(["id"]);
  });

  test("3.1 is JSON Schema of its own, named as such", () => {
    const schema = readInputSchema(
      {
        type: ["object", "null"],
        properties: {
          list: { prefixItems: [{ const: 1 }] },
          more: { $ref: "#/components/schemas/T", description: "mine", minLength: 2 },
        },
      },
      { openapi: "3.1.0", components: { schemas: { T: { type: "string" } } } },
    );
    expect(schema).toEqual({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: ["object", "null"],
      properties: {
        list: { prefixItems: [{ const: 1 }] },
        more: { description: "mine", minLength: 2, allOf: [{ type: "string" }] },
      },
    });
  });

  test("a schema that is none is refused", () => {
    expect(() => readInputSchema({ type: "strnig" })).toThrow(/does not compile/);
    expect(() => readInputSchema({ type: "object", properties: { a: 7 } })).toThrow(/not a map/);
  });
});
