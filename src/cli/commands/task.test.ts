import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { capturedCli } from "../../../test/captured-world.ts";
import { httpServer, readBody } from "../../../test/local-server.ts";
import { CellResult } from "../../contract/result.ts";

const program = `export async function invoke(input) {
  if (input.boom) throw new Error(input.boom);
  if (input.slow) await new Promise(() => {});
  if (input.variable) return process.env[input.variable];
  if (input.prints) console.log(input.prints);
  return { result: input.answer };
}`;

/** A project with the skill \`obedient\`, which answers what it is told to. */
async function project() {
  const cli = await capturedCli();
  const write = (name: string, content: string | object) => {
    const path = join(cli.cwd, name);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  };
  const skill = (id: string) => {
    const manifest = {
      id,
      name: id,
      version: "1.0.0",
      description: "d",
      adapterType: "custom",
      entrypoint: "./tool.mjs",
    };
    write(`skills/${id}/skill.json`, manifest);
    write(`skills/${id}/tool.mjs`, program);
  };
  skill("obedient");
  const run = (input: unknown, args: readonly string[], options: Parameters<typeof cli.run>[1] = {}) => {
    const typed = typeof input === "string" ? input : JSON.stringify(input);
    return cli.run(["task", "--skill", "skills/obedient", "--input", typed, ...args], options);
  };
  return {
    ...cli,
    write,
    skill,
    task: run,
    check: (input: unknown, ...args: string[]) => run(input, [...args, "--json"]),
  };
}

describe("what is expected", () => {
  test.each([
    ["--exact", { answer: 5 }, ["--exact", "5"], "exact_match"],
    ["--contains", { answer: "Paris in France" }, ["--contains", "paris", "France"], "contains"],
    ["--regex", { answer: "a1" }, ["--regex", "^a", "\\d$"], "regex"],
    [
      "--schema",
      { answer: [1] },
      [
        "--schema",
        '{"type":"object","properties":{"result":{"minItems":1,"type":"array"}},"required":["result"]}',
      ],
      "json_schema",
    ],
    ["--close-to", { answer: -2.5 }, ["--close-to", "-2.5"], "close_to"],
    ["--custom", { answer: 7 }, ["--custom", "./scorers/seven.mjs"], "custom"],
  ])("%s passes with exit 0", async (_, input, args, scorerType) => {
    await using here = await project();
    here.write("scorers/seven.mjs", "export default ({ output }) => output.result === 7;");

    const { exitCode, document } = await here.check(input, ...args);

    expect(exitCode).toBe(0);
    expect(document).toMatchObject({
      schemaVersion: 1,
      command: "task",
      exitCode: 0,
      containment: { network: "open" },
    });
    expect(CellResult.parse(document.result)).toMatchObject({
      status: "pass",
      score: 1,
      cause: null,
      level: "unit",
      details: { scorerType },
      skillId: "obedient",
      trial: 1,
      output: { result: input.answer },
    });
  });

  test("--judge asks the model that --model names, as eval would", async () => {
    const requests: { model: string }[] = [];
    await using server = await httpServer(async (request, response) => {
      requests.push(JSON.parse(await readBody(request)));
      const content = '{"score":0.75,"reason":"misses the date"}';
      response.setHeader("content-type", "application/json");
      response.end(
        JSON.stringify({
          id: "1",
          object: "chat.completion",
          created: 1,
          model: "m",
          choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }],
          usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
        }),
      );
    });
    await using here = await project();
    here.configureUser(`llm: { baseUrl: "${server.url}/v1" }\n`);

    const { exitCode, document } = await here.check(
      { answer: "x" },
      "--judge",
      "has a date",
      "--model",
      "my-judge",
    );

    expect(document.result).toMatchObject({
      status: "pass",
      score: 0.75,
      details: { scorerType: "llm_judge" },
      reason: "misses the date",
      judge: { model: expect.stringContaining("my-judge"), calls: 1 },
    });
    expect(exitCode).toBe(0);
    expect(requests).toMatchObject([{ model: "my-judge" }]);
  });
});

describe("how it ends", () => {
  test("nothing is left behind", async () => {
    await using here = await project();
    await here.check({ answer: 1 }, "--exact", "1");
    expect(readdirSync(here.cwd)).toEqual(["skills"]);
    expect(readdirSync(join(here.cwd, "skills/obedient"))).toEqual(["skill.json", "tool.mjs"]);
  });

  test.each([
    ["fail", { answer: 4 }, [], { score: 0, reason: expect.any(String), cause: null }],
    ["error", { boom: "no" }, [], { score: 0, cause: "module-error", reason: "no" }],
    ["timeout", { slow: true }, ["--timeout", "700"], { score: 0, cause: "deadline", latencyMs: 700 }],
  ])("%s is exit 1", async (status, input, args, more) => {
    await using here = await project();
    const { exitCode, document } = await here.check(input, "--exact", "5", ...args);
    expect(exitCode).toBe(1);
    expect(document).toMatchObject({ exitCode: 1, result: { status, ...more } });
  });

  test("invalid is exit 3", async () => {
    await using here = await project();
    here.write("scorer.mjs", "process.exit(1)");
    const { exitCode, document } = await here.check({ answer: 1 }, "--custom", "scorer.mjs");
    expect(exitCode).toBe(3);
    expect(document.result).toMatchObject({
      status: "invalid",
      score: null,
      cause: "scorer-crashed",
    });
  });

  test("the containment is chosen as in eval, and stamped on the result", async () => {
    await using here = await project();
    const { document } = await here.check({ answer: 1 }, "--exact", "1", "--sandbox", "off");
    expect(document).toMatchObject({
      result: { status: "pass" },
      containment: { level: "off", network: "open" },
    });
  });

  test("a secret that the skill was trusted with is taken out", async () => {
    await using here = await project();
    here.write("skills/obedient/adapter.config.json", { type: "custom", envKeys: ["MY_TOKEN"] });
    const env = { PATH: process.env.PATH ?? "", MY_TOKEN: "s3cret-value" };
    const { stdout } = await here.task(
      { variable: "MY_TOKEN" },
      ["--exact", "1", "--json", "--grant", "env:MY_TOKEN@obedient"],
      { env },
    );
    expect(stdout).not.toContain("s3cret-value");
    expect(stdout).toContain("[redacted]");
  });
});

