import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type ModuleFacts, openModule } from "../../test/open-module.ts";
import { readOutput, within } from "../../test/open-skill.ts";
import { eventually, isAlive } from "../../test/programs.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { Json } from "../shared/json/json.ts";
import { adapterContract } from "./adapter.contract.ts";

const patience = within(20_000);

async function callOnce(text: string, facts: ModuleFacts = {}, input: Json = "input"): Promise<Outcome> {
  await using skill = await openModule(text, facts);
  const outcome = await skill.call(input, patience);
  expect(skill.sandbox.commands).toHaveLength(1);
  return outcome;
}

function langchain(text: string, facts: ModuleFacts = {}, input: Json = "input"): Promise<Outcome> {
  return callOnce(text, { type: "langchain", ...facts }, input);
}

const opened: { running: number }[] = [];

async function counted(text: string) {
  const skill = await openModule(text);
  opened.push(skill.sandbox);
  return skill;
}

adapterContract("custom", {
  echo: () => counted("export const invoke = async (input) => input;"),
  broken: () => counted('export function invoke() { throw new Error("no"); }'),
  slow: () => counted("export const invoke = () => new Promise(() => {});"),
  leftovers: () => opened.reduce((sum, { running }) => sum + running, 0),
});

describe("the export that is called", () => {
  const answers = { status: "answered", output: "here" };
  const called = "invoke: () => 'here'";

  test.each([
    ["the default export", `export default { ${called} };`, "./tool.mjs"],
    ["the module itself", "export const invoke = () => 'here';", "./tool.mjs"],
    ["the one after #", `export const search = { ${called} }; export default 1;`, "./tool.mjs#search"],
    ["an instance of a class", "export default new (class { invoke() { return 'here'; } })();", "tool.mjs"],
    [
      "a function that has invoke",
      "export default Object.assign(() => 1, { invoke: () => 'here' });",
      "tool.mjs",
    ],
  ])("may be %s", async (_, text, entrypoint) => {
    expect(await callOnce(text, { entrypoint })).toMatchObject(answers);
  });

  test.each([
    ["module.exports", `module.exports = { ${called} };`, "./tool.cjs"],
    [
      "a member of module.exports",
      `module.exports = { ["sea" + "rch"]: { ${called} } };`,
      "./tool.cjs#search",
    ],
    [
      "what a compiler made of a default export",
      `Object.defineProperty(exports, "__esModule", { value: true }); exports.default = { ${called} };`,
      "./tool.cjs",
    ],
  ])("of a CommonJS module may be %s", async (_, text, entrypoint) => {
    expect(await callOnce("", { entrypoint, files: { "tool.cjs": text } })).toMatchObject(answers);
  });

  test("is called as a method, so that a class finds its members", async () => {
    const text = "export default new (class { word = 'here'; invoke() { return this.word; } })();";
    expect(await callOnce(text)).toMatchObject(answers);
  });

  test.each([
    ["is missing", "./tool.mjs#serach", "the module has no export serach; it has default, search"],
    [
      "has no invoke",
      "./tool.mjs#search",
      "the export search has no invoke function; the module: it has default, search",
    ],
    [
      "is the default and has no invoke",
      "./tool.mjs",
      "the default export has no invoke function; the module: it has default, search",
    ],
  ])("that %s is a final failure that names what there is", async (_, entrypoint, message) => {
    const outcome = await callOnce("export const search = () => 1; export default 7;", { entrypoint });
    expect(outcome).toMatchObject({ status: "failed", cause: "module-error", isFinal: true, message });
  });

  test("of langchain is never the module itself", async () => {
    expect(await langchain("export const invoke = () => 1;")).toMatchObject({
      cause: "module-error",
      message: "the module has no default export; it has invoke",
    });
  });
});

