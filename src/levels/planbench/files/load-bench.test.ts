import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { UserError } from "../../../shared/user-error.ts";
import { fillHeaders } from "./fill-headers.ts";
import { loadBench } from "./load-bench.ts";

const schema = { type: "object", required: ["v"] };
const plain = { id: "plans", schema: "plan.json", cases: [{ id: "one", input: "do it" }] };

/** A folder to search for a bench. */
async function benchFolder(files: Record<string, unknown>) {
  const folder = await temporaryFolder();
  for (const [path, content] of Object.entries({ "plan.json": schema, ...files })) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true });
    const text = typeof content === "string" ? content : JSON.stringify(content);
    writeFileSync(join(folder.path, path), text);
  }
  return {
    at: (path: string) => join(folder.path, path),
    load: (named: string | null) =>
      loadBench(named, { cwd: folder.path, bundledDir: join(folder.path, "bundled") }),
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
}

const refusalOf = (loading: Promise<unknown>) =>
  loading.then(
    () => null,
    (error: unknown) => {
      if (error instanceof UserError) return error;
      throw error;
    },
  );

test("a bench gets what holds for it: strata, digests, the command in words, the draft of its schema", async () => {
  const draft = "https://json-schema.org/draft/2020-12/schema";
  const cases = [
    { id: "routed", input: "a", overlay: { contains: { const: 1 }, maxContains: 1 }, mock: [{}] },
    { id: "forced", input: "a", route: { forced: "desk" } },
    { id: "fixed", input: "a", source: "fixed", outputs: ["{}"] },
    { id: "local", input: "a", source: "local", tool: "desk#plan" },
  ];
  const written = {
    ...plain,
    schema: "sub/plan.json",
    skill_roots: ["./skills"],
    executor: "./run.sh 'a b'",
    cases,
  };
  await using files = await benchFolder({
    "bench.json": written,
    "sub/plan.json": { $schema: draft, ...schema },
    "run.sh": "",
    "skills/x.txt": "",
  });

  const bench = await files.load("bench.json");

  expect(bench).toMatchObject({
    file: { id: "plans", samples: 1, max_repairs: 5, timeout_ms: 300_000, route: "auto" },
    shown: "bench.json",
    schema: { name: "plan", digest: expect.stringMatching(/^sha256:/) },
    skillRoots: [files.at("skills")],
    executor: [files.at("run.sh"), "a b"],
    warnings: [],
  });
  expect(bench.cases.map(({ stratum }) => stratum)).toEqual(["routed", "forced", "fixed", "fixed"]);
  expect(bench.cases[0]?.overlay).toMatchObject({ $schema: draft });
  const digests = bench.cases.map(({ digest }) => digest);
  expect(new Set(digests).size).toBe(4);

  // The title, tags and script of a case do not change its digest.
  const [first, ...others] = cases;
  const same = { ...first, title: "One", tags: ["x"], mock: ["other"] };
  writeFileSync(files.at("bench.json"), JSON.stringify({ ...written, cases: [same, ...others] }));
  expect((await files.load("bench.json")).cases.map(({ digest }) => digest)).toEqual(digests);
});

const sse = (target: object) => ({
  ...plain,
  target: { type: "sse", url: "http://localhost/plan", ...target },
});
const variable = (name: string) => `$${`{env:${name}}`}`;