describe("the input", () => {
  test("may be in a file or piped in", async () => {
    await using here = await project();
    here.write("question.json", { answer: 5 });
    expect((await here.check("@question.json", "--exact", "5")).exitCode).toBe(0);
    expect((await here.task("-", ["--exact", "5"], { stdin: '{"answer":5}\n' })).exitCode).toBe(0);
  });

  test("and the schema too", async () => {
    await using here = await project();
    here.write("schema.json", { type: "object", required: ["result"], properties: { result: { const: 5 } } });
    expect((await here.check({ answer: 5 }, "--schema", "@schema.json")).exitCode).toBe(0);
  });
});

describe("text", () => {
  test("is one block", async () => {
    await using here = await project();
    const { stdout } = await here.task({ answer: "\u001b[31m\u202ered" }, ["--exact", '"blue"']);
    expect(stdout.replace(/latency .*/, "latency …")).toBe(
      [
        "failed  obedient",
        "  score    0 by exact_match",
        "  latency …",
        '  reason   expected "blue", got "\\u001b[31m\\u{202e}red"',
        '  output   {"result":"\\u001b[31m\\u{202e}red"}',
        "",
      ].join("\n"),
    );
  });

  test("with --verbose what the skill printed stands on stderr", async () => {
    await using here = await project();
    const { stderr } = await here.task({ answer: 1, prints: "banner" }, ["--exact", "1", "-v"]);
    expect(stderr).toContain("stdout: banner\n");
  });

  test("--output json is --json, also for what goes wrong", async () => {
    await using here = await project();
    expect(
      (await here.task({ answer: 1 }, ["--exact", "1", "--output", "json"])).document.result.status,
    ).toBe("pass");
    expect((await here.task({ answer: 1 }, ["--output", "json"])).document.error.code).toBe("usage");
    expect((await here.task({ answer: 1 }, ["--output", "json", "--bogus"])).document.error.code).toBe(
      "usage",
    );
    expect((await here.task({ answer: 1 }, ["--exact", "1", "--output", "text"])).stdout).toMatch(/^pass/);
  });
});

describe("exit 2", () => {
  test.each<[string, string[], string, RegExp]>([
    ["no expectation", [], "usage", /no expectation given/],
    ["two of them", ["--exact", "1", "--regex", "1"], "usage", /only one .* --exact, --regex/],
    ["no JSON", ["--exact", "hello"], "usage", /--exact is not JSON/],
    ["no number", ["--close-to", "4x"], "usage", /--close-to takes a number/],
    ["no pattern", ["--regex", "("], "scorer-invalid", /^--regex: .*Unterminated group/],
    ["an empty schema", ["--schema", "{}"], "expectation-vacuous", /^--schema: /],
    ["a missing schema file", ["--schema", "@none.json"], "usage", /none\.json does not exist/],
    ["an empty keyword", ["--contains", ""], "expectation-vacuous", /^--contains: /],
    ["a missing scorer", ["--custom", "none.mjs"], "expectation-vacuous", /^--custom: .*none\.mjs/],
    ["a model without judge", ["--exact", "1", "--model", "gpt-4o"], "usage", /--model requires --judge/],
    ["a judge without key", ["--judge", "good"], "secret-missing", /EVAL_SKILLS_LLM_KEY/],
    ["an unknown option", ["--exact", "1", "--floor"], "usage", /unknown option '--floor'/],
    [
      "an output that is none",
      ["--exact", "1", "--output", "yaml"],
      "usage",
      /invalid value for --output: "yaml"/,
    ],
  ])("%s is refused before anything runs", async (_, args, code, message) => {
    await using here = await project();
    const { exitCode, document } = await here.check({ answer: 1 }, ...args);
    expect(exitCode).toBe(2);
    expect(document.error).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(document.error.path ?? "").not.toContain("command line");
  });

  test("input that is no JSON says how to quote a text", async () => {
    await using here = await project();
    const { document } = await here.check("hello", "--exact", "1");
    expect(document.error).toMatchObject({
      code: "usage",
      hint: expect.stringContaining(`--input '"hello"'`),
    });
  });

  test("no skill, a missing one, and more than one", async () => {
    await using here = await project();
    here.skill("other");
    const ask = (...args: string[]) => here.run(["task", "--input", "1", "--exact", "1", "--json", ...args]);
    expect((await ask()).document.error).toMatchObject({
      code: "usage",
      message: "missing required option --skill",
    });
    expect((await ask("--skill", "skills/none")).document.error).toMatchObject({ code: "skill-not-found" });
    expect((await ask("--skill", "skills")).document.error).toMatchObject({
      code: "usage",
      message: expect.stringContaining("expected one skill in skills, found 2"),
    });
  });
});
