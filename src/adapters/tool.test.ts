import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readOutput, within } from "../../test/open-skill.ts";
import { openTool } from "../../test/open-tool.ts";
import { eventually, isAlive, pidFrom } from "../../test/programs.ts";
import { describeStrict } from "../../test/strict-machine.ts";
import { openStrict } from "../../test/strict-sandbox.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import type { Json, JsonSchema } from "../shared/json/json.ts";
import { adapterContract } from "./adapter.contract.ts";

const sandboxes: { readonly running: number }[] = [];

async function counted(script: string) {
  const tool = await openTool(script);
  sandboxes.push(tool.sandbox);
  return tool;
}

adapterContract("tool", {
  echo: () => counted("def work(**arguments):\n    return arguments\n"),
  broken: () => counted("def work(**arguments):\n    raise ValueError('no')\n"),
  slow: () => counted("import time\ndef work(**arguments):\n    time.sleep(60)\n"),
  leftovers: () => sandboxes.reduce((sum, { running }) => sum + running, 0),
  onlyObjects: "a tool is called with named arguments",
  longestText: { chars: 30_000, why: "a result has 64 KiB at most" },
});

const patience = within(20_000);
const result = (expression: string, before = "") =>
  `${before}\ndef work(**arguments):\n    return ${expression}\n`;
const body = (...lines: string[]) =>
  `def work(**arguments):\n${lines.map((line) => `    ${line}\n`).join("")}`;

function nested(levels: number): Json {
  return levels === 1 ? {} : { a: nested(levels - 1) };
}

describe("what a tool does instead", () => {
  test("a long message is cut so that it fits a conversation with its code, and the traceback is for the record", async () => {
    await using tool = await openTool(body("raise ValueError('x y' * 2000)"));
    const outcome = await tool.call({}, patience);
    const { cause, message, stderrTail } = outcome as { cause: string; message: string; stderrTail: string };
    expect(`${cause}: ${message}`).toHaveLength(500);
    expect(message).not.toContain("Traceback");
    expect(stderrTail).toMatch(/^Traceback.*\n {2}File ".*work\.py", line 2, in work\n/);
    expect(stderrTail).not.toContain("tool-host");
  });

  test("one that sleeps while it is imported is ended at the deadline, with all it started", async () => {
    await using folder = await temporaryFolder();
    const pidFile = join(folder.path, "pid");
    const script = [
      "import os, time",
      "pid = os.fork()",
      `if pid: open(${JSON.stringify(pidFile)}, 'w').write(str(pid))`,
      "else: os.setsid()",
      "time.sleep(60)",
    ];
    await using tool = await openTool(script.join("\n"));

    const call = tool.call({}, within(1500));
    const child = await pidFrom(pidFile);

    expect(await call).toMatchObject({
      status: "timed-out",
      latencyMs: 1500,
      message: "work did not answer within 1500 ms",
    });
    expect(tool.sandbox.running).toBe(0);
    await eventually(() => !isAlive(child), "the fork is gone");
  });
});

