import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { toolProject, toolSkill } from "../../../test/tool-skill.ts";
import { type ToolCheckName, type ToolCheckReport, toolChecks } from "../../operations/tools/tool-check.ts";
import { toolCheckLines } from "../output/tool-check-lines.ts";

const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
const count = object({ n: { type: "integer", minimum: 1 } }, { required: ["n"] });
const taking =
  (body: string, before = "") =>
  (name: string) =>
    `${before}\ndef ${name}(**given):\n    ${body.replaceAll("\n", "\n    ")}\n`;

interface Row {
  what: string;
  script: (name: string) => string;
  parameters?: object;
  /** Marks of the checks, in their order. */
  marks: string;
  /** What the check that failed says. */
  says?: string;
}

const rows: Record<string, Row> = {
  good: {
    what: "does everything right",
    script: taking("return {'schema_version': 'sum.v1', 'sum': given['n'] + 1}"),
    parameters: { ...count, examples: [{ n: 4 }] },
    marks: "✓✓✓✓✓✓✓",
  },
  quiet: { what: "claims nothing", script: taking("return {'a': 1}"), parameters: count, marks: "✓✓✓✓–✓✓" },
  no_import: {
    what: "cannot be imported",
    script: () => "import nothing_of_that_name\n",
    parameters: count,
    marks: "✗✓––––✓",
    says: "scripts/no_import.py cannot be imported: ModuleNotFoundError",
  },
  any_type: {
    what: "says no type",
    script: taking("return {}"),
    parameters: object({ n: { description: "a number" }, m: { minimum: 3 }, any: true }),
    marks: "✓✗✓✓–✓✓",
    says: '/m is accepted when it is null, is true, is "hello", is ["hello"], is {"hello":1}',
  },
  a_list: {
    what: "returns a list",
    script: taking("return [1]"),
    parameters: count,
    marks: "✓✓✗–––✓",
    says: "bad-result: expected a JSON object, got list (generated from its parameters)",
  },
  bad_example: {
    what: "has an example that its own schema refuses",
    script: taking("return {}"),
    parameters: { ...count, examples: [{ n: 0 }] },
    marks: "✓✓✗✓–✓✓",
    says: "bad-arguments: /n must be >= 1 (examples[0])",
  },
  clock: {
    what: "reads the clock",
    script: taking("return {'a': 1, 'at': [time.time_ns()]}", "import time"),
    parameters: count,
    marks: "✓✓✓✗–✓✓",
    says: "differs at /at/0",
  },
  keeps: {
    what: "keeps something between calls",
    script: taking("seen.append(1)\nreturn {'calls': len(seen)}", "seen = []"),
    parameters: count,
    marks: "✓✓✓✗–✓✓",
    says: "/calls 1, then 2 in a reused process (generated from its parameters)",
  },
  plans: {
    what: "returns a plan with every member written out",
    script: taking(
      "return {'schema_version': 'ah32.plan.v1', 'host_app': 'wps', 'meta': {}, 'actions': [{'id': 'a', 'title': 't', 'op': 'insert_image', 'path': 'a.png', 'width': None, 'height': None, 'sheet_name': None, 'cell': None, 'range': None}]}",
    ),
    parameters: count,
    marks: "✓✓✓✓✓✓✓",
  },
  breaks_claim: {
    what: "breaks the schema it names, one of ours",
    script: taking("return {'schema_version': 'ah32.plan.v1', 'host_app': 'wps'}"),
    parameters: count,
    marks: "✓✓✓✓✗✓✓",
    says: "/actions is required (generated from its parameters)",
  },
  unknown_claim: {
    what: "names a schema that is nowhere",
    script: taking("return {'schema_version': 'nowhere.v1'}"),
    parameters: count,
    marks: "✓✓✓✓✗✓✓",
    says: "→ add schemas/nowhere.v1.schema.json, or pass --schema nowhere.v1=<file>",
  },
  swallows: {
    what: "returns what it should raise",
    script: taking("return {'ok': False, 'reason': 'no table'}"),
    parameters: count,
    marks: "✓✓✓✓–✗✓",
    says: "/ok is false (generated from its parameters)",
  },
  writes: {
    what: "writes into its own folder",
    script: taking("open('scripts/__pycache__', 'w').close()\nreturn {}"),
    parameters: count,
    marks: "✓✓✓✓–✓✗",
    says: "scripts/__pycache__ was added",
  },
  picky: {
    what: "refuses what was made up, and takes what its tests have",
    script: taking(
      "if 'bar' not in given['table']: raise NoTable('no table found')\nreturn {}",
      "class NoTable(ValueError): pass",
    ),
    parameters: object({ table: { type: "string" } }, { required: ["table"] }),
    marks: "✓✓✓✓–✓✓",
    says: "1 input; it rejected the one generated from its parameters, which may be correct",
  },
  picky_alone: {
    what: "refuses what was made up, and nobody knows what else it takes",
    script: taking("raise ValueError('no table found')"),
    parameters: count,
    marks: "✓✓––––✓",
    says: "no sample to check it with; add one to tests/picky_alone.eval.json",
  },
  bad_pattern: {
    what: "raises what no input can cause, whatever it is given",
    script: taking("import re\nreturn {'n': len(re.findall('(', 'x'))}"),
    parameters: object({ text: { type: "string" }, lists: { type: "array" } }, { required: ["text"] }),
    marks: "✓✓✗–––✓",
    says: "2 of 2 inputs did not return an object",
  },
  optional: {
    what: "refuses a member that need not be there, and takes the others",
    script: taking("if 'cut' in given: int(given['cut'])\nreturn {'n': given.get('rows', [])}"),
    parameters: object(
      { n: { type: "integer" }, cut: { type: "string" }, rows: { type: "array" } },
      { required: ["n"] },
    ),
    marks: "✓✓✓✓–✓✓",
    says: "2 inputs; it rejected the one generated, with cut, which may be correct",
  },
  bare: {
    what: "is declared without description and parameters",
    script: taking("return {}"),
    marks: "✓–––––✓",
    says: "it has no parameters schema, so any object is accepted",
  },
};