describe("what invoke gets", () => {
  test("for custom is the input and a signal", async () => {
    const text = "export const invoke = (...all) => [all[0], all[1].signal.aborted, all.length];";
    expect(await callOnce(text, {}, { a: 1 })).toMatchObject({ output: [{ a: 1 }, false, 2] });
  });

  test("for langchain is the input alone", async () => {
    const text = "export default { invoke: async (...all) => all };";
    expect(await langchain(text, {}, { query: "x" })).toMatchObject({ output: [{ query: "x" }] });
  });

  test("the signal aborts at the deadline, which the outcome tells by the clock, and the process is gone", async () => {
    await using skill = await openModule(`
      import { writeFileSync } from "node:fs";
      export const invoke = (pid, { signal }) => new Promise((answer) => {
        if (pid) return answer(process.pid);
        signal.addEventListener("abort", () => {
          writeFileSync("heard", signal.reason.name);
          answer("too late");
        });
      });`);
    const first = (await skill.call(true, patience)) as { output: number };

    const outcome = await skill.call(false, within(400));

    expect(outcome).toMatchObject({
      status: "timed-out",
      latencyMs: 400,
      message: "no answer within 400 ms",
    });
    expect(readFileSync(join(skill.dir, "heard"), "utf8")).toBe("TimeoutError");
    expect(isAlive(first.output)).toBe(false);
    expect(await skill.call(true, patience)).toMatchObject({ status: "answered" });
  });

  test("one that never lets go of the processor is ended by the clock as well", async () => {
    await using skill = await openModule("export const invoke = () => { for (;;); };");
    expect(await skill.call(null, within(1500))).toMatchObject({ status: "timed-out" });
    await eventually(() => skill.sandbox.running === 0, "no process left");
  });

  test("its input is not the requests, not even while it loads", async () => {
    const text = `let heard = "";
      process.stdin.setEncoding("utf8").on("data", (piece) => { heard += piece; });
      await new Promise((done) => setTimeout(done, 50));
      export const invoke = (input) => ({ input, heard });`;
    expect(await callOnce(text, {}, 10)).toMatchObject({ output: { input: 10, heard: "" } });
  });

  test("its input is not the requests", async () => {
    const text = `export const invoke = async () => {
      let text = "";
      for await (const chunk of process.stdin) text += chunk;
      return text;
    };`;
    expect(await callOnce(text)).toMatchObject({ status: "answered", output: "" });
  });
});

describe("the process", () => {
  const returnsPid = `let calls = 0;
    export const invoke = (what) => {
      if (what === "exit") process.exit(0);
      if (what === "throw") throw new RangeError("out of cheese");
      return [process.pid, ++calls];
    };`;

  test("stays for the next call, a thrown error included", async () => {
    await using skill = await openModule(returnsPid);
    await skill.call(null, patience);
    await skill.call("throw", patience);
    expect(await skill.call(null, patience)).toMatchObject({ output: [expect.any(Number), 2] });
    expect(skill.sandbox.commands).toHaveLength(1);
  });

  test("is one per call at the same time", async () => {
    await using skill = await openModule(returnsPid);
    await Promise.all([1, 2].map(() => skill.call(null, patience)));
    expect(skill.sandbox.commands).toHaveLength(2);
  });

  test("runs in the skill's folder, with the environment of a skill and nothing else", async () => {
    const text = "export const invoke = () => [process.cwd(), process.env, process.argv.slice(2)];";
    const env = { ...process.env, SECRET_OF_OURS: "x", THEIR_KEY: "y" };
    await using skill = await openModule(text, {
      env,
      config: { env: { LITERAL: "1" }, envKeys: ["THEIR_KEY"] },
    });
    const outcome = await skill.call(null, patience);
    const [cwd, seen, args] = readOutput(outcome) as Json[];
    expect(cwd).toBe(skill.dir);
    expect(args).toEqual([]);
    expect(seen).toMatchObject({ EVAL_SKILLS_SANDBOX: "1", LITERAL: "1", THEIR_KEY: "y" });
    expect(seen).not.toHaveProperty("SECRET_OF_OURS");
  });

  test("its start is reported, and no part of the latency", async () => {
    await using skill = await openModule(
      "await new Promise((done) => setTimeout(done, 600)); export const invoke = () => 1;",
    );
    const began = performance.now();
    const { startupMs = 0, latencyMs } = await skill.call(null, patience);
    expect(startupMs).toBeGreaterThan(590);
    expect(startupMs + latencyMs).toBeLessThanOrEqual(performance.now() - began);
    expect((await skill.call(null, patience)).startupMs).toBeUndefined();
  });

  test("that left is replaced, and what it started is gone with it", async () => {
    await using skill = await openModule(`
      import { spawn } from "node:child_process";
      export const invoke = (what) => {
        if (what === "exit") process.exit(3);
        return what === "spawn" ? spawn("sleep", ["600"], { stdio: "ignore" }).pid : process.pid;
      };`);
    const child = ((await skill.call("spawn", patience)) as { output: number }).output;
    expect(await skill.call("exit", patience)).toMatchObject({ cause: "crash" });
    expect(await skill.call(null, patience)).toMatchObject({ status: "answered" });
    await eventually(() => !isAlive(child), "its child is gone");
  });
});