describe("what a tool does besides", () => {
  test("prints go to the record and are never an answer, whoever prints them", async () => {
    const forged = `'{"ok":true,"data":{"forged":1}}\\n'`;
    const script = body(
      "import os, subprocess, sys",
      `print(${forged}, end='')`,
      `os.write(1, ${forged}.encode())`,
      "subprocess.run(['/bin/sh', '-c', 'echo from a child; ls /dev/fd/'])",
      "print('ende \\ud800', file=sys.stderr)",
      "return {'real': 1}",
    );
    await using tool = await openTool(script);

    const outcome = await tool.call({}, patience);

    expect(readOutput(outcome)).toEqual({ real: 1 });
    expect(outcome.stray).toBeUndefined();
    const lines = (outcome.stderrTail ?? "").split("\n");
    expect(lines.filter((line) => line === '{"ok":true,"data":{"forged":1}}')).toHaveLength(2);
    expect(lines).toContain("from a child");
    // The descriptor of replies is not among what a child finds: three streams, and the one that ls opens itself.
    expect(lines.filter((line) => /^\d+$/.test(line)).map(Number)).toEqual([0, 1, 2, 3]);
    expect(lines).toContain("ende \\ud800");
  });

  test("prints beyond every cap are harmless", async () => {
    await using tool = await openTool(body("print('x' * 8_000_000)", "return {'real': 1}"));
    const outcome = await tool.call({}, patience);
    expect(readOutput(outcome)).toEqual({ real: 1 });
    expect(outcome.stderrTail?.length).toBeLessThan(66_000);
  });

  test("its input is empty, and it is found by its own name", async () => {
    const script = result("{'read': sys.stdin.read(), 'name': __name__, 'first': sys.path[0]}", "import sys");
    await using tool = await openTool(script);
    expect(readOutput(await tool.call({}, patience))).toEqual({
      read: "",
      name: "work",
      first: join(tool.dir, "scripts"),
    });
  });

  test("it may be called like a module of Python, and imports what lies beside it", async () => {
    const files = {
      "scripts/json.py":
        "import json as other\nfrom lib.words import word\ndef json():\n    return {'word': word, 'dumps': hasattr(other, 'dumps')}\n",
      "scripts/lib/__init__.py": "",
      "scripts/lib/words.py": "word = 'found'\n",
    };
    await using tool = await openTool(null, {
      files,
      config: { function: "json", script: "scripts/json.py" },
    });
    expect(readOutput(await tool.call({}, patience))).toEqual({ word: "found", dumps: true });
  });

  test("every call reads the sources, writes nothing, and believes no compiled file", async () => {
    const files = { "scripts/helper.py": "word = 'old'\n" };
    await using tool = await openTool(result("{'word': word}", "from helper import word"), { files });
    const helper = join(tool.dir, "scripts/helper.py");
    const { atime, mtime } = statSync(helper);
    expect(readOutput(await tool.call({}, patience))).toEqual({ word: "old" });
    expect(readdirSync(tool.dir, { recursive: true }).sort()).toEqual([
      "scripts",
      "scripts/helper.py",
      "scripts/work.py",
    ]);
    execFileSync("python3", ["-c", "import helper"], {
      cwd: join(tool.dir, "scripts"),
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: "" },
    });
    expect(readdirSync(join(tool.dir, "scripts/__pycache__"))).toHaveLength(1);

    writeFileSync(helper, "word = 'new'\n");
    utimesSync(helper, atime, mtime);

    expect(readOutput(await tool.call({}, patience))).toEqual({ word: "new" });
  });
});

const parameters: JsonSchema = {
  type: "object",
  properties: {
    doc_text: { type: "string" },
    max_results: { type: "integer", minimum: 1 },
    filter: { type: "object", properties: { kind: { enum: ["a", "b"] } }, required: ["kind"] },
    "a/b~c": { type: "boolean" },
  },
  required: ["doc_text"],
};