const marks = { pass: "✓", fail: "✗", skipped: "–", invalid: "?" };
const many = toolSkill(
  "many",
  Object.fromEntries(
    Object.entries(rows).map(([name, { script, parameters }]) => [
      name,
      { script: script(name), parameters },
    ]),
  ),
);
const files = {
  ...many,
  "schemas/sum.v1.schema.json": JSON.stringify(object({ sum: { type: "number" } })),
  "tests/picky.eval.json": JSON.stringify([
    { id: "bars", inputData: { table: "a bar" }, expectedOutput: { value: {} } },
    {
      id: "none",
      inputData: { table: "" },
      expectedOutput: { type: "tool_error", code: "tool-failed", contains: "no table" },
    },
  ]),
};
const plain = ["--sandbox", "process"];

test("every check passes a tool that does well, and fails exactly the one that does not", {
  timeout: 60_000,
}, async () => {
  await using project = await toolProject({ many: files });

  const { document, exitCode } = await project.run(["tool", "check", "skills", ...plain, "--json"]);

  const { tools, counts } = document as ToolCheckReport;
  const seen = tools.map(({ tool, checks }) => [tool, checks.map(({ status }) => marks[status]).join("")]);
  expect(seen).toEqual(Object.entries(rows).map(([name, row]) => [name, row.marks]));
  expect(exitCode).toBe(1);
  expect(counts.tools).toEqual({ total: 18, passed: 5, failed: 11, untested: 2, noVerdict: 0 });
  expect(
    new Set(
      tools
        .flatMap(({ checks }) => checks.filter(({ status }) => status === "fail"))
        .map(({ check }) => check),
    ),
  ).toEqual(new Set<ToolCheckName>(toolChecks));
  for (const [name, { says }] of Object.entries(rows)) {
    const shown = { ...document, tools: tools.filter(({ tool }) => tool === name) };
    if (says !== undefined)
      expect(toolCheckLines(shown, { color: false, width: null, verbose: false }), name).toContain(says);
  }
});

test("a module that the manifest declares and this machine lacks is not a fault of the tool", async () => {
  const needing = toolSkill("needing", {
    far: { script: "import nothing_here.deep\n", parameters: count },
    late: { script: taking("import nothing_here\nreturn {}")("late"), parameters: count },
  });
  const manifest = {
    ...JSON.parse(String(needing["skill.json"])),
    "x-python": { modules: ["nothing_here"] },
  };
  await using project = await toolProject({
    needing: { ...needing, "skill.json": JSON.stringify(manifest) },
  });

  const { document, exitCode } = await project.run(["tool", "check", "skills", ...plain, "--json"]);

  expect(exitCode).toBe(0);
  const needs = { status: "skipped", message: "needs nothing_here, which is not installed here" };
  expect(document.tools[0].checks[0]).toMatchObject({ check: "loads", ...needs });
  expect(document.tools[1].checks[2]).toMatchObject({ check: "returns-object", ...needs });
  expect(document.counts.tools).toEqual({ total: 2, passed: 0, failed: 0, untested: 2, noVerdict: 0 });
  const doctor = await project.run(["doctor", "--json"]);
  expect(doctor.document.diagnostics.map(({ code }: { code: string }) => code)).not.toContain("PTS07");
  expect(doctor.document.notes).toContainEqual({
    code: "PTS07",
    message: "1 skill declares that its tools need Python modules: nothing_here",
    skills: ["needing"],
  });
});

