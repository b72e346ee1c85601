import { describe, expect, test } from "vitest";
import { capturedCli } from "../../test/captured-world.ts";
import { UserError } from "../shared/user-error.ts";
import { commandIo, type ProcessContext } from "./io/command-io.ts";
import { printFailure } from "./io/output.ts";
import { printCrash } from "./run-command-line.ts";

describe("global options", () => {
  test.each([
    [["--json", "config", "get", "concurrency"]],
    [["config", "--json", "get", "concurrency"]],
    [["config", "get", "--json", "concurrency"]],
    [["config", "get", "concurrency", "--json"]],
  ])("--json works in every place: %j", async (argv) => {
    await using cli = await capturedCli();
    const { document, exitCode } = await cli.run(argv);
    expect(exitCode).toBe(0);
    expect(document).toEqual({
      schemaVersion: 1,
      command: "config get",
      key: "concurrency",
      value: 4,
      origin: "default",
    });
  });

  test.each([
    [["-c", "none.yaml", "config", "list"]],
    [["config", "list", "--config", "none.yaml"]],
    [["config", "list", "--config=none.yaml"]],
    [["init", "-c", "none.yaml"]],
    [["create", "--name", "x", "-c", "none.yaml"]],
    [["schema", "-c", "none.yaml"]],
    [["completion", "bash", "-c", "none.yaml"]],
    [["report", "diff", "a", "b", "-c", "none.yaml"]],
  ])("-c works in every place, and a missing file is exit 2 with its name: %j", async (argv) => {
    await using cli = await capturedCli();
    const { exitCode, stderr, stdout } = await cli.run(argv);
    expect(exitCode).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toBe("error: none.yaml does not exist\n");
  });

  test.each([[["--version"]], [["-V"]], [["eval", "--version"]], [["config", "set", "-V"]]])(
    "%j prints the version",
    async (argv) => {
      await using cli = await capturedCli();
      expect(await cli.run(argv)).toMatchObject({ exitCode: 0, stdout: "0.1.0\n", stderr: "" });
      expect((await cli.run([...argv, "--json"])).document).toMatchObject({ version: "0.1.0" });
    },
  );

  test("every command has help with examples, on stdout, and as one document", async () => {
    await using cli = await capturedCli();
    const commands = [
      [],
      ["init"],
      ["create"],
      ["eval"],
      ["config"],
      ["config", "list"],
      ["config", "get"],
      ["config", "set"],
    ];
    for (const command of commands) {
      const { exitCode, stdout, stderr } = await cli.run([...command, "--help"]);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      expect(stdout).toMatch(/Usage: eval-skills.*--json.*Examples:\n {2}\$ eval-skills /s);
      expect((await cli.run([...command, "-h", "--json"])).document).toMatchObject({ help: stdout });
    }
  });
});

describe("what cannot be meant is exit 2 and names the nearest thing that can", () => {
  test.each([
    [["evl"], "unknown command 'evl'", "did you mean eval?"],
    [["help", "evl"], "unknown command 'evl'", "did you mean eval?"],
    [["config", "lst"], "unknown command 'lst'", "did you mean list?"],
    [
      ["zzzzzzz"],
      "unknown command 'zzzzzzz'",
      "known: init, create, test, eval, trigger, agent, tool, planbench, task, doctor, audit, find, route, catalog, select, run, report, history, telemetry, config, trust, schema, store, completion",
    ],
    [["eval", "--skils", "x"], "unknown option '--skils'", "did you mean --skills?"],
    [["eval", "--skils=x"], "unknown option '--skils=x'", "did you mean --skills?"],
    [["--jsn", "config", "list"], "unknown option '--jsn'", "did you mean --json?"],
    [["config", "get"], "config get needs a <key>", "eval-skills config get --help"],
    [["config", "get", "a", "b"], 'config get does not take "b"', "eval-skills config get --help"],
    [["eval", "skills/x"], 'eval does not take "skills/x"', "eval-skills eval --skills skills/x"],
    [
      ["route", "draw", "a", "chart"],
      'route does not take "a"',
      'put the request in quotes: eval-skills route "draw a chart"',
    ],
    [["init", "here"], 'init does not take "here"', "eval-skills init --help"],
    [["eval", "--store"], "--store needs a value: --store <path>", "eval-skills eval --help"],
    [
      ["create", "--name", "x", "--from-template", "pyton_script"],
      '"pyton_script"',
      "did you mean python_script?",
    ],
  ])("%j", async (argv, message, hint) => {
    await using cli = await capturedCli();
    const { exitCode, stdout, stderr } = await cli.run(argv);
    expect(exitCode).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain(message);
    expect(stderr).toContain(`hint: ${hint}`);
    const { document } = await cli.run(["--json", ...argv]);
    expect(document).toMatchObject({ schemaVersion: 1, error: { code: "usage", hint }, exitCode: 2 });
  });

  test("a group without its command shows its help on stderr", async () => {
    await using cli = await capturedCli();
    const { exitCode, stdout, stderr } = await cli.run(["config"]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toMatch(/^Usage: /);
    expect(stderr).toContain("config needs a command: list, get, set");
  });

  test.each([[[]], [["--no-color"]]])("%j prints the overview, which is no failure", async (argv) => {
    await using cli = await capturedCli();
    const { exitCode, stdout, stderr } = await cli.run(argv);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toMatch(/^Usage: eval-skills [\s\S]*Get started:[\s\S]*Examples:/);
    expect((await cli.run([...argv, "--json"])).document).toMatchObject({
      help: expect.stringContaining("Get started:"),
    });
  });

  test("help for an unknown command names the nearest one and prints nothing else", async () => {
    await using cli = await capturedCli();
    const { exitCode, stderr } = await cli.run(["help", "evall"]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: "error: unknown command 'evall'\nhint: did you mean eval?\n",
    });
  });

  test("case 2: --min-completion abc and an unknown format are refused before anything is loaded", async () => {
    await using cli = await capturedCli();
    const rate = await cli.run(["eval", "--skills", "x", "--min-completion", "abc", "--json"]);
    expect(rate.document).toEqual({
      schemaVersion: 1,
      command: "eval",
      error: {
        code: "usage",
        message: '--min-completion takes a number from 0 to 1, not "abc"',
        path: null,
        jsonPath: null,
        hint: null,
      },
      exitCode: 2,
    });
    const format = await cli.run(["eval", "--skills", "x", "--format", "jsom"]);
    expect(format).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("did you mean json?") });
  });
});

