import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { examined } from "../../../test/examined-skill.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { Diagnostics } from "../../contract/diagnostics.ts";
import { describeSkill } from "../../skills/describe-skill.ts";
import { SkillFolder } from "../../skills/folder/skill-folder.ts";
import { promptToolsFiles } from "../../templates/prompt-tools.ts";
import { examineTools } from "./examine-tools.ts";

type Files = Record<string, string | Uint8Array>;
type Json = Record<string, unknown>;

const folder = "invoice-check";
const sound = "def t(a):\n    return {'a': a}\n";
const properties = { a: { type: "string" } };
const declared = {
  name: "t",
  description: "Says what it was told",
  parameters: { type: "object", properties, required: ["a"] },
};

/** A skill with these tools and scripts, and nothing else that is worth a word. */
function skill(tools: unknown, scripts: Files): Files {
  const manifest = {
    schema_version: "ah32.skill.v1",
    meta: { id: folder, name: "Check", description: "Checks invoices" },
    entry: { system_prompt: "SYSTEM.md" },
    tools,
  };
  const files = Object.entries(scripts).map(([name, text]) => [`scripts/${name}`, text]);
  return {
    "skill.json": JSON.stringify(manifest, null, 2),
    "SYSTEM.md": "Check every line.\n",
    ...Object.fromEntries(files),
  };
}

/** What is found where the one tool differs from a sound one in its schema. */
function withSchema(parameters: Json, script: string): Files {
  return skill([{ ...declared, parameters: { type: "object", ...parameters } }], { "t.py": script });
}

async function found(files: Files): Promise<string[]> {
  return (await examined(files, { folder })).lines;
}

const one = { type: "string" };
const long = "x".repeat(121);
const many = Array.from({ length: 21 }, (_, index) => `v${index}`);
const swallowing =
  "def t(a):\n    try:\n        return {'a': a}\n    except Exception as e:\n        return {'error': str(e)}\n";

describe("a tool that is sound", () => {
  test.each<[string, Files]>([
    ["of a new skill", promptToolsFiles({ id: folder, name: "Check", description: "Checks invoices" })],
    ["as it is", skill([declared], { "t.py": sound })],
    ["beside none", skill([], {})],
    [
      "with helpers that it imports, one by way of the other",
      skill([declared], {
        "t.py": `import json\nfrom helper import f\n${sound}`,
        "helper.py": "from lib.part import g\nfrom . import other\ndef f(): pass\n",
        "other.py": "",
        "lib/__init__.py": "",
        "lib/part.py": "from ..far import x\nfrom .near import y\n",
        "lib/near.py": "",
        "far.py": "",
        "__init__.py": "",
        "notes.txt": "",
      }),
    ],
    [
      "with a script that it runs by its file name",
      skill([declared], {
        "t.py": `import subprocess, sys\n${sound}def f(): subprocess.run([sys.executable, 'scripts/worker.py'])\n`,
        "worker.py": "",
      }),
    ],
    [
      "with modules that it finds while it runs",
      skill([declared], {
        "t.py": `import importlib\n${sound}def f(name): importlib.import_module(name)\n`,
        "plugin.py": "",
      }),
    ],
    [
      "with a compiled module",
      skill([declared], { "t.py": `import fast\n${sound}`, "fast.cpython-311.so": "" }),
    ],
    [
      "with imports that only type checkers follow",
      skill([declared], {
        "t.py": `from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import numpy\n${sound}`,
      }),
    ],
    [
      "that takes any keyword and passes it on",
      withSchema({ properties: { a: one, b: one } }, "def t(**rest):\n    return f(**rest)\n"),
    ],
    [
      "that looks its keywords up",
      withSchema({ properties: { a: one } }, "def t(**rest):\n    return {'a': rest.get('a')}\n"),
    ],
    [
      "whose document is filled in",
      withSchema({ properties: { doc_text: one } }, "def t(doc_text):\n    return {'n': doc_text}\n"),
    ],
    [
      "whose document's path is filled in",
      withSchema(
        { properties: { contextDocumentPath: one } },
        "def t(contextDocumentPath):\n    return {'n': contextDocumentPath}\n",
      ),
    ],
    [
      "whose parameters are declared by parts",
      withSchema(
        { allOf: [{ $ref: "#/$defs/p" }], $defs: { p: { properties: { a: one }, required: ["a"] } } },
        sound,
      ),
    ],
    ["that is made elsewhere", skill([declared], { "t.py": "from helper import t\n", "helper.py": sound })],
    [
      "whose decorator may change its parameters",
      skill([declared], {
        "t.py": `from helper import tool\n@tool\ndef t(context, a):\n    return {}\n`,
        "helper.py": "def tool(f): return f\n",
      }),
    ],
    [
      "in an encoding that it names",
      skill([declared], {
        "t.py": Buffer.concat([
          Buffer.from("# -*- coding: gbk -*-\n# "),
          Buffer.from([0xc4, 0xe3, 0xba, 0xc3]),
          Buffer.from(`\n${sound}`),
        ]),
      }),
    ],
    [
      "that lets errors through",
      skill([declared], {
        "t.py": swallowing.replace("return {'error': str(e)}", "raise ValueError(a) from e"),
      }),
    ],
    [
      "with 120 characters of description",
      skill([{ ...declared, description: "评".repeat(120) }], { "t.py": sound }),
    ],
    ["with 20 choices", withSchema({ properties: { a: { enum: many.slice(1) } }, required: ["a"] }, sound)],
  ])("%s", async (_, files) => {
    expect(await found(files)).toEqual([]);
  });
});