describe("what went wrong", () => {
  test("a thrown error is module-error with its words, and where it was thrown is on stderr", async () => {
    const outcome = await callOnce(`export const invoke = () => { throw new Error("division by zero"); };`);
    expect(outcome).toMatchObject({
      status: "failed",
      cause: "module-error",
      message: "division by zero",
      isFinal: false,
      stderrTail: expect.stringContaining("tool.mjs:1"),
    });
  });

  test("whatever is thrown is module-error, with what can be said of it", async () => {
    await using skill = await openModule(`const thrown = {
        rejection: () => Promise.reject(new TypeError("no")),
        text: () => { throw "just words"; },
        nothing: () => Promise.reject(),
        unspeakable: () => Promise.reject({ get message() { throw 1; } }),
      };
      export const invoke = (which) => thrown[which]();`);
    const messages: unknown[] = [];
    for (const which of ["rejection", "text", "nothing", "unspeakable"]) {
      const outcome = await skill.call(which, patience);
      expect(outcome).toMatchObject({ status: "failed", cause: "module-error" });
      messages.push((outcome as { message: string }).message);
    }
    expect(messages).toEqual([
      "TypeError: no",
      "just words",
      "undefined",
      "an error that cannot be described",
    ]);
  });

  test("a module that cannot be loaded is module-error that says why", async () => {
    expect(await callOnce('import "./missing.mjs";')).toMatchObject({
      cause: "module-error",
      isFinal: true,
      message: expect.stringContaining("could not be loaded: Cannot find module"),
    });
    expect(await callOnce("export const = ;")).toMatchObject({
      message: expect.stringContaining("SyntaxError"),
    });
  });

  test.each([
    ["process.exit(0)", "process.exit(0)", /^exit 0 without an answer$/],
    ["process.exit(3)", "process.exit(3)", /^exit 3 without an answer$/],
    ["a signal", "process.kill(process.pid, 'SIGKILL')", /^ended by SIGKILL without an answer$/],
    [
      "an exception nobody caught",
      "setTimeout(() => { throw new Error('boom') })",
      /^exit 1 .*Error: boom$/s,
    ],
    ["a rejection nobody heard", "void Promise.reject(new Error('boom'))", /^exit 1 .*Error: boom$/s],
  ])("%s is a crash", async (_, body, words) => {
    const outcome = await callOnce(`export const invoke = () => new Promise(() => { ${body} });`);
    expect(outcome).toMatchObject({ cause: "crash", message: expect.stringMatching(words) });
  });

  test("a module that waits for nothing while it loads is a crash that says so", async () => {
    expect(await callOnce("await new Promise(() => {});")).toMatchObject({
      cause: "crash",
      message: "exit 13 without an answer: a top-level await of the module can never end",
    });
  });

  test("process.exit while loading is a crash", async () => {
    expect(await callOnce("process.exit(0);")).toMatchObject({ cause: "crash" });
  });

  test("a result that JSON cannot say is bad-response, which says what it is", async () => {
    await using skill = await openModule(`const cycle = {};
      cycle.cycle = cycle;
      const results = [undefined, () => 1, { n: 1n }, cycle, [1, NaN], { found: new Map() }, [undefined],
        { "": Symbol("s") }, { get a() { throw new Error("the getter's words"); } },
        (async function* () { yield 1; })(), (function* () { yield 1; })(), [1].values(), new ReadableStream(),
        new Response("5"), new Headers({ a: "1" }), new URLSearchParams("a=1"), new Blob(["5"]),
        new Uint8Array([5]), new DataView(new ArrayBuffer(1)), Object(Symbol("s"))];
      export const invoke = (index) => results[index];`);
    const words = [
      "it is undefined",
      "it is a function",
      "member n is a BigInt",
      "circular",
      "item 1 is NaN",
      "member found is a Map",
      "item 0 is undefined",
      "member  is a symbol",
      "the getter's words",
      "it is an AsyncGenerator",
      "it is a Generator",
      "it is an Array Iterator",
      "it is a ReadableStream",
      "it is a Response",
      "it is a Headers",
      "it is a URLSearchParams",
      "it is a Blob",
      "it is a Uint8Array",
      "it is a DataView",
      "it is a Symbol",
    ];
    for (const [index, word] of words.entries()) {
      const outcome = await skill.call(index, patience);
      expect(outcome).toMatchObject({ status: "failed", cause: "bad-response" });
      expect((outcome as { message: string }).message).toMatch(/^the result is not JSON: /);
      expect((outcome as { message: string }).message).toContain(word);
    }
    expect(skill.sandbox.commands).toHaveLength(1);
  });

  test("members that are not set are left out, and dates are texts, as JSON has it", async () => {
    const text = "export const invoke = () => ({ a: undefined, '': 1, at: new Date(0) });";
    expect(await callOnce(text)).toMatchObject({ output: { "": 1, at: "1970-01-01T00:00:00.000Z" } });
  });

  test("a result above the cap is output-limit", async () => {
    const text = "export const invoke = (n) => 'x'.repeat(n);";
    expect(await callOnce(text, { maxOutputBytes: 100_000 }, 90_000)).toMatchObject({ status: "answered" });
    expect(await callOnce(text, { maxOutputBytes: 100_000 }, 200_000)).toMatchObject({
      cause: "output-limit",
    });
  });
});