describe("how failures are reported", () => {
  const failing = new UserError("skill-invalid", "bad \u001b[31mname", {
    path: "a/skill.json",
    jsonPath: "$.id",
    hint: "look\u0007",
  });

  function speak(options: {
    json?: boolean;
    isTTY?: boolean;
    env?: Record<string, string>;
    color?: boolean;
  }) {
    const written = { stdout: "", stderr: "" };
    const sink = (name: keyof typeof written) => ({
      isTTY: options.isTTY,
      write: (text: string) => {
        written[name] += text;
      },
    });
    const context: ProcessContext = {
      cwd: "/",
      home: "/",
      env: options.env ?? {},
      stdout: sink("stdout"),
      stderr: sink("stderr"),
    };
    const globals = { json: options.json ?? false, verbose: false, color: options.color ?? true };
    return { written, context, io: commandIo(context, globals, "eval") };
  }

  test("as text: message, place and hint on stderr, made harmless", () => {
    const { written, io } = speak({});
    expect(printFailure(io, failing)).toBe(2);
    expect(written).toEqual({
      stdout: "",
      stderr: "error: bad \\e[31mname\n  at a/skill.json $.id\nhint: look\\u{7}\n",
    });
  });

  test("as one document with --json", () => {
    const { written, io } = speak({ json: true });
    printFailure(io, failing);
    expect(JSON.parse(written.stdout)).toMatchObject({
      error: { code: "skill-invalid", path: "a/skill.json", jsonPath: "$.id" },
      exitCode: 2,
    });
    expect(written.stderr).toBe("");
  });

  test("never as a second document once a result was printed", () => {
    const { written, io } = speak({ json: true });
    io.result({ done: true }, "");
    printFailure(io, failing);
    expect(JSON.parse(written.stdout)).toMatchObject({ done: true });
    expect(written.stderr).toContain("error: bad");
  });

  test.each([
    ["a terminal has colour", { isTTY: true }, true],
    ["no terminal, no colour", { isTTY: false }, false],
    ["NO_COLOR is honoured", { isTTY: true, env: { NO_COLOR: "1" } }, false],
    ["--no-color is honoured", { isTTY: true, color: false }, false],
    ["a dumb terminal has none", { isTTY: true, env: { TERM: "dumb" } }, false],
  ])("%s", (_, options, isColoured) => {
    const { written, io } = speak(options);
    printFailure(io, failing);
    expect(written.stderr.includes("\u001b[31merror:")).toBe(isColoured);
  });

  test("--no-color reaches a command from both sides of its name", async () => {
    await using cli = await capturedCli();
    for (const argv of [
      ["--no-color", "config", "get", "x"],
      ["config", "get", "x", "--no-color"],
    ])
      expect((await cli.run(argv, { isTTY: true })).stderr).toMatch(/^error: /);
    expect((await cli.run(["config", "get", "x"], { isTTY: true })).stderr).not.toMatch(/^error: /);
  });

  test("an exception nobody expected is exit 3, internal", () => {
    const { written, context, io } = speak({ json: true });
    expect(printFailure(io, new TypeError("x is undefined"))).toBe(3);
    expect(JSON.parse(written.stdout)).toMatchObject({ error: { code: "internal" }, exitCode: 3 });
    written.stdout = "";
    expect(printCrash(new Error("late"), ["eval", "--json"], context, true)).toBe(3);
    expect(written.stdout).toBe("");
    expect(written.stderr).toContain("internal error: late");
  });
});