describe("a tool that is not", () => {
  test.each<[code: string, Files, message: string]>([
    ["PTS02", skill([declared], {}), "tool t: scripts/t.py missing"],
    ["PTS02", skill([declared], { "t.py/x.txt": "" }), "tool t: scripts/t.py is not a regular file"],
    [
      "PTS02",
      skill([declared], { "t.py": "def T(a):\n    return {}\n" }),
      "tool t: scripts/t.py has no function t",
    ],
    ["PTS02", skill([declared], { "t.py": "t = 'text'\n" }), "tool t: scripts/t.py has no function t"],
    ["PTS02", skill([declared], { "t.py": "" }), "tool t: scripts/t.py has no function t"],
    [
      "PTS02",
      skill([declared], { "t.py": "async def t(a): return {}\n" }),
      "tool t: scripts/t.py has an async function t, but tools are not awaited",
    ],
    [
      "PTS02",
      skill([declared], { "t.py": "def t(a):\n    return {'a': [a}\n" }),
      "tool t: scripts/t.py does not parse, line 2: } does not match the [ of line 2",
    ],
    [
      "PTS02",
      skill([declared], { "t.py": `import helper\n${sound}`, "helper.py": "x = (\n" }),
      "tool t: scripts/helper.py does not parse, line 1: ( is never closed",
    ],
    [
      "PTS02",
      skill([declared], { "t.py": Buffer.from([0x78, 0x20, 0x3d, 0xff, 0xfe]) }),
      "tool t: scripts/t.py is not UTF-8 and declares no other encoding",
    ],
    [
      "PTS02",
      skill([declared], { "t.py": `${sound}#${"x".repeat(1024 * 1024)}\n` }),
      "tool t: scripts/t.py is too long to check",
    ],

    [
      "PTS03",
      withSchema({ properties: { a: one, b: one }, required: ["a"] }, sound),
      "tool t: parameter b is not accepted by the function",
    ],
    [
      "PTS03",
      withSchema({ properties, required: ["a", "b"] }, sound),
      "tool t: parameter b is not accepted by the function",
    ],
    ["PTS03", withSchema({ properties }, sound), "tool t: parameter a has no default and is not in required"],
    [
      "PTS03",
      withSchema({ properties, required: ["a"] }, "def t(a, *, b):\n    return {}\n"),
      "tool t: parameter b has no default and is not declared",
    ],
    [
      "PTS03",
      withSchema({ properties, required: ["a"] }, "def t(a, doc_text):\n    return {}\n"),
      "tool t: parameter doc_text has no default and is not declared",
    ],
    [
      "PTS03",
      withSchema({ properties, required: ["a"] }, "def t(a, /):\n    return {}\n"),
      "tool t: parameter a is positional-only, and tools are called by keyword",
    ],
    [
      "PTS03",
      withSchema({ properties, required: ["a"] }, "def t(a, /, **rest):\n    return {}\n"),
      "tool t: parameter a is positional-only, and tools are called by keyword",
    ],

    [
      "PTS04",
      skill([{ ...declared, name: "grep" }], { "grep.py": "def grep(a):\n    return {'a': a}\n" }),
      "tool grep: is the name of a built-in tool",
    ],
    ["PTS04", skill([declared, declared], { "t.py": sound }), "tool t: is declared twice"],
    [
      "PTS04",
      skill([{ ...declared, name: "sum-up" }], { "sum-up.py": sound }),
      "tool sum-up: must be 1 to 64 letters, digits and _, and not start with a digit",
    ],
    [
      "PTS04",
      skill([{ ...declared, name: "../../t" }], {}),
      "tool ../../t: must be 1 to 64 letters, digits and _, and not start with a digit",
    ],
    [
      "PTS04",
      skill([{ ...declared, name: "" }], {}),
      "tool : must be 1 to 64 letters, digits and _, and not start with a digit",
    ],
    [
      "PTS04",
      skill([{ ...declared, name: "lambda" }], {}),
      "tool lambda: is a Python keyword and cannot be a function name",
    ],

    [
      "PTS06",
      skill([declared], { "t.py": sound, "old.py": sound }),
      "scripts/old.py: not declared, not imported",
    ],
    ["PTS06", skill([], { "t.py": sound }), "scripts/t.py: not declared, not imported"],
    [
      "PTS06",
      withSchema({ properties, required: ["a"] }, "def t(a, b=1):\n    return {}\n"),
      "scripts/t.py: parameter b is not declared",
    ],

    [
      "PTS07",
      skill([declared], { "t.py": `from scripts.helper import f\n${sound}`, "helper.py": "" }),
      "scripts/t.py:1: import scripts.helper",
    ],
    [
      "PTS07",
      skill([declared], { "t.py": `import os\nimport numpy.linalg as la\nimport numpy\n${sound}` }),
      "scripts/t.py:2: import numpy.linalg",
    ],
    ["PTS07", skill([declared], { "t.py": `from .gone import f\n${sound}` }), "scripts/t.py:1: import .gone"],
    [
      "PTS07",
      skill([declared], {
        "t.py": `import helper\n${sound}`,
        "helper.py": "def f():\n    from yaml import load\n",
      }),
      "scripts/helper.py:2: import yaml",
    ],

    [
      "PTS08",
      skill([{ ...declared, description: long }], { "t.py": sound }),
      "tool t: description has 121 characters",
    ],
    ["PTS08", skill([{ ...declared, description: " " }], { "t.py": sound }), "tool t: no description"],
    ["PTS08", skill([{ name: "t", description: "Says it" }], { "t.py": sound }), "tool t: no parameters"],
    ["PTS08", skill(["t"], { "t.py": sound }), "tool t: declared without description and parameters"],
    [
      "PTS08",
      withSchema({ properties: { a: { enum: many } }, required: ["a"] }, sound),
      "tool t: parameter a has an enum of 21 values",
    ],
    [
      "PTS08",
      withSchema(
        {
          properties: { a: { type: "object", properties: { b: { items: { enum: many } } } } },
          required: ["a"],
        },
        sound,
      ),
      "tool t: parameter a.b[] has an enum of 21 values",
    ],
    [
      "PTS08",
      withSchema({ properties: { a: { description: "says what it was told." } }, required: ["a"] }, sound),
      "tool t: parameter a repeats the description of the tool",
    ],
    [
      "PTS08",
      withSchema(
        { properties: { a: one, b: one }, required: ["a"] },
        "def t(a, **rest):\n    return {'a': a, 'c': rest.get('c')}\n",
      ),
      "tool t: parameter b is declared but never used",
    ],

    ["PTS09", skill([declared], { "t.py": swallowing }), "scripts/t.py:4: except Exception returns a dict"],
    [
      "PTS09",
      skill([declared], { "t.py": `import time\ndef t(a):\n    return {'at': time.time(), 'a': a}\n` }),
      "scripts/t.py:3: time.time reads the clock",
    ],
    [
      "PTS09",
      skill([declared], {
        "t.py": `import helper\n${sound}`,
        "helper.py": "from random import choice\nx = choice([1])\n",
      }),
      "scripts/helper.py:2: random.choice is random",
    ],
    [
      "PTS09",
      skill([declared], {
        "t.py": `from urllib.request import urlopen\ndef t(a):\n    return {'a': urlopen(a)}\n`,
      }),
      "scripts/t.py:3: urllib.request.urlopen uses the network",
    ],
  ])("%s %#", async (code, files, message) => {
    expect(await found(files)).toEqual([`${code} ${message}`]);
  });

  test("is reported once, where it is to be fixed", async () => {
    const tools = [{ ...declared, name: "sums" }, declared];
    const scripts = { "t.py": "import time\n\n\ndef t(a, b=time.time()):\n    return {}\n", "Sums.py": "" };
    const { diagnostics } = await examined(skill(tools, scripts), { folder });

    expect(
      diagnostics.map(({ code, severity, file, line, jsonPath, hint }) => [
        code,
        severity,
        file,
        line,
        jsonPath,
        hint,
      ]),
    ).toEqual([
      ["PTS06", "warning", "scripts/t.py", 4, null, "declare it in parameters, or remove it"],
      ["PTS09", "warning", "scripts/t.py", 4, null, "take the time as a parameter"],
      ["PTS02", "error", "skill.json", 13, "$.tools[0].name", "did you mean scripts/Sums.py?"],
    ]);
  });

  test("is reported also where the manifest is wrong elsewhere", async () => {
    const files = skill(
      [
        { ...declared, parameters: { type: "object", required: "a" } },
        { ...declared, name: "s" },
      ],
      { "t.py": sound },
    );
    const { lines } = await examined(files, { folder });

    expect(lines).toEqual([
      "PTS01 manifest: AHM07",
      expect.stringMatching(/^AHM07 tools\[0\]\.parameters/),
      "PTS02 tool s: scripts/s.py missing",
    ]);
  });

  test("a link that leads out is a finding about the folder, not about the tool", async () => {
    await using temporary = await temporaryFolder();
    const dir = join(temporary.path, folder);
    mkdirSync(join(dir, "scripts"), { recursive: true });
    for (const [path, text] of Object.entries(skill([declared], {}))) writeFileSync(join(dir, path), text);
    writeFileSync(join(temporary.path, "t.py"), sound);
    symlinkSync("../../t.py", join(dir, "scripts", "t.py"));
    const diagnostics = new Diagnostics("strict", folder);
    const at = new SkillFolder(dir);
    await examineTools(await describeSkill(at, "project", diagnostics), at, diagnostics);

    expect(diagnostics.list()).toEqual([]);
  });

  test("thousands of mistakes are reported as far as anybody reads", async () => {
    const tools = Array.from({ length: 3000 }, (_, index) => `tool_${index}`);
    const { diagnostics } = await examined(skill(tools, {}), { folder });

    expect(diagnostics).toHaveLength(200);
    expect(new Set(diagnostics.map(({ code }) => code))).toEqual(new Set(["PTS02"]));
  });
});
