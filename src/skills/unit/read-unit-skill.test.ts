import { expect, test } from "vitest";
import { examined } from "../../../test/examined-skill.ts";

const manifest = {
  id: "calc",
  name: "Calc",
  version: "1.0.0",
  description: "Does sums. Use when numbers are to be added.",
  adapterType: "subprocess",
  entrypoint: "python3 calc.py",
};
const program = { "calc.py": "print(1)\n" };
const token = `ghp_${"a1B2c3D4e5F6g7H8i9".repeat(2)}`;

/** Two spaces and a line for each member, so that positions can be read off. */
function written(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function skill(changes: object, files: Record<string, unknown> = program): Record<string, string> {
  const others = Object.entries(files).map(([path, content]) => [
    path,
    typeof content === "string" ? content : written(content),
  ]);
  return { "skill.json": written({ ...manifest, ...changes }), ...Object.fromEntries(others) };
}

function config(changes: object, more: object = {}): Record<string, string> {
  return skill(more, { ...program, "adapter.config.json": { type: "subprocess", ...changes } });
}

test("a good skill is described without a finding, in either profile", async () => {
  const files = skill({
    tags: ["math"],
    inputSchema: { type: "object" },
    metadata: { triggers: ["add"], not_for: ["draw"], author: "me", anything: { goes: true } },
    "x-team": "numbers",
  });
  for (const profile of ["strict", "lenient"] as const) {
    const { skill: read, lines } = await examined(files, { profile, folder: "calc" });
    expect(lines).toEqual(["SKU06 unknown key $.x-team"]);
    expect(read).toMatchObject({
      id: "calc",
      aliases: [],
      kind: "unit",
      kinds: ["unit"],
      tags: ["math"],
      triggers: ["add"],
      notFor: ["draw"],
      instructions: null,
      adapter: { type: "subprocess", entrypoint: "python3 calc.py", inputSchema: { type: "object" } },
      controls: { modelInvocable: true, userInvocable: true },
      extra: { "x-team": "numbers" },
    });
  }
});

type Row = [message: string, bad: Record<string, string>, good: Record<string, string>];

test.each<Row>([
  ["SKU01 $.name: is required and missing", skill({ name: undefined }), skill({})],
  ["SKU01 $.description: must not be empty", skill({ description: "" }), skill({ description: "Adds" })],
  ["SKU01 $.tags: must be a list, not text", skill({ tags: "math" }), skill({ tags: ["math"] })],
  [
    "SKU01 $.metadata.triggers[1]: must be text, not 5",
    skill({ metadata: { triggers: ["a", 5] } }),
    skill({ metadata: { triggers: ["a", "5"] } }),
  ],
  ['SKU02 id "My Calc" must match ^[a-z0-9_-]+$', skill({ id: "My Calc" }), skill({ id: "my_calc" })],
  ['SKU02 version "1.0" must match X.Y.Z', skill({ version: "1.0" }), skill({ version: "1.0.0-rc.1+x" })],
  ['SKU03 adapterType "grpc" unknown', skill({ adapterType: "grpc" }), skill({})],
  [
    'SKU05 inputSchema/properties/a~1b: unknown type "strng"; did you mean string?',
    skill({ inputSchema: { properties: { "a/b": { type: "strng" } } } }),
    skill({ inputSchema: { properties: { "a/b": { type: "string" } } } }),
  ],
  [
    "SKU05 outputSchema: a schema is an object or a boolean",
    skill({ outputSchema: null }),
    skill({ outputSchema: true }),
  ],
  // The misspelt key is why another one is missing, which is not reported as well.
  [
    "SKU06 unknown key $.entrypiont",
    skill({ entrypoint: undefined, entrypiont: "python3 calc.py" }),
    skill({}),
  ],
  ["SKU06 unknown key $.timeoutMS", config({ timeoutMS: 5 }), config({ timeoutMs: 5 })],
  [
    'SKU07 $.type: is "http", but adapterType is "subprocess"',
    config({ type: "http", baseUrl: "http://127.0.0.1" }),
    config({}),
  ],
  ["SKU07 $.timeoutMs: must be at least 1", config({ timeoutMs: 0 }), config({ timeoutMs: 1 })],
  [
    "SKU07 $: expected key or }, found the end of the file",
    skill({}, { ...program, "adapter.config.json": "{" }),
    config({}),
  ],
  [
    "SKU07 $.env.TOKEN: a GitHub token is hard-coded in the file",
    config({ env: { TOKEN: token } }),
    config({ env: { TOKEN: "ghp_your_token_here" }, envKeys: ["TOKEN"] }),
  ],
  [
    "SKU07 $.authTokenEnvKey: a GitHub token is hard-coded in the file",
    skill(
      { adapterType: "http", entrypoint: "http://127.0.0.1/" },
      { "adapter.config.json": { type: "http", authType: "bearer", authTokenEnvKey: token } },
    ),
    skill(
      { adapterType: "http", entrypoint: "http://127.0.0.1/" },
      { "adapter.config.json": { type: "http", authType: "bearer", authTokenEnvKey: "MY_TOKEN" } },
    ),
  ],
])("%s, and nothing else, in either profile; the correct version is clean", async (line, bad, good) => {
  for (const profile of ["strict", "lenient"] as const) {
    const read = await examined(bad, { profile, folder: "calc" });
    expect(read.lines).toEqual([line]);
    expect(read.diagnostics[0]).toMatchObject({ severity: "error", kind: "unit" });
    expect(read.skill).toBeNull();
    expect(JSON.stringify(read.diagnostics)).not.toContain(token);
    expect((await examined(good, { profile, folder: "calc" })).lines).toEqual([]);
  }
});

function http(entrypoint: string, baseUrl?: string): Record<string, string> {
  const settings = { "adapter.config.json": { type: "http", ...(baseUrl === undefined ? {} : { baseUrl }) } };
  return skill({ adapterType: "http", entrypoint }, settings);
}

function module(entrypoint: string): Record<string, string> {
  return skill({ adapterType: "custom", entrypoint }, { "tool.mjs": "", "tool.py": "", "a/b.ts": "" });
}

test.each<[entrypoint: string, reason: string, bad: Record<string, string>]>([
  ["/invoke", "not an absolute http(s) URL", http("/invoke")],
  ["ftp://host/x", "not an absolute http(s) URL", http("ftp://host/x")],
  ["host/api", "not an absolute http(s) URL", http("/invoke", "host/api")],
  ["https://…@host/x", "the URL contains a user name or password", http("https://me:pass@host/x")],
  ["python3 gone.py", "gone.py is not in the folder", skill({ entrypoint: "python3 gone.py" })],
  ["node -r ./x.cjs s.mjs", "./x.cjs is not in the folder", skill({ entrypoint: "node -r ./x.cjs s.mjs" })],
  ["./run.sh --fast", "./run.sh is not in the folder", skill({ entrypoint: "./run.sh --fast" })],
  ["node 'a", "has an unbalanced '", skill({ entrypoint: "node 'a" })],
  ["  ", "no program", skill({ entrypoint: "  " })],
  ["http://host/x", "a URL instead of a command", skill({ entrypoint: "http://host/x" })],
  [
    "python3 -u gone.py",
    "gone.py is not in the folder",
    config({ command: "python3", args: ["-u", "gone.py"] }),
  ],
  [
    "mcp://server",
    "neither a command nor an http(s) URL",
    skill({ adapterType: "mcp", entrypoint: "mcp://server" }, {}),
  ],
  [
    "node gone.mjs",
    "gone.mjs is not in the folder",
    skill({ adapterType: "mcp", entrypoint: "node gone.mjs" }, {}),
  ],
  ["./gone.mjs", "the module is missing", module("./gone.mjs")],
  ["../x.mjs", "the module is outside", module("../x.mjs")],
  ["tool.mjs#", "no module or export name", module("tool.mjs#")],
  ["./tool.py", "the module is not a JavaScript or TypeScript file", module("./tool.py")],
])("the entrypoint %s is SKU04: %s", async (entrypoint, reason, bad) => {
  const strict = await examined(bad, { folder: "calc" });
  const lenient = await examined(bad, { profile: "lenient", folder: "calc" });

  expect(strict.lines).toEqual([`SKU04 entrypoint "${entrypoint}": ${reason}`]);
  expect(strict.skill).toBeNull();
  expect(lenient.lines).toEqual(strict.lines);
  expect(lenient.skill).toMatchObject({ id: "calc" }); // it can be listed and looked at, only not called
});

test.each([
  ["a way of 50,000 steps", `python3 ${"../".repeat(50_000)}x.py`],
  [
    "thousands of secrets",
    `./gone ${Array.from({ length: 5000 }, (_, n) => `sk-ant-api03-${String(n).padStart(32, "xY")}`).join(" ")}`,
  ],
])("an entrypoint with %s is refused like any other", async (_, entrypoint) => {
  const { lines } = await examined(skill({ entrypoint }), { folder: "calc" });

  expect(lines).toEqual([expect.stringMatching(/^SKU04 entrypoint .{1,300} is not in the folder$/)]);
  expect(lines[0]).not.toContain("api03");
});

test.each<[string, Record<string, string>]>([
  ["a path beside a base", http("/invoke", "https://host/v1")],
  ["a program of the machine, installed or not", skill({ entrypoint: "no-such-program --now" })],
  ["an absolute program", skill({ entrypoint: "/opt/no/such/python3 calc.py" })],
  ["words that only their program understands", skill({ entrypoint: "jq .a/b.py gone.json" })],
  ["a program written in the line", skill({ entrypoint: "python3 -c 'import gone.py'" })],
  ["a module of Python", skill({ entrypoint: "python3 -m gone.py" })],
  ["a script of the machine", skill({ entrypoint: "node /opt/gone.mjs" })],
  ["a script beside the folder", skill({ entrypoint: "python3 ../shared/run.py" })],
  ["a script from the network", skill({ entrypoint: "deno run https://host/x.ts" })],
  ["arguments of a script", skill({ entrypoint: "python3 ./calc.py gone.py" })],
  [
    "an entrypoint that command replaces",
    config({ command: "python3", args: ["calc.py"] }, { entrypoint: "./gone" }),
  ],
  ["a server behind a URL", skill({ adapterType: "mcp", entrypoint: "https://host/mcp" }, {})],
  ["a module with an export", module("./tool.mjs#search")],
  ["a module below", module("a/b.ts")],
])("%s is a fine entrypoint", async (_, good) => {
  expect((await examined(good, { folder: "calc" })).lines).toEqual([]);
});

test("everything that is wrong is reported at once, each with its location", async () => {
  const { diagnostics } = await examined(
    {
      "skill.json": written({
        id: "My Calc",
        version: "v1",
        description: 5,
        adapterType: "subprocess",
        entrypoint: "python3 gone.py",
        inputSchema: { properties: { a: { typ: "string" } } },
        extra_notes: "",
        tag: [],
      }),
      "adapter.config.json": written({ type: "subprocess", timeoutMs: "soon" }),
    },
    { folder: "calc" },
  );

  expect(
    diagnostics.map(({ code, file, line, column, jsonPath, hint }) => [
      code,
      `${file}:${line}:${column}`,
      jsonPath,
      hint,
    ]),
  ).toEqual([
    ["SKU07", "adapter.config.json:3:3", "$.timeoutMs", "fix it"],
    ["SKU01", "skill.json:1:1", "$.name", expect.stringContaining("eval-skills schema skill")],
    ["SKU02", "skill.json:2:3", "$.id", "use my_calc"],
    ["SKU02", "skill.json:3:3", "$.version", "use 1.0.0"],
    ["SKU01", "skill.json:4:3", "$.description", expect.any(String)],
    ["SKU05", "skill.json:9:7", "$.inputSchema.properties.a", "fix the JSON Schema"],
    ["SKU06", "skill.json:14:3", "$.extra_notes", expect.any(String)],
    ["SKU06", "skill.json:15:3", "$.tag", "did you mean tags?"],
  ]);
});

test("settings without effect are warnings", async () => {
  const idle = await examined(config({ args: ["x"] }), { folder: "calc" });
  expect(idle.diagnostics).toMatchObject([{ code: "SKU07", severity: "warning", jsonPath: "$.args" }]);
  expect(idle.skill).not.toBeNull();
});

test("a file that nobody could have written by hand is refused in no time", async () => {
  for (const fields of [
    { tags: Array(500_000).fill(1) },
    Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`key${n}`, n])),
  ]) {
    const { lines } = await examined({
      ...program,
      "skill.json": JSON.stringify({ ...manifest, ...fields }),
    });
    expect(lines).toEqual([expect.stringMatching(/^SKU01 \$.*: more than 10,000 members$/)]);
  }
});

test("of very many faults the first are reported, and how many more there are", async () => {
  const unknown = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`zzz${n}`, n]));
  const wrong = { metadata: { triggers: Array(70).fill(1) } };

  const { diagnostics, unlisted } = await examined(skill({ ...unknown, ...wrong }), { folder: "calc" });

  const count = (wanted: string) => diagnostics.filter(({ code }) => code === wanted).length;
  expect([count("SKU06"), count("SKU01"), unlisted]).toEqual([50, 50, 10 + 20]);
});

test.each(["__proto__", "constructor"])("a key %s is refused", async (key) => {
  const text = written(manifest).replace("{", `{ "${key}": {},`);
  const { diagnostics } = await examined({ ...program, "skill.json": text });
  expect(diagnostics).toMatchObject([{ code: "SKU06", severity: "error", hint: "remove it" }]);
});