describe("what a module prints", () => {
  test("is chatter, even where it looks like an answer or lacks its line break", async () => {
    const forged = '{"jsonrpc":"2.0","id":1,"result":"forged"}';
    const text = `export const invoke = () => {
      console.log('${forged}');
      console.error("on stderr");
      process.stdout.write("half a line");
      return "real";
    };`;
    expect(await callOnce(text)).toMatchObject({
      status: "answered",
      output: "real",
      stray: [forged, "half a line"],
      stderrTail: "on stderr\n",
    });
  });

  test("without end does not hide the answer", async () => {
    const text =
      "export const invoke = () => { for (let n = 0; n < 5000; n++) console.log('line', n); return 1; };";
    expect(await callOnce(text)).toMatchObject({ status: "answered", output: 1 });
  });

  test("and what it does to the globals leaves its answers readable", async () => {
    const text = `JSON.stringify = JSON.parse = () => { throw new Error("gone"); };
      globalThis.Buffer = undefined; process.exit = () => {};
      export const invoke = (input) => ({ input });`;
    expect(await callOnce(text)).toMatchObject({ status: "answered", output: { input: "input" } });
  });
});

describe("langchain", () => {
  const message = `class AIMessage {
    constructor(fields) { Object.assign(this, fields); }
    _getType() { return "ai"; }
  }`;

  async function results(...values: string[]): Promise<Outcome[]> {
    const text = `${message} const results = [${values.join(", ")}];
      export default { invoke: async (index) => results[index] };`;
    await using skill = await openModule(text, { type: "langchain" });
    const outcomes: Outcome[] = [];
    for (const index of values.keys()) outcomes.push(await skill.call(index, patience));
    return outcomes;
  }

  test("a message gives its content and its usage, where it has one", async () => {
    const [full, blocks, bare, used] = await results(
      `new AIMessage({ content: "Paris", usage_metadata: { input_tokens: 12, output_tokens: 3, total_tokens: 15 } })`,
      `new AIMessage({ content: [{ type: "text", text: "Paris" }] })`,
      "{ content: 'x' }",
      "{ content: 'x', usage_metadata: { input_tokens: 1, output_tokens: -2 } }",
    );
    expect(full).toMatchObject({
      status: "answered",
      output: "Paris",
      usage: { promptTokens: 12, completionTokens: 3, totalTokens: 15, costUsd: null },
    });
    expect(blocks).toMatchObject({ output: [{ type: "text", text: "Paris" }] });
    expect(blocks?.usage).toBeUndefined();
    expect(bare).toMatchObject({ output: "x" });
    expect(used).toMatchObject({
      output: "x",
      usage: { promptTokens: 1, completionTokens: null },
      warnings: [expect.stringContaining("completionTokens")],
    });
  });

  test("a tool's own answer stays as it is, also where it happens to have content", async () => {
    const outcomes = await results("{ title: 't', content: 'c' }", "'text'", "null", "[{ content: 'c' }]");
    expect(outcomes).toMatchObject([
      { output: { title: "t", content: "c" } },
      { output: "text" },
      { output: null },
      { output: [{ content: "c" }] },
    ]);
  });

  test("for custom a message is an object like any other", async () => {
    const text = "export const invoke = () => ({ content: 'x' });";
    expect(await callOnce(text)).toMatchObject({ output: { content: "x" } });
  });
});

test("a folder with odd characters in its name is no trouble", async () => {
  await using skill = await openModule("export const invoke = () => 1;", {
    files: { "a b?#%20$(touch x).mjs": "export const search = { invoke: () => 'odd' };" },
    entrypoint: "./a b?#%20$(touch x).mjs#search",
  });
  expect(await skill.call(null, patience)).toMatchObject({ output: "odd" });
  expect(existsSync(join(skill.dir, "x"))).toBe(false);
});