test.each<[string, object, string, RegExp]>([
  [
    "two cases of one id",
    { ...plain, cases: [...plain.cases, ...plain.cases] },
    "$.cases[1].id",
    /duplicate: \$\.cases\[0\]/,
  ],
  ["no cases", { ...plain, cases: [] }, "$.cases", /./],
  ["no schema", { ...plain, schema: undefined }, "$.schema", /./],
  ["a schema that is nowhere", { ...plain, schema: "nowhere.v9" }, "$.schema", /names nowhere\.v9, which is/],
  ["an id with a space", { ...plain, id: "my plans" }, "$.id", /must be up to 80 letters/],
  ["a route that is none", { ...plain, route: "forced" }, "$.route", /may not be "forced"/],
  ["a schema that is none", { ...plain, schema: "broken.json" }, "$.schema", /JSON Schema/],
  ["a key that is misspelt", { ...plain, sampels: 3 }, "$.sampels", /is not a known key/],
  [
    "a fixed case without outputs",
    { ...plain, cases: [{ id: "one", input: "a", source: "fixed" }] },
    "$.cases[0].outputs",
    /is required/,
  ],
  [
    "a local case without a tool",
    { ...plain, cases: [{ id: "one", input: "a", source: "local" }] },
    "$.cases[0].tool",
    /is required/,
  ],
  [
    "a tool without its skill",
    { ...plain, cases: [{ id: "one", input: "a", source: "local", tool: "plan" }] },
    "$.cases[0].tool",
    /<skill>#<tool>/,
  ],
  [
    "replies of a script where no model is asked",
    { ...plain, cases: [{ id: "one", input: "a", source: "fixed", outputs: ["{}"], mock: ["{}"] }] },
    "$.cases[0].mock",
    /source model/,
  ],
  [
    "an overlay that does not compile",
    { ...plain, cases: [{ id: "one", input: "a", overlay: { properties: { a: { typ: "string" } } } }] },
    "$.cases[0].overlay.properties.a",
    /typ/,
  ],
  [
    "a folder of skills that is not there",
    { ...plain, skill_roots: ["none"] },
    "$.skill_roots[0]",
    /does not exist/,
  ],
  [
    "a file for a folder of skills",
    { ...plain, skill_roots: ["plan.json"] },
    "$.skill_roots[0]",
    /not a folder/,
  ],
  ["a command that no shell could read", { ...plain, executor: "run 'x" }, "$.executor", /unbalanced/],
  ["a command without a program", { ...plain, executor: " " }, "$.executor", /not name a program/],
  ["a program that is not there", { ...plain, executor: "./none.sh" }, "$.executor", /does not exist/],
  ["an address that is none", sse({ url: "localhost/plan" }), "$.target.url", /http/],
  ["a file as an address", sse({ url: "file:///etc/passwd" }), "$.target.url", /http/],
  ["a password in an address", sse({ url: "http://u:p@localhost" }), "$.target.url", /password/],
  [
    "a secret in a header",
    sse({ headers: { Authorization: "Bearer abc" } }),
    "$.target.headers.Authorization",
    /secret/,
  ],
  [
    "a secret in another header",
    sse({ headers: { "X-Api-Key": "abc" } }),
    "$.target.headers.X-Api-Key",
    /secret/,
  ],
  ["a header of ours", sse({ headers: { accept: "x" } }), "$.target.headers.accept", /set by eval-skills/],
  ["a header with a break", sse({ headers: { "x-a": "a\nb" } }), "$.target.headers.x-a", /character/],
  [
    "a variable that is spelt wrong",
    sse({ headers: { "x-a": `$${"{env:A-B}"}` } }),
    "$.target.headers.x-a",
    /variable/,
  ],
  [
    "a misspelt name in a body",
    sse({ body: { turns: [{ text: `do $${"{inptu}"}` }] } }),
    "$.target.body.turns[0].text",
    /names \$\{inptu\}/,
  ],
  ["a variable in a body", sse({ body: `$${"{env:TOKEN}"}` }), "$.target.body", /only headers/],
])("refused, with file and place: %s", async (_, bench, jsonPath, words) => {
  await using files = await benchFolder({ "bench.json": bench, "broken.json": { type: "objct", typo: 1 } });

  expect(await refusalOf(files.load("bench.json"))).toMatchObject({
    code: "benchmark-invalid",
    path: "bench.json",
    jsonPath,
    message: expect.stringMatching(words),
  });
});

test("what looks like a name in a body and is none of ours is reported, and sent as it stands", async () => {
  await using files = await benchFolder({
    "bench.json": sse({ body: { text: ["$", "{input} $", "{TOTAL}"].join("") } }),
  });

  expect((await files.load("bench.json")).warnings).toEqual([
    `bench.json: $.target.body.text contains $${"{TOTAL}"}, which is not a known placeholder and is sent as is`,
  ]);
});

test("a bench is found by its id; a file of the user's wins over a bundled one, and says so", async () => {
  const bundled = { "bundled/quick.yaml": { ...plain, id: "quick", schema: "../plan.json" } };
  await using alone = await benchFolder(bundled);
  expect(await alone.load(null)).toMatchObject({ path: alone.at("bundled/quick.yaml"), warnings: [] });

  const mine = { ...plain, id: "quick", schema: "../plan.json" };
  await using both = await benchFolder({
    ...bundled,
    "benchmarks/mine.yml": mine,
    "benchmarks/unit.json": { id: "quick" },
  });
  expect(await both.load("quick")).toMatchObject({
    path: both.at("benchmarks/mine.yml"),
    warnings: ["benchmarks/mine.yml overrides the bundled bench quick"],
  });
  expect(await refusalOf(both.load("quik"))).toMatchObject({
    code: "benchmark-not-found",
    message: "no bench quik; available: quick",
    hint: "did you mean quick?",
  });
  expect(await refusalOf(both.load("benchmarks/min.yml"))).toMatchObject({
    code: "benchmark-not-found",
    hint: "did you mean benchmarks/mine.yml?",
  });
  writeFileSync(both.at("benchmarks/twin.yaml"), JSON.stringify(mine));
  expect(await refusalOf(both.load("quick"))).toMatchObject({ code: "benchmark-invalid", jsonPath: "$.id" });
});

test("what a file holds that is not a bench at all is reported with its line", async () => {
  await using files = await benchFolder({ "a.yaml": "id: [\n", "b.yaml": "just words" });

  expect((await refusalOf(files.load("a.yaml")))?.message).toMatch(/^a\.yaml, line /);
  expect(await refusalOf(files.load("b.yaml"))).toMatchObject({ code: "benchmark-invalid", path: "b.yaml" });
});

test("headers get the values of the variables they name, and those are secrets", () => {
  const bench = { shown: "bench.yaml" };
  const headers = { Authorization: `Bearer ${variable("TOKEN")}`, "x-plain": "yes" };

  expect(fillHeaders(headers, { TOKEN: "t-1" }, bench)).toEqual({
    headers: { Authorization: "Bearer t-1", "x-plain": "yes" },
    secrets: ["t-1"],
  });
  expect(() => fillHeaders(headers, {}, bench)).toThrow(
    expect.objectContaining({ code: "secret-missing", jsonPath: "$.target.headers.Authorization" }),
  );
  expect(() => fillHeaders(headers, { TOKEN: "a\nb" }, bench)).toThrow(/line break/);
});
