import { readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { countingSandbox } from "../../test/counting-sandbox.ts";
import { readOutput, within } from "../../test/open-skill.ts";
import { openHostedSkill } from "../../test/open-tool-hosts.ts";
import { eventually, isAlive, pidFrom } from "../../test/programs.ts";
import { describeStrict } from "../../test/strict-machine.ts";
import { openStrict } from "../../test/strict-sandbox.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { toolHostModes } from "../contract/tool-host.ts";
import { sha256 } from "../shared/json/canonical-json.ts";
import type { Json } from "../shared/json/json.ts";
import { unsafeIntegerWarning } from "./answers.ts";
import { describeReply } from "./describe-reply.ts";
import { toolHostPool } from "./tool-host-pool.ts";

const result = (expression: string, before = "") =>
  `${before}\ndef work(**arguments):\n    return ${expression}\n`;
const body = (...lines: string[]) =>
  `def work(**arguments):\n${lines.map((line) => `    ${line}\n`).join("")}`;
const nested = (levels: number): Json => (levels === 1 ? {} : { a: nested(levels - 1) });
const ring = "def ring():\n    it = {}\n    it['a'] = it['b'] = [it, it]\n    return it";

const answered = (output: Json) => ({ status: "answered", output });
const failed = (cause: string, message: string) => ({
  status: "failed",
  cause,
  message: expect.stringContaining(message),
});
const real = answered({ real: 1 });
const timedOut = { status: "timed-out", message: "work did not answer within 200 ms", latencyMs: 200 };

interface Row {
  what: string;
  /** Null for a script that is not there. */
  script: string | null;
  outcome: object;
}

const shape = (what: string, expression: string, outcome: object): Row => ({
  what,
  script: result(expression, ring),
  outcome,
});
const deep = (levels: number) => `${"{'a':".repeat(levels - 1)}{}${"}".repeat(levels - 1)}`;
const badResult = (message: string) => failed("bad-result", message);
const tooLarge = (message: string) => failed("result-too-large", message);

/** Results that are told apart by the same code in both modes. */
const shapes: Row[] = [
  shape(
    "everything JSON knows",
    "{'a': [1, 2.5, True, None, 'ü'], 'b': {'c': ()}}",
    answered({ a: [1, 2.5, true, null, "ü"], b: { c: [] } }),
  ),
  shape("a kind of dict", "__import__('collections').OrderedDict(z=1, a=2)", answered({ z: 1, a: 2 })),
  shape("64 levels", deep(64), answered(nested(64))),
  shape("64 KiB less a little", "{'a': 'x' * 65500}", answered({ a: "x".repeat(65_500) })),
  shape("a text", "'{}'", badResult("expected a JSON object, got str")),
  shape("nothing", "None", badResult("expected a JSON object, got NoneType")),
  shape("an endless number", "{'a': float('inf')}", badResult("not JSON: /a is inf")),
  shape("an endless integer", "{'a': 10 ** 400}", badResult("not JSON: /a is an integer of 1329 bits")),
  shape("a set", "{'a': {1}}", badResult("not JSON: /a is a value of type set")),
  shape(
    "a date",
    "{'a': __import__('datetime').date(2026, 1, 1)}",
    badResult("not JSON: /a is a value of type date"),
  ),
  shape(
    "a key that is not a text",
    "{'a': {1: 2}}",
    badResult("not JSON: /a has a key that is not a string: int"),
  ),
  shape(
    "half a character",
    "{'a': chr(0xd800)}",
    badResult("not JSON: a string has half of a surrogate pair"),
  ),
  shape(
    "far more than 64 KiB",
    "{'a': ['x' * 500] * 10000}",
    tooLarge("more than 1048576 bytes, limit 65536"),
  ),
  shape("a list without end", "{'a': [0] * 5000000}", tooLarge("more than 1048576 bytes, limit 65536")),
  shape("itself", "ring()", tooLarge("nested deeper than 64 levels")),
  shape("ok: false", "{'ok': False}", {
    status: "answered",
    warnings: ["swallowed-error: the result says ok: false; raise an exception instead"],
  }),
  shape("an error", "{'error': 'x'}", {
    status: "answered",
    warnings: ["swallowed-error: the result contains an error; raise an exception instead"],
  }),
  shape("no error", "{'error': None, 'ok': True}", answered({ error: null, ok: true })),
  shape("passages", "{'a': 'x' * 9000}", {
    status: "answered",
    warnings: ["large-result: 9008 bytes; return positions instead of passages, below 8192"],
  }),
  shape("a large number", "{'a': 2 ** 60}", { status: "answered", warnings: [unsafeIntegerWarning] }),
];

/** What leaves a host that stays as it found it. */
const harmless: Row[] = [
  shape("an empty object", "{}", answered({})),
  shape("a list", "[1]", badResult("expected a JSON object, got list")),
  shape("a number that is none", "{'a': [float('nan')]}", badResult("not JSON: /a/0 is nan")),
  shape("bytes", "{'a': b'x'}", badResult("not JSON: /a is a value of type bytes")),
  shape("more than 64 KiB", "{'a': 'x' * 81226}", tooLarge("81234 bytes, limit 65536")),
  shape("65 levels", deep(65), tooLarge("nested deeper than 64 levels")),
  {
    what: "raises",
    script: body("raise ValueError('no table found')"),
    outcome: failed("tool-failed", "ValueError: no table found"),
  },
  {
    what: "raises without a word",
    script: body("raise KeyError"),
    outcome: failed("tool-failed", "KeyError"),
  },
  {
    what: "raises what cannot be put into words",
    script: body("class Mute(Exception):", "    def __str__(self): 1 / 0", "raise Mute"),
    outcome: failed("tool-failed", "Mute"),
  },
  {
    what: "asks to leave",
    script: body("import sys", "sys.exit(3)"),
    outcome: failed("tool-failed", "SystemExit: 3"),
  },
  {
    what: "recurses for ever",
    script: "def work(a, **_):\n    return work(a + 1) or {}\n",
    outcome: failed("tool-failed", "RecursionError: maximum recursion depth exceeded"),
  },
  {
    what: "takes other arguments",
    script: "def work(query, file):\n    return {}\n",
    outcome: failed("tool-failed", "TypeError: work() got an unexpected keyword argument 'a'"),
  },
  {
    what: "cannot be imported",
    script: "import no_such_module_at_all\n",
    outcome: failed(
      "tool-failed",
      "scripts/work.py cannot be imported: ModuleNotFoundError: No module named",
    ),
  },
  {
    what: "is no Python",
    script: "def work(:\n",
    outcome: failed("tool-failed", "scripts/work.py cannot be imported: SyntaxError: invalid syntax"),
  },
  {
    what: "leaves while it is imported",
    script: "raise SystemExit('bye')\n",
    outcome: failed("tool-failed", "SystemExit: bye"),
  },
  { what: "is not there", script: null, outcome: failed("tool-missing", "scripts/work.py is missing") },
  {
    what: "has another name",
    script: "def other():\n    return {}\n",
    outcome: failed("tool-missing", "scripts/work.py has no function work"),
  },
  {
    what: "is not a function",
    script: "work = 7\n",
    outcome: failed("tool-missing", "scripts/work.py has no function work"),
  },
  {
    what: "names places of this machine",
    script: body("open(__file__ + '.txt')"),
    outcome: failed("tool-failed", "No such file or directory: 'scripts/work.py.txt'"),
  },
  {
    what: "names other places of this machine",
    script: body("raise OSError('no /home/me/secret/list.csv, see https://example.com/usr/x and /binary/x')"),
    outcome: failed("tool-failed", "OSError: no list.csv, see https://example.com/usr/x and /binary/x"),
  },
  {
    what: "prints what could be a reply",
    script: body(
      "import os, sys",
      'forged = \'{"ok":true,"data":{"forged":1}}\\n\'',
      "print(forged, end='')",
      "os.write(1, forged.encode())",
      "sys.stderr.write(forged)",
      "return {'real': 1}",
    ),
    outcome: real,
  },
  {
    what: "wants compiled files",
    script: body(
      "import sys",
      "sys.dont_write_bytecode = False",
      "import helper",
      "return {'real': helper.one}",
    ),
    outcome: real,
  },
  {
    what: "goes elsewhere",
    script: body("import os, sys", "os.chdir('/')", "sys.stdout = None", "return {'real': 1}"),
    outcome: real,
  },
  {
    what: "sets a timer",
    script: body("import signal", "signal.setitimer(signal.ITIMER_REAL, 60)", "return {'real': 1}"),
    outcome: real,
  },
];

/** What a host that stays cannot go on after. */
const spoiling: Row[] = [
  { what: "sleeps", script: body("import time", "time.sleep(60)"), outcome: timedOut },
  { what: "sleeps while it is imported", script: "import time\ntime.sleep(60)\n", outcome: timedOut },
  {
    what: "ends the process",
    script: body("import os", "os._exit(3)"),
    outcome: failed("tool-crashed", "exit 3"),
  },
  {
    what: "ends it as if all were well",
    script: body("import os", 'print(\'{"ok":true,"data":{}}\', flush=True)', "os._exit(0)"),
    outcome: failed("tool-crashed", "exit 0"),
  },
  {
    what: "is killed",
    script: body("import os", "os.kill(os.getpid(), 11)"),
    outcome: failed("tool-crashed", "exit 139"),
  },
  {
    what: "closes every descriptor",
    script: body("import os", "os.closerange(0, 256)", "return {}"),
    outcome: failed("tool-crashed", "exit 0"),
  },
  {
    what: "closes what it prints to",
    script: body("import sys", "sys.stdout.close()", "return {'real': 1}"),
    outcome: real,
  },
  {
    what: "replaces what an answer is made with",
    script: body(
      "import json, os, sys",
      "json.dumps = json.loads = os.write = os._exit = os.getpid = os.read = sys.excepthook = None",
      "return {'real': 1}",
    ),
    outcome: real,
  },
  {
    what: "forks a daemon",
    script: body(
      "import os, time",
      "if os.fork() == 0:",
      "    os.setsid()",
      "    daemon = os.fork()",
      "    if daemon == 0: time.sleep(60)",
      "    else: open(arguments['file'], 'w').write(str(daemon))",
      "    os._exit(0)",
      "os.wait()",
      "return {'real': 1}",
    ),
    outcome: real,
  },
  {
    what: "lets a fork of it answer too",
    script: body("import os", "if os.fork() == 0: return {'forged': 1}", "os.wait()", "return {'real': 1}"),
    outcome: real,
  },
  {
    what: "sends a signal, which might end who keeps the host",
    script: body("import os", "os.kill(os.getpid(), 0)", "return {'real': 1}"),
    outcome: real,
  },
  {
    what: "leaves a thread behind that prints late",
    script: body("import threading", "threading.Timer(0.02, print, ['late']).start()", "return {'real': 1}"),
    outcome: real,
  },
];

/** Uses whatever others may have spoiled. */
const fine = `import json, os, signal
def fine():
    os.write(1, b'one ')
    print('two')
    timer, _ = signal.getitimer(signal.ITIMER_REAL)
    return json.loads(json.dumps({'timer': timer, 'isHere': os.path.exists('scripts/fine.py')}))
`;
const allFine = { ...answered({ timer: 0, isHere: true }), stderrTail: "one two\n" };

const rows = [...harmless, ...spoiling, ...shapes];
const scriptName = (index: number) => `tool_${index}_`;
const files = Object.fromEntries([
  ["scripts/helper.py", "one = 1\n"],
  ["scripts/fine.py", fine],
  ...rows.flatMap(({ script }, index) =>
    script === null
      ? []
      : [[`scripts/${scriptName(index)}.py`, script.replaceAll("work", scriptName(index))]],
  ),
]);
type Skill = Awaited<ReturnType<typeof openHostedSkill>>;

/** What a call of a row came to, with the tool under the name that rows know it by. */
async function callRow(skill: Skill, index: number, file: string) {
  const deadline = rows[index]?.outcome === timedOut ? { deadlineMs: 200 } : {};
  const outcome = await skill.call(scriptName(index), { a: 1, file }, deadline);
  if (!("message" in outcome)) return outcome;
  return { ...outcome, message: outcome.message.replaceAll(scriptName(index), "work") };
}

describe("what tools do", () => {
  test("in a process for each call, every one ends in its own way and leaves nothing behind", async () => {
    await using folder = await temporaryFolder();
    await using skill = await openHostedSkill("fresh", files, { slots: 4 });
    const pidFile = (index: number) => join(folder.path, `${index}.pid`);

    const both = rows.filter((row) => !shapes.includes(row));
    const outcomes = await Promise.all(both.map((_, index) => callRow(skill, index, pidFile(index))));

    expect(named(outcomes)).toMatchObject(named(both.map(({ outcome }) => outcome)));
    const daemon = rows.findIndex(({ what }) => what === "forks a daemon");
    const pid = await pidFrom(pidFile(daemon));
    await eventually(() => !isAlive(pid), "the daemon is gone");
    expect(readdirSync(skill.dir, { recursive: true })).toHaveLength(Object.keys(files).length + 1);
  });

  test("in a process for many calls it is the same, and whatever one does, the next call does not notice", async () => {
    await using folder = await temporaryFolder();
    await using skill = await openHostedSkill("persistent", files);
    const file = join(folder.path, "pid");
    const outcomes: object[] = [];
    const afterwards: object[] = [];
    for (const index of rows.keys()) {
      outcomes.push(await callRow(skill, index, file));
      const { latencyMs: _, startupMs, ...next } = await skill.call("fine");
      afterwards.push({ ...next, isReplaced: startupMs !== undefined });
    }

    expect(named(outcomes)).toMatchObject(named(rows.map(({ outcome }) => outcome)));
    expect(named(outcomes)["no error"]).not.toHaveProperty("warnings");
    expect(named(afterwards)).toEqual(
      named(rows.map((row) => ({ ...allFine, isReplaced: spoiling.includes(row) }))),
    );
    expect(isAlive(await pidFrom(file))).toBe(false);
    expect(skill.sandbox.running).toBe(1);
    expect(skill.sandbox.commands).toHaveLength(1 + spoiling.length);
    await skill.hosts[Symbol.asyncDispose]();
    expect(skill.sandbox.running).toBe(0);
    expect(readdirSync(skill.dir, { recursive: true })).toHaveLength(Object.keys(files).length + 1);
  });
});

function named(values: readonly object[]): Record<string, object> {
  return Object.fromEntries(values.map((value, index) => [rows[index]?.what, value]));
}

describe.each(toolHostModes)("in a host that is %s", (mode) => {
  const count = { parameters: { properties: { n: { type: "integer" } }, required: ["n"] } };

  test("what does not fit the whole schema is refused before anything is started", async () => {
    await using skill = await openHostedSkill(mode, { "scripts/work.py": result("{}") });
    const nestedEnum = { properties: { filter: { properties: { kind: { enum: ["a", "b"] } } } } };
    const closed = { properties: { n: {} }, additionalProperties: false };

    expect(await skill.call("work", { n: true }, count)).toEqual({
      status: "failed",
      cause: "bad-arguments",
      message: "/n must be integer",
      latencyMs: 0,
    });
    expect(await skill.call("work", { filter: { kind: "c" } }, { parameters: nestedEnum })).toMatchObject(
      failed("bad-arguments", "/filter/kind must be equal to one of the allowed values"),
    );
    expect(await skill.call("work", { n: 1, m: 2 }, { parameters: closed })).toMatchObject(
      failed("bad-arguments", "/m is not allowed"),
    );
    expect(skill.sandbox.commands).toEqual([]);
  });

  test("what nobody declared arrives, with a finding, and a file of the same size and time is read anew", async () => {
    await using skill = await openHostedSkill(mode, {
      "scripts/work.py": result("{'word': word, **arguments}", "from helper import word"),
      "scripts/helper.py": "word = 'old'\n",
    });
    const helper = join(skill.dir, "scripts/helper.py");
    const { atime, mtime } = statSync(helper);
    expect(await skill.call("work", { n: 1, more: "x" }, count)).toMatchObject({
      output: { word: "old", n: 1, more: "x" },
      warnings: ["undeclared-argument: more is not in the parameters of the tool"],
    });

    skill.write("scripts/helper.py", "word = 'new'\n");
    utimesSync(helper, atime, mtime);

    expect(readOutput(await skill.call("work"))).toEqual({ word: "new" });
    await eventually(() => skill.sandbox.running <= 1, "the host of the old files is gone");
  });

  test("an interruption throws its reason and leaves nothing", async () => {
    await using skill = await openHostedSkill(mode, { "scripts/work.py": "import time\ntime.sleep(60)\n" });
    const interruption = new AbortController();
    const call = skill.call("work", {}, { signal: interruption.signal });
    call.catch(() => {});
    await eventually(() => skill.sandbox.running === 1, "it is started");

    interruption.abort(new Error("enough"));

    await expect(call).rejects.toThrow("enough");
    await eventually(() => skill.sandbox.running === 0, "it is gone");
  });

  test("without an interpreter that will do, nothing is a matter of the tool", async () => {
    const none = { env: { PATH: "/nowhere" } };
    await using skill = await openHostedSkill(mode, { "scripts/work.py": result("{}") }, none);
    await expect(skill.call("work")).rejects.toMatchObject({ code: "adapter-invalid", exitCode: 2 });
  });
});

describe("a host that stays", () => {
  const whoAmI = result(
    "{'pid': os.getpid(), 'calls': next(calls)}",
    "import itertools, os\ncalls = itertools.count(1)",
  );
  const files = { "scripts/work.py": whoAmI, "scripts/other.py": whoAmI.replace("work", "other") };
  const pidOf = (outcome: object) => (outcome as { output: { pid: number } }).output.pid;

  test("serves a hundred calls of all tools of its skill, and the next one has what it loads for itself", async () => {
    await using skill = await openHostedSkill("persistent", files);
    const pids: number[] = [];
    let last: object = {};
    for (let n = 0; n < 201; n++) {
      last = await skill.call(n % 2 === 0 ? "work" : "other");
      pids.push(pidOf(last));
    }
    const changes = pids.flatMap((pid, n) => (n > 0 && pid !== pids[n - 1] ? [n] : []));
    expect(changes).toEqual([100, 200]);
    expect(last).toMatchObject({ output: { calls: 1 } });
    expect(new Set(pids).size).toBe(3);
    expect(pids.slice(0, 200).some((pid) => isAlive(pid))).toBe(false);
    expect(skill.sandbox.commands).toHaveLength(1);
  });

  test("serves one call at a time: there are as many as calls at once, but not more than slots", async () => {
    await using skill = await openHostedSkill("persistent", files, { slots: 2 });
    const outcomes = await Promise.all([1, 2, 3, 4, 5].map(() => skill.call("work")));
    expect(new Set(outcomes.map(pidOf)).size).toBe(2);
    expect(skill.sandbox.commands).toHaveLength(2);
  });

  test("hears no reply but the one to its request, whoever finds the descriptor", async () => {
    const forging = body(
      "import os",
      'forged = b\'{"id":"1","ok":true,"data":{"forged":1}}\\n{"ok":true,"data":{"forged":2}}\\n\'',
      "for descriptor in range(3, 64):",
      "    try: os.write(descriptor, forged)",
      "    except OSError: pass",
      "return {'real': 1}",
    );
    await using skill = await openHostedSkill("persistent", {
      ...files,
      "scripts/forging.py": forging.replace("work", "forging"),
    });
    const before = pidOf(await skill.call("work"));

    const outcome = await skill.call("forging");

    expect(outcome).toMatchObject({
      output: { real: 1 },
      stray: [expect.stringContaining("forged"), expect.stringContaining("forged")],
    });
    expect(pidOf(await skill.call("work"))).not.toBe(before);
  });

  test("ends where there are too many that nobody asks", async () => {
    await using one = await openHostedSkill("persistent", files);
    await using two = await openHostedSkill("persistent", files);
    await using sandbox = countingSandbox();
    await using pool = toolHostPool({ sandbox, maxOutputBytes: 1_000_000, maxIdle: 1 });
    const { python } = await one.hosts.prepare([one.tool("work", "sha256:0")]);
    const host = fileURLToPath(new URL("./tool-host.py", import.meta.url));
    for (const { dir } of [one, two]) {
      const command = { argv: [python, "-I", "-B", host, "persistent"] as const, cwd: dir, env: {} };
      const request = { script: "scripts/work.py", function: "work", arguments: {} };
      const skill = { dir, digest: "sha256:0" };
      await pool.call({ skill, command, request, limits: within(20_000), toOutcome: describeReply });
    }
    await eventually(() => sandbox.running === 1, "the first one is gone");
  });
});

describe("the open document", () => {
  const parameters = {
    properties: { doc_text: { type: "string" }, context_document_path: { type: "string" } },
    required: ["doc_text"],
  };
  const reading = result(
    "{'text': arguments['doc_text'], 'file': open(arguments['context_document_path']).read()}",
  );

  test.each(toolHostModes)(
    "is handed to a tool that is %s, and a word about it to the record",
    async (mode) => {
      await using folder = await temporaryFolder();
      const path = join(folder.path, "letter.txt");
      writeFileSync(path, "in the file");
      await using skill = await openHostedSkill(mode, { "scripts/work.py": reading });
      const document = { text: "in words", path };

      expect(await skill.call("work", { doc_text: " " }, { parameters, document })).toMatchObject({
        output: { text: "in words", file: "in the file" },
        injected: [
          { name: "doc_text", chars: 8, sha256: sha256("in words") },
          { name: "context_document_path", chars: path.length, sha256: sha256(path) },
        ],
      });
      expect(await skill.call("work", {}, { parameters })).toMatchObject(
        failed("bad-arguments", "/doc_text is required"),
      );
    },
  );
});

describeStrict("in strict containment", () => {
  test.each(toolHostModes)(
    "a host that is %s reads the document where it lies, its folder as it is now, and writes to neither",
    async (mode) => {
      await using sandbox = openStrict();
      await using folder = await temporaryFolder();
      const path = join(folder.path, "letter.txt");
      writeFileSync(path, "in the file");
      const script = (word: string) =>
        body(
          "def tries(path):",
          "    try: return open(path, 'a').close()",
          "    except OSError as error: return type(error).__name__",
          "path = arguments['contextDocumentPath']",
          `return {'word': '${word}', 'read': open(path).read(), 'writes': [tries(path), tries(__file__)]}`,
        );
      await using skill = await openHostedSkill(mode, { "scripts/work.py": script("old") }, { sandbox });
      const call = { parameters: { properties: { contextDocumentPath: {} } }, document: { text: "x", path } };
      const refused = expect.stringMatching(/^(?:OS|Permission)Error$/);
      const seen = { read: "in the file", writes: [refused, refused] };

      expect(readOutput(await skill.call("work", {}, call))).toEqual({ word: "old", ...seen });
      skill.write("scripts/work.py", script("new"));
      expect(readOutput(await skill.call("work", {}, call))).toEqual({ word: "new", ...seen });
      expect(readdirSync(skill.dir, { recursive: true })).toHaveLength(2);
    },
  );

  test("whatever a tool does to a host that stays, the next call does not notice, and nothing is left behind", async () => {
    await using sandbox = openStrict();
    await using skill = await openHostedSkill("persistent", files, { sandbox });
    const worst = ["sleeps", "is killed", "closes every descriptor", "forks a daemon"];
    for (const row of spoiling.filter(({ what }) => worst.includes(what))) {
      const index = rows.indexOf(row);
      expect(await callRow(skill, index, "/tmp/pid"), row.what).toMatchObject(row.outcome);
    }
    expect(await skill.call("fine")).toMatchObject(allFine);
  });
});

test.each(toolHostModes)("%s: a tool can be loaded without being called", async (mode) => {
  await using skill = await openHostedSkill(mode, {
    "scripts/fine.py": "def fine():\n    raise ValueError('called')\n",
    "scripts/other.py": "def another():\n    return {}\n",
    "scripts/broken.py": "import nothing_of_that_name\n",
  });
  const load = (name: string) => skill.hosts.load(skill.tool(name, "sha256:0"), within(20_000));

  expect(await load("fine")).toMatchObject(answered({}));
  expect(await load("other")).toMatchObject(failed("tool-missing", "has no function other"));
  expect(await load("broken")).toMatchObject(
    failed("tool-failed", "cannot be imported: ModuleNotFoundError"),
  );
  expect(await load("nowhere")).toMatchObject(failed("tool-missing", "scripts/nowhere.py is missing"));
});