describe("arguments", () => {
  const refused: [Json, string][] = [
    [{ max_results: "5" }, "/doc_text is required; /max_results must be integer"],
    [{ doc_text: "x", max_results: true }, "/max_results must be integer"],
    [{ doc_text: "x", max_results: 0 }, "/max_results must be >= 1"],
    [{ doc_text: null }, "/doc_text must be string"],
    [{ doc_text: "x", filter: {} }, "/filter/kind is required"],
    [
      { doc_text: "x", filter: { kind: "c" } },
      '/filter/kind must be equal to one of the allowed values: ["a","b"]',
    ],
    [{ doc_text: "x", "a/b~c": 1 }, "/a~1b~0c must be boolean"],
    [["doc_text"], "(root) must be object"],
    [null, "(root) must be object"],
    [JSON.parse('{"__proto__":{"doc_text":"x"}}'), "/doc_text is required"],
    [nested(65), "(root) is nested deeper than 64 levels"],
    [{ doc_text: "x".repeat(10_485_760) }, "(root) has 10485775 bytes, limit 10485760"],
  ];

  test("what does not fit the whole schema is refused, and nothing is started", async () => {
    await using tool = await openTool(result("arguments"), { parameters });
    for (const [input, message] of refused)
      expect(await tool.call(input, patience)).toEqual({
        status: "failed",
        cause: "bad-arguments",
        message,
        latencyMs: 0,
      });
    expect(tool.sandbox.commands).toEqual([]);
  });

  test("five violations are reported at most, and by default the schema is one of 2020-12", async () => {
    const names = ["a", "b", "c", "d", "e", "f"];
    await using tool = await openTool(result("{}"), { parameters: { required: names } });
    expect(await tool.call({}, patience)).toMatchObject({
      message: "/a is required; /b is required; /c is required; /d is required; /e is required",
    });
    const dependent = { type: "object", dependentRequired: { a: ["b"] } };
    await using modern = await openTool(result("{}"), { parameters: dependent });
    expect(await modern.call({ a: 1 }, patience)).toMatchObject({ message: "/b is required" });
  });

  test("1.0 is an integer, nothing is filled in, and what nobody declared is passed on with a word", async () => {
    await using tool = await openTool(result("arguments"), { parameters });
    const input = { doc_text: "", max_results: 1.0, more: 1, else: 2 };

    expect(await tool.call(input, patience)).toMatchObject({
      output: input,
      warnings: ["undeclared-argument: more, else is not in the parameters of the tool"],
    });
  });

  test("a check that takes too long refuses the call", async () => {
    const slow = { properties: { a: { type: "string", pattern: "^(a+)+$" } } };
    await using tool = await openTool(result("{}"), { parameters: slow });
    expect(await tool.call({ a: `${"a".repeat(40)}!` }, patience)).toMatchObject({
      cause: "bad-arguments",
      message: expect.stringContaining("could not be checked"),
    });
  });

  test("a schema that does not compile is for the user to fix, before anything is called", async () => {
    await expect(openTool(result("{}"), { parameters: { type: "objekt" } })).rejects.toMatchObject({
      code: "skill-invalid",
      message: expect.stringContaining("my-skill#work"),
    });
  });
});

describe("the interpreter", () => {
  test("none on the search path is for the user to fix", async () => {
    await expect(openTool(result("{}"), { env: { PATH: "/nowhere" } })).rejects.toMatchObject({
      code: "adapter-invalid",
      exitCode: 2,
      message: "skill my-skill#work: the program python3 cannot be found or run",
    });
  });

  test("so is one that is too old", async () => {
    await using folder = await temporaryFolder();
    writeFileSync(join(folder.path, "python3"), "#!/bin/sh\necho 3.8\n", { mode: 0o755 });
    await expect(openTool(result("{}"), { env: { PATH: folder.path } })).rejects.toMatchObject({
      code: "adapter-invalid",
      message: `skill my-skill#work: ${folder.path}/python3 is Python 3.8; tools need 3.9`,
    });
  });

  test("it is started alone, without a shell and without what the user's Python is set up with", async () => {
    await using tool = await openTool(
      result(
        "{'flags': [sys.flags.isolated, sys.flags.dont_write_bytecode], 'mine': os.environ.get('MINE')}",
        "import os, sys",
      ),
      { config: { env: { MINE: "1", PYTHONPATH: "/elsewhere" } } },
    );
    expect(readOutput(await tool.call({}, patience))).toEqual({ flags: [1, 1], mine: "1" });
    const [python, ...words] = tool.sandbox.commands[0]?.argv ?? [];
    expect(python).toMatch(/^\/.*python/);
    expect(words.slice(0, 2)).toEqual(["-I", "-B"]);
  });
});

describeStrict("in strict containment", () => {
  test("a tool answers, sees neither its tests nor the rest of the machine, and cannot write to its folder", async () => {
    await using sandbox = openStrict();
    const script = body(
      "import os",
      "def tries(path):",
      "    try: return open(path, 'a').close()",
      "    except OSError as error: return type(error).__name__",
      "here = os.path.dirname(os.path.dirname(__file__))",
      "test = os.path.exists(os.path.join(here, 'tests/work.eval.json'))",
      "return {'test': test, 'own': tries(__file__), 'here': os.path.exists(arguments['dir']), 'work': tries(os.environ['HOME'] + '/note')}",
    );
    const files = { "tests/work.eval.json": "secret" };
    await using tool = await openTool(script, { files, sandbox });

    expect(readOutput(await tool.call({ dir: tool.dir }, patience))).toEqual({
      test: false,
      own: expect.stringMatching(/^(?:OS|Permission)Error$/),
      here: false,
      work: null,
    });
    expect(existsSync(join(tool.dir, "scripts/__pycache__"))).toBe(false);
  });
});