test("a tool may be named alone, by the id of its skill, and schemas that are given come first", async () => {
  await using project = await toolProject({ many: files });
  project.write("other.json", JSON.stringify(object({ sum: { type: "string" } })));

  const quiet = await project.run([
    "tool",
    "check",
    "many#quiet",
    "many#quiet",
    "skills/many#quiet",
    ...plain,
  ]);
  const other = await project.run(["tool", "check", "many#good", ...plain, "--schema", "sum.v1=other.json"]);

  expect(quiet).toMatchObject({
    exitCode: 0,
    stderr: "many is skills/many\nwarning: containment: process, network: open, answer keys readable\n",
  });
  expect(quiet.stdout).toBe(
    [
      "✓ skills/many#quiet",
      "  ✓ loads               scripts/quiet.py",
      "  ✓ refuses-bad-input   7 bad inputs rejected before a process started",
      "  ✓ returns-object      1 input",
      "  ✓ deterministic       3 calls with identical results",
      "  – claims-hold         no result has a schema_version",
      "  ✓ no-swallowed-error  1 result",
      "  ✓ leaves-no-trace     the skill folder is unchanged",
      "",
      "1 tool: 1 passed",
      "7 checks, 1 of them skipped",
      "",
    ].join("\n"),
  );
  expect(other.exitCode).toBe(1);
  expect(other.stdout).toContain("/sum must be string (examples[0])");

  // A skill without tools that is named among others stops nothing.
  for (const [name, content] of Object.entries(toolSkill("plain", {})))
    project.write(`skills/plain/${name}`, content);
  const among = await project.run(["tool", "check", "skills/plain", "many#quiet", ...plain]);
  expect(among.exitCode).toBe(0);
  expect(among.stderr).toContain("warning: no tools to check in skills/plain\n");
});

test("a manifest that cannot be read is listed, and never stops the others of its folder", async () => {
  await using project = await toolProject({
    many: toolSkill("many", { quiet: { script: "def quiet(n: int = 1) -> dict:\n    return {'n': n}\n" } }),
    broken: { ...toolSkill("broken", { t: { script: "" } }), "skill.json": "{" },
  });

  const { document, exitCode } = await project.run(["tool", "check", "skills", ...plain, "--json"]);

  expect(exitCode).toBe(2);
  expect(document.tools.map(({ shown }: { shown: string }) => shown)).toEqual(["skills/many#quiet"]);
  expect(document.notLoaded).toEqual([
    {
      path: "skills/broken",
      code: "SKD02",
      reason: expect.stringContaining("skills/broken/skill.json:1"),
    },
  ]);
  const named = await project.run(["tool", "check", "skills/broken", ...plain, "--json"]);
  expect([named.exitCode, named.document.error.code]).toEqual([2, "skill-invalid"]);
});

test.each<[what: string, words: string[], code: string, message: string]>([
  ["no such skill", ["nowhere"], "skill-not-found", "no skill at nowhere"],
  ["no such tool", ["many#god"], "skill-invalid", 'many declares no tool "god"'],
  ["a folder of skills before #", ["skills#good"], "skill-invalid", "expected a single skill before #"],
  ["a skill without tools", ["skills/plain"], "nothing-to-do", "no tools to check in skills/plain"],
  [
    "two skills of one id",
    ["skills/many", "copy"],
    "skill-duplicate",
    "duplicate skill id `many` in skills/many and copy",
  ],
  ["a broken file of tests", ["skills/broken"], "benchmark-invalid", "tests/t.eval.json"],
  ["a schema without a name", ["many", "--schema", "x.json"], "usage", "--schema takes <name>=<file>"],
])("%s is for the user to fix", async (_, words, code, message) => {
  const quiet = toolSkill("many", { quiet: { script: "", parameters: count } });
  const broken = { ...toolSkill("broken", { t: { script: "" } }), "tests/t.eval.json": "{" };
  await using project = await toolProject({ many, broken, plain: toolSkill("plain", {}) });
  for (const [name, content] of Object.entries(quiet)) project.write(`copy/${name}`, content);

  const { document, exitCode } = await project.run(["tool", "check", ...words, ...plain, "--json"]);

  expect([exitCode, document.error.code]).toEqual([2, code]);
  expect(document.error.message).toContain(message);
});

test("tools run on the Python that the user chose; a project cannot choose it", async () => {
  const parameters = object({ n: { type: "integer" } }, { required: ["n"] });
  const script = "import onlyhere\ndef double(n: int) -> dict:\n    return {'n': onlyhere.double(n)}\n";
  await using project = await toolProject({ notes: toolSkill("notes", { double: { script, parameters } }) });
  execFileSync("python3", ["-m", "venv", "--without-pip", project.at("env")]);
  const [python = ""] = readdirSync(project.at("env/lib"));
  project.write(`env/lib/${python}/site-packages/onlyhere.py`, "def double(n): return 2 * n\n");
  const check = (...flags: string[]) => project.run(["tool", "check", "skills", "--json", ...flags]);

  const [plain, chosen] = [await check(), await check("--python", "env/bin/python")];
  const nowhere = await check("--python", "env/bin/nowhere");
  project.configureUser(`python: ${project.at("env/bin/python")}\n`);
  const configured = await check();
  project.write("eval-skills.config.yaml", "python: env/bin/python\n");
  const refused = await check();

  expect([plain, chosen, nowhere, configured, refused].map(({ exitCode }) => exitCode)).toEqual([
    1, 0, 2, 0, 2,
  ]);
  expect(nowhere.document.error.message).toBe("--python: env/bin/nowhere is not an executable program");
  expect(refused.document.error).toMatchObject({ code: "config-invalid", jsonPath: "$.python" });
});
