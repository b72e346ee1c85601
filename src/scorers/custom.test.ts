import { rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { countingSandbox } from "../../test/counting-sandbox.ts";
import { makeAnswer, mistakeIn, requestFor, scoreAnswer } from "../../test/scorer-request.ts";
import { describeStrict } from "../../test/strict-machine.ts";
import { openStrict, skillFolder } from "../../test/strict-sandbox.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import type { Score } from "../contract/scorer.ts";
import type { Evaluator, Expectation } from "../contract/task.ts";
import { sha256 } from "../shared/json/canonical-json.ts";
import type { Json } from "../shared/json/json.ts";
import { prepareScorer, type ScorerRequest } from "./choose-scorer.ts";

interface Suite extends AsyncDisposable {
  write(name: string, content: string): Promise<void>;
  request(expected: Expectation, evaluator?: Evaluator): ScorerRequest;
  sandbox: ReturnType<typeof countingSandbox>;
}

/** A folder with a benchmark file and whatever scorers a test writes beside it. */
async function suiteFolder(): Promise<Suite> {
  const folder = await temporaryFolder();
  const sandbox = countingSandbox();
  return {
    sandbox,
    write: (name, content) => writeFile(join(folder.path, name), content, { mode: 0o755 }),
    request: (expected, evaluator) =>
      requestFor({ type: "custom", ...expected }, evaluator, {
        file: join(folder.path, "benchmark.json"),
        sandbox,
      }),
    async [Symbol.asyncDispose]() {
      await sandbox[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** What a module with this source says about an answer, checked to leave no process behind. */
async function scoreWith(source: string, output: Json = "x", evaluator?: Evaluator): Promise<Score> {
  await using suite = await suiteFolder();
  await suite.write("scorer.mjs", source);
  const patient = { timeoutMs: 25_000, ...evaluator };
  const score = await scoreAnswer(suite.request({ customScorerPath: "./scorer.mjs" }, patient), output);
  expect(suite.sandbox.running).toBe(0);
  return score;
}

/** What a command says that prints this text. */
async function scoreOfCommand(text: string, evaluator?: Evaluator): Promise<Score> {
  await using suite = await suiteFolder();
  await suite.write("reply.txt", text);
  return await scoreAnswer(suite.request({}, { command: ["cat", "reply.txt"], ...evaluator }), "x");
}

const returns = (expression: string) => `export default async () => (${expression});`;

describe("what a module may answer", () => {
  test("true is 1 and a pass, false is 0 and a fail", async () => {
    expect(await scoreWith(returns("true"))).toEqual({ score: 1, passed: true, reason: null });
    expect(await scoreWith(returns("false"))).toEqual({ score: 0, passed: false, reason: null });
  });

  test("a number passes from the threshold on, which is 1 where nothing is said", async () => {
    expect(await scoreWith(returns("0.9"))).toEqual({ score: 0.9, passed: false, reason: null });
    expect(await scoreWith(returns("1"))).toMatchObject({ passed: true });
    expect(await scoreWith(returns("0.9"), "x", { passThreshold: 0.9 })).toMatchObject({ passed: true });
  });

  test("an object has a score and may have a reason", async () => {
    expect(await scoreWith(returns("{ score: 0.5, reason: 'half' }"))).toEqual({
      score: 0.5,
      passed: false,
      reason: "half",
    });
  });

  test("`passed` is its word, whatever the threshold says", async () => {
    expect(await scoreWith(returns("{ score: 0.1, passed: true }"))).toMatchObject({
      score: 0.1,
      passed: true,
    });
    expect(await scoreWith(returns("{ score: 1, passed: false }"))).toMatchObject({
      score: 1,
      passed: false,
    });
  });

  test("a function that is not async will do, and so will a thenable", async () => {
    expect(await scoreWith("export default () => 1;")).toMatchObject({ score: 1 });
    expect(await scoreWith("export default () => ({ then: (done) => done(0.25) });")).toMatchObject({
      score: 0.25,
    });
  });

  test("a CommonJS module will do", async () => {
    await using suite = await suiteFolder();
    await suite.write("scorer.cjs", "module.exports = () => true;");
    expect(await scoreAnswer(suite.request({ customScorerPath: "scorer.cjs" }), 1)).toMatchObject({
      passed: true,
    });
  });
});

test("a module sees task, input, output, expected value and latency", async () => {
  const source = `export default ({ task, input, output, expected, latencyMs }) =>
    ({ score: 1, reason: JSON.stringify([task.id, task.expectedOutput.type, input, output, expected, latencyMs]) });`;
  await using suite = await suiteFolder();
  await suite.write("fib.mjs", source);
  const score = await scoreAnswer(suite.request({ value: [1, 1, 2], customScorerPath: "./fib.mjs" }), {
    n: "é",
  });
  expect(score).toMatchObject({ reason: '["t","custom",{"x":2},{"n":"é"},[1,1,2],12]' });
});

test("it runs in its own process, in the folder of the benchmark, with limited memory and without our variables", async () => {
  await using suite = await suiteFolder();
  await suite.write("word.mjs", "export const word = 'beside';");
  await suite.write(
    "scorer.mjs",
    `import { word } from "./word.mjs";
     export default () => ({ score: 1, reason: [word, process.pid !== ${process.pid}, process.cwd()].join() });`,
  );
  const request = suite.request({ customScorerPath: "./scorer.mjs" });
  const folder = request.file.slice(0, -"/benchmark.json".length);
  expect(await scoreAnswer(request, 1)).toMatchObject({ reason: `beside,true,${folder}` });
  expect(suite.sandbox.commands).toMatchObject([
    {
      cwd: folder,
      env: {},
      deadlineMs: 5000,
      argv: [process.execPath, "--max-old-space-size=256", expect.anything(), join(folder, "scorer.mjs")],
    },
  ]);
});

test("an answer of several megabytes reaches the scorer whole", async () => {
  const score = await scoreWith(
    "export default ({ output }) => ({ score: 1, reason: String(output.length) });",
    "x".repeat(5_000_000),
  );
  expect(score).toMatchObject({ reason: "5000000" });
});

test("every answer gets a fresh process: nothing is remembered", async () => {
  await using suite = await suiteFolder();
  await suite.write("scorer.mjs", "let calls = 0; export default () => (++calls === 1);");
  const request = suite.request({ customScorerPath: "./scorer.mjs" });
  expect(await scoreAnswer(request, 1)).toMatchObject({ passed: true });
  expect(await scoreAnswer(request, 1)).toMatchObject({ passed: true });
});

describe("fault row 43: a scorer that misbehaves makes its own cell invalid and nothing else", () => {
  test.each([
    ["throws", "export default () => { throw new Error('on purpose'); };", "on purpose"],
    ["rejects", "export default async () => { throw new Error('on purpose'); };", "on purpose"],
    ["throws while it is loaded", "throw new Error('on purpose');", "on purpose"],
    [
      "throws from a timer",
      "export default () => new Promise(() => { setTimeout(() => { throw new Error('late'); }); });",
      "late",
    ],
    ["throws nothing at all", "export default () => { throw undefined; };", "undefined"],
    [
      "throws what cannot be put into words",
      "export default () => { throw { get message() { throw 1; } }; };",
      "cannot be described",
    ],
    ["is not JavaScript", "export default (", "Unexpected"],
    ["exports no function", "export default 5;", "not a function"],
    ["has no default export", "export const score = () => 1;", "not a function"],
    ["never settles", "export default () => new Promise(() => {});", "never settles"],
    ["exits", "export default () => process.exit(0);", "exited with code 0"],
    ["exits with a code", "export default () => process.exit(7);", "code 7"],
    ["kills itself", "export default () => process.kill(process.pid, 'SIGKILL');", "SIGKILL"],
    ["aborts", "export default () => process.abort();", "SIGABRT"],
    [
      "closes its stdout",
      "import { closeSync } from 'node:fs'; export default () => { closeSync(1); return 1; };",
      "",
    ],
  ])("case 5: it %s: scorer-crashed", async (_, source, words) => {
    const score = await scoreWith(source);
    expect(score).toMatchObject({ score: null, cause: "scorer-crashed" });
    expect(score.score === null && score.message).toContain(words);
  });

  test("where it threw is in the message, and its stack in the details, without our own frames", async () => {
    const score = await scoreWith(
      "function parse(text) {\n  return JSON.parse(text).a.b;\n}\nexport default () => parse('{}');",
    );
    expect(score).toMatchObject({
      message: expect.stringMatching(/^the scorer threw: .*undefined.* \(at \S+\.m?js:2:\d+\)$/),
      details: { scorerStack: expect.stringMatching(/^at parse \(\S+:2:\d+\)\n/) },
    });
    expect(JSON.stringify(score)).not.toContain("scorer-process");
  });

  test("it uses more memory than it may: scorer-crashed", async () => {
    const source =
      "export default () => { const all = []; for (;;) all.push(new Array(1e6).fill(all.length)); };";
    expect(await scoreWith(source)).toMatchObject({
      score: null,
      cause: "scorer-crashed",
      message: expect.stringContaining("heap out of memory"),
    });
  });

  test.each([
    ["hangs in a loop", "export default () => { for (;;); };"],
    ["hangs on a timer", "export default () => new Promise(() => { setInterval(() => {}, 1000); });"],
    ["hangs while it is loaded", "for (;;);"],
    [
      "floods stdout without end",
      "import { writeSync } from 'node:fs'; export default () => { for (;;) writeSync(1, 'x'.repeat(65536)); };",
    ],
  ])("it %s: scorer-timeout", async (_, source) => {
    expect(await scoreWith(source, "x", { timeoutMs: 400 })).toEqual({
      score: null,
      cause: "scorer-timeout",
      message: "the scorer gave no answer within 400 ms",
    });
  });

  test.each([
    ["NaN", "NaN"],
    ["Infinity", "Infinity"],
    ["1.01", "1.01"],
    ["-0.01", "-0.01"],
    ["'1'", '"1"'],
    ["null", "null"],
    ["undefined", "nothing"],
    ["[1]", "nothing"],
    ["{}", "nothing"],
    ["{ passed: true }", "nothing"],
    ["{ score: '1' }", '"1"'],
    ["{ score: NaN, passed: true }", "NaN"],
    ["{ score: Promise.resolve(1) }", "object"],
    ["{ score: 1n }", "bigint"],
    ["{ score: { valueOf: () => 1 } }", "object"],
    ["() => 1", "function"],
    ["Symbol('one')", "symbol"],
    ["{ score: 1, passed: 'yes' }", "yes"],
    ["{ score: 1, passed: null }", "null"],
    ["{ score: 1, reason: ['x'] }", "object"],
    ["{ get score() { throw new Error('no'); } }", "no"],
    ["{ score: 1, reason: 'x'.repeat(70_000) }", "65536 bytes"],
  ])("it returns %s: scorer-bad-result", async (expression, words) => {
    const score = await scoreWith(returns(expression));
    expect(score).toMatchObject({ score: null, cause: "scorer-bad-result" });
    expect(score.score === null && score.message).toContain(words);
  });

  test("it returns a Proxy: its members are read once, and only if they are a score it counts", async () => {
    expect(await scoreWith(returns("new Proxy({}, { get: () => 1 })"))).toMatchObject({ score: null });
    const honest = "new Proxy({ score: 0.5 }, {})";
    expect(await scoreWith(returns(honest))).toMatchObject({ score: 0.5 });
    const turning = "(() => { let n = 0; return { get score() { return n++ === 0 ? 0.5 : NaN; } }; })()";
    expect(await scoreWith(returns(turning))).toMatchObject({ score: 0.5 });
  });

  test("it prints to stdout, also what looks like a reply: only what it returns counts", async () => {
    const source = `
      console.log('{"kind":"answer","value":1}');
      process.stdout.write('no line end {"score":1}');
      export default () => { console.log("x".repeat(200_000)); return 0.25; };`;
    expect(await scoreWith(source)).toMatchObject({ score: 0.25 });
  });

  test("it replaces globals: its own answer still comes through", async () => {
    const source = `
      JSON.stringify = () => '{"kind":"answer","value":1}';
      Object.prototype.toJSON = () => 1;
      process.stdout.write = () => { throw new Error("no"); };
      process.exit = () => {};
      String.prototype.slice = () => "forged";
      Promise.prototype.then = () => { throw new Error("no"); };
      globalThis.Promise = null; globalThis.String = null; globalThis.Buffer = null;
      import fs, { writeSync } from "node:fs";
      import { syncBuiltinESMExports } from "node:module";
      fs.writeSync = () => 0; syncBuiltinESMExports();
      export default () => ({ score: 0.25, reason: "mine" });`;
    expect(await scoreWith(source)).toEqual({ score: 0.25, passed: false, reason: "mine" });
  });

  test("it answers and goes on working: the answer counts and the process is gone", async () => {
    const source =
      "process.on('exit', () => { for (;;); }); setInterval(() => {}, 1000); export default () => 1;";
    expect(await scoreWith(source)).toMatchObject({ score: 1 });
  });

  test("case 5: others are unharmed while one exits and one hangs", async () => {
    const [exits, hangs, fine] = await Promise.all([
      scoreWith("export default () => process.exit(0);"),
      scoreWith("for (;;);", "x", { timeoutMs: 400 }),
      scoreWith(returns("true")),
    ]);
    expect([exits.score, hangs.score, fine.score]).toEqual([null, null, 1]);
  });
});

describe("a command", () => {
  test("gets the question as JSON on stdin and prints the answer as JSON", async () => {
    await using suite = await suiteFolder();
    await suite.write(
      "scorer.sh",
      `#!/bin/sh\nif grep -q '"output":"right"'; then echo '{"score": 1, "reason": "seen"}'; else echo false; fi\n`,
    );
    const request = suite.request({}, { command: "./scorer.sh" });
    expect(await scoreAnswer(request, "right")).toEqual({ score: 1, passed: true, reason: "seen" });
    expect(await scoreAnswer(request, "wrong")).toEqual({ score: 0, passed: false, reason: null });
  });

  test("is split into words as a shell would, and read by no shell", async () => {
    await using suite = await suiteFolder();
    await suite.write("a b.txt", "0.5");
    expect(await scoreAnswer(suite.request({}, { command: "cat 'a b.txt'" }), 1)).toMatchObject({
      score: 0.5,
    });
    expect(await scoreAnswer(suite.request({}, { command: "cat 'a b.txt' ; true" }), 1)).toMatchObject({
      score: null,
      cause: "scorer-crashed",
    });
  });

  test("may leave without reading a long question", async () => {
    await using suite = await suiteFolder();
    await suite.write("reply.txt", "true");
    const request = suite.request({}, { command: ["cat", "reply.txt"] });
    expect(await scoreAnswer(request, "x".repeat(5_000_000))).toMatchObject({ passed: true });
  });

  test.each([
    ["fault row 25: NaN", "NaN", "not JSON"],
    ["fault row 25: Infinity", '{"score": Infinity}', "not JSON"],
    ["fault row 25: a number that is not finite", "1e400", "not finite"],
    ["fault row 25: a duplicate key", '{"score": 0, "score": 1}', "duplicate key"],
    ["fault row 24: nesting without end", "[".repeat(50_000), "nested deeper"],
    ["nothing", "", "printed nothing"],
    ["words", "looks good", "not JSON"],
    ["two values", "1 1", "not JSON"],
    ["a score beyond 1", '{"score": 1.5}', "1.5"],
    ["a passed that is not a boolean", '{"score": 1, "passed": 1}', "got 1"],
    ["more than 64 KiB", " ".repeat(65_537), "65536 bytes"],
  ])("%s is a scorer-bad-result", async (_, text, words) => {
    const score = await scoreOfCommand(text);
    expect(score).toMatchObject({ score: null, cause: "scorer-bad-result" });
    expect(score.score === null && score.message).toContain(words);
  });

  test("bytes that are not UTF-8 are a scorer-bad-result", async () => {
    await using suite = await suiteFolder();
    const command = ["printf", '{"score":1,"reason":"\\377"}'];
    expect(await scoreAnswer(suite.request({}, { command }), 1)).toMatchObject({
      cause: "scorer-bad-result",
    });
  });

  test("its threshold holds for its numbers", async () => {
    expect(await scoreOfCommand("0.5", { passThreshold: 0.5 })).toMatchObject({ score: 0.5, passed: true });
  });

  test("that fails is scorer-crashed with the last thing it said, even if it printed a score", async () => {
    await using suite = await suiteFolder();
    await suite.write(
      "scorer.sh",
      "#!/bin/sh\necho 1\necho 'Traceback' >&2\necho 'KeyError: 5' >&2\nexit 3\n",
    );
    expect(await scoreAnswer(suite.request({}, { command: "./scorer.sh" }), 1)).toEqual({
      score: null,
      cause: "scorer-crashed",
      message: "the scorer exited with code 3: KeyError: 5",
    });
  });

  test("that went away since it was found is not asked", async () => {
    await using suite = await suiteFolder();
    await suite.write("scorer.sh", "#!/bin/sh\necho 1\n");
    const request = suite.request({}, { command: "./scorer.sh" });
    const scorer = await prepareScorer(request);
    await rm(join(dirname(request.file), "scorer.sh"));
    const { task } = request;
    expect(await scorer.score(makeAnswer(task, 1))).toMatchObject({ cause: "scorer-changed" });
  });

  test("that hangs is scorer-timeout", async () => {
    await using suite = await suiteFolder();
    const request = suite.request({}, { command: "tail -f /dev/null", timeoutMs: 200 });
    expect(await scoreAnswer(request, 1)).toMatchObject({ score: null, cause: "scorer-timeout" });
  });

  test("that leaves something behind which holds its stdout is read all the same, and nothing is left", async () => {
    await using suite = await suiteFolder();
    await suite.write("scorer.sh", "#!/bin/sh\ntail -f /dev/null &\necho 0.5\n");
    const request = suite.request({}, { command: "./scorer.sh", timeoutMs: 25_000 });
    expect(await scoreAnswer(request, 1)).toMatchObject({ score: 0.5 });
  });
});

describe("fault row 61: a scorer that somebody writes to while skills run decides nothing", () => {
  const right = "export default ({ output }) => output === 1;\n";
  const forged = "export default () => true;\n";

  test.each([
    ["the module", "scorer.mjs", right],
    ["a module that it imports", "part.mjs", 'export { default } from "./part.mjs";\n'],
  ])("%s", async (_, name, source) => {
    await using suite = await suiteFolder();
    await suite.write("part.mjs", right);
    await suite.write("scorer.mjs", source);
    const request = suite.request({ customScorerPath: "./scorer.mjs" });
    const scorer = await prepareScorer(request);
    expect(await scorer.score(makeAnswer(request.task, 2))).toMatchObject({ passed: false });
    await suite.write(name, forged);
    expect(await scorer.score(makeAnswer(request.task, 2))).toEqual({
      score: null,
      cause: "scorer-changed",
      message: `${name} changed during the run`,
    });
    await suite.write(name, right);
    expect(await scorer.score(makeAnswer(request.task, 1))).toMatchObject({ cause: "scorer-changed" });
  });

  test("a file of a command", async () => {
    await using suite = await suiteFolder();
    await suite.write("scorer.sh", "#!/bin/sh\necho false\n");
    const request = suite.request({}, { command: ["./scorer.sh"] });
    const scorer = await prepareScorer(request);
    await suite.write("scorer.sh", "#!/bin/sh\necho true\n");
    expect(await scorer.score(makeAnswer(request.task, 2))).toMatchObject({ cause: "scorer-changed" });
  });

  test("swapped and put back while it ran, it is asked again, and its own word counts", async () => {
    await using suite = await suiteFolder();
    const restless = (times: number) => `
      import { existsSync, readFileSync, writeFileSync } from "node:fs";
      const own = process.argv[2];
      const count = existsSync("count") ? Number(readFileSync("count", "utf8")) : 0;
      writeFileSync("count", String(count + 1));
      if (count < ${times}) { const text = readFileSync(own); writeFileSync(own, "forged"); writeFileSync(own, text); }
      export default () => count >= ${times};`;
    const ask = async (times: number) => {
      await suite.write("count", "0");
      await suite.write("scorer.mjs", restless(times));
      return scoreAnswer(suite.request({ customScorerPath: "./scorer.mjs" }, { timeoutMs: 25_000 }), 1);
    };
    expect(await ask(1)).toMatchObject({ passed: true });
    expect(await ask(9)).toMatchObject({ cause: "scorer-changed" });
  });
});

describe("identity", () => {
  test("of a module is its path as written, the hash of its content, and the defaults", async () => {
    await using suite = await suiteFolder();
    await suite.write("scorer.mjs", "export default () => 1;");
    const request = suite.request({ customScorerPath: "./scorer.mjs" });
    const before = (await prepareScorer(request)).identity;
    expect(before).toEqual({
      type: "custom",
      module: "./scorer.mjs",
      sha256: sha256("export default () => 1;"),
      passThreshold: 1,
      timeoutMs: 5000,
    });
    await suite.write("scorer.mjs", "export default () => 0;");
    expect((await prepareScorer(request)).identity).not.toEqual(before);
  });

  test("of a command is its words, with the hashes of the suite's files among them", async () => {
    await using suite = await suiteFolder();
    await suite.write("score.py", "print(1)");
    const request = suite.request({}, { command: "python3 score.py --fast /etc/passwd", timeoutMs: 9000 });
    expect((await prepareScorer(request)).identity).toEqual({
      type: "custom",
      command: ["python3", "score.py", "--fast", "/etc/passwd"],
      files: { "score.py": sha256("print(1)") },
      passThreshold: 1,
      timeoutMs: 9000,
    });
  });
});

describe("what is wrong with a custom scorer is said at load", () => {
  test("the evaluator's path comes before the expectation's", async () => {
    await using suite = await suiteFolder();
    await suite.write("a.mjs", "export default () => 1;");
    const request = suite.request({ customScorerPath: "b.mjs" }, { customScorerPath: "a.mjs" });
    expect((await prepareScorer(request)).type).toBe("custom");
    const missing = await mistakeIn(
      suite.request({ customScorerPath: "a.mjs" }, { customScorerPath: "b.mjs" }),
    );
    expect(missing).toMatchObject({
      code: "expectation-vacuous",
      jsonPath: "$.tasks[3].evaluator.customScorerPath",
    });
  });

  test("a folder is not a scorer", async () => {
    await using suite = await suiteFolder();
    expect((await mistakeIn(suite.request({ customScorerPath: "." }))).code).toBe("expectation-vacuous");
  });

  test("a scorer in another language belongs into a command", async () => {
    await using suite = await suiteFolder();
    await suite.write("scorer.py", "");
    const mistake = await mistakeIn(suite.request({ customScorerPath: "scorer.py" }));
    expect(mistake).toMatchObject({
      code: "scorer-invalid",
      jsonPath: "$.tasks[3].expectedOutput.customScorerPath",
    });
    expect(mistake.hint).toContain("evaluator.command");
  });

  test("a TypeScript scorer runs where Node can, and is refused with a way out where it cannot", async () => {
    await using suite = await suiteFolder();
    await suite.write(
      "scorer.ts",
      "export default (answer: { output: unknown }): boolean => answer.output === 1;",
    );
    const request = suite.request({ customScorerPath: "scorer.ts" });
    if ((process.features as { typescript?: unknown }).typescript) {
      expect(await scoreAnswer(request, 1)).toMatchObject({ passed: true });
    } else {
      const mistake = await mistakeIn(request);
      expect(mistake.code).toBe("scorer-invalid");
      expect(`${mistake.message} ${mistake.hint}`).toMatch(/22\.18.*\.mjs/);
    }
  });

  test.each<[string, string | string[], string]>([
    ["a quote that does not close", "cat 'x", "scorer-invalid"],
    ["nothing but spaces", "  ", "expectation-vacuous"],
    ["an empty program", ["", "x"], "expectation-vacuous"],
    ["a program of the suite that is missing", "./no-scorer.sh", "expectation-vacuous"],
    ["a program that nothing on the search path answers to", "no-such-program", "expectation-vacuous"],
  ])("a command with %s", async (_, command, code) => {
    await using suite = await suiteFolder();
    expect(await mistakeIn(suite.request({}, { command }))).toMatchObject({
      code,
      jsonPath: "$.tasks[3].evaluator.command",
    });
  });

  test("a module and a command together", async () => {
    await using suite = await suiteFolder();
    expect((await mistakeIn(suite.request({ customScorerPath: "a.mjs" }, { command: "cat" }))).code).toBe(
      "scorer-invalid",
    );
  });
});

describeStrict("fault row 74: a scorer in the sandbox", () => {
  test("that lacks a file which is hidden gives no score, and the reason shows how to grant it", async () => {
    await using elsewhere = await skillFolder({ "shared/key.txt": "1" });
    const path = join(elsewhere.path, "shared/key.txt");
    await using suite = await suiteFolder();
    await suite.write("scorer.mjs", `import { readFileSync } from "node:fs";\nreadFileSync("${path}");`);
    await using sandbox = openStrict();
    const request = suite.request({ customScorerPath: "./scorer.mjs" }, { timeoutMs: 25_000 });
    expect(await scoreAnswer({ ...request, sandbox }, "x")).toMatchObject({
      score: null,
      cause: "sandbox-hid",
      message: expect.stringContaining(`show it with --grant read:${join(elsewhere.path, "shared")} (`),
    });
  });
});
