import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { ReportFile } from "../src/contract/document.ts";
import { forEachLimited } from "../src/shared/async/each-of.ts";
import { openEventFile } from "../src/telemetry/event-file.ts";
import { quickProject } from "./built-cli.ts";
import { commandsIn } from "./commands-in-help.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const wrongRuns = join(root, "examples/library-desk/wrong-runs");
const aRun = join(wrongRuns, "output/right");

/** Every command where it succeeds, in an order that makes sense, and where it fails. */
const successes = [
  "init --dir .",
  "create --name my_calc --from-template python_script",
  "test skills/my_calc",
  "eval --skills skills/my_calc --tasks skills/my_calc/tests/basic.eval.json",
  "eval --skills skills/my_calc --dry-run",
  "create --name folds --from-template prompt_tools",
  "trigger skills/folds",
  "trigger calibrate --gold gold.jsonl",
  "agent run hello --mock hi.json",
  "agent eval hi.json",
  `agent grade ${aRun} --case ${wrongRuns}/suite.yaml#output`,
  `agent replay ${aRun}`,
  `agent new-case --from-run ${aRun}`,
  `agent import --from openai ${join(root, "test/fixtures/traces/openai-chat.json")}`,
  "planbench --limit 2",
  'tool call skills/folds echo_query --args {"query":"hi"} --sandbox process',
  "tool check folds --sandbox process",
  "route hello",
  "catalog report skills",
  "catalog diff skills --base skills",
  'task --skill skills/my_calc --input {"query":"hello"} --contains hello',
  "find --query calc",
  "select --from skills",
  "run --tasks skills/my_calc/tests/basic.eval.json",
  "report show reports/eval-result.json",
  "report convert --input reports/eval-result.json --format html",
  "report diff reports/eval-result.json reports/eval-result.json",
  "eval --skills skills/my_calc --tasks skills/my_calc/tests/basic.eval.json --shard 1/1",
  "report merge reports",
  "history",
  "telemetry query --path telemetry.db",
  "store prune --before 2020-01-01",
  "store export --keys verdicts.ndjson",
  "store import --keys verdicts.ndjson",
  "audit skills/my_calc",
  "doctor",
  "schema",
  "schema skill",
  "completion bash",
  "config list",
  "config get llm.model",
  "config set concurrency 8",
  "trust",
  "--version",
  "--help",
];
/** Of these, what ends with the report of a run; `run` has one inside its own document. */
const reported = [
  "test skills/my_calc",
  "eval --skills skills/my_calc --tasks skills/my_calc/tests/basic.eval.json",
  "eval --skills skills/my_calc --tasks skills/my_calc/tests/basic.eval.json --shard 1/1",
  "trigger skills/folds",
  "agent eval hi.json",
  "planbench --limit 2",
];
const failures = [
  "init --dir /proc/nowhere",
  "create --name ../x",
  "create",
  "test nowhere",
  "eval --skills nowhere",
  "eval",
  "trigger nowhere",
  "trigger",
  "trigger calibrate --gold nowhere.jsonl",
  "agent run",
  "agent run hello --mock nowhere.json",
  "agent eval nowhere",
  "agent grade nowhere --case hi.json",
  "agent replay nowhere",
  "agent import --from otel nowhere.json",
  "agent new-case",
  "agent",
  "tool call nowhere echo_query",
  "tool check nowhere",
  "tool",
  "planbench nowhere",
  "route",
  "route hello --skills-dir nowhere",
  "catalog report nowhere",
  "catalog diff skills --base nowhere",
  "catalog",
  "task --skill nowhere --input 1 --exact 1",
  "find --skills-dir nowhere",
  "select --from nowhere",
  "run --query nobody",
  "report show nowhere.json",
  "report convert --input nowhere.json",
  "report diff reports/eval-result.json nowhere.json",
  "report merge nowhere",
  "report",
  "history --limit 0",
  "telemetry query --path nowhere.db",
  "telemetry serve --port 70000",
  "telemetry query --group-by colour",
  "telemetry",
  "store prune --before soon",
  "store export --keys verdicts.ndjson --store none.db",
  "store import --keys none.ndjson",
  "store",
  "audit nowhere",
  "doctor nowhere",
  "schema skil",
  "completion csh",
  "config get nothing.here",
  "trust nowhere",
  "config set concurrency many",
  "config list extra",
  "config",
  "evil",
];

describe("case 10: --json prints exactly one document", () => {
  test("for every command, where it succeeds and where it fails", { timeout: 120_000 }, async () => {
    await using project = await quickProject();
    const labels = Array.from({ length: 30 }, (_, n) => ({
      skill: "folds",
      query: `request ${n}`,
      label: n % 2 ? "yes" : "no",
    }));
    writeFileSync(join(project.path, "gold.jsonl"), labels.map((label) => JSON.stringify(label)).join("\n"));
    (await openEventFile(join(project.path, "telemetry.db"), { retentionDays: 7 }))[Symbol.dispose]();
    const answer = { action: { type: "final_answer", payload: { content: "hello" } } };
    await project.write("hi.json", JSON.stringify({ id: "hi", input: "hello", mock: { turns: [answer] } }));
    const runAndRead = async (line: string, ...exitCodes: number[]): Promise<string> => {
      const { code, document, stdout, stderr } = await project.run([
        ...line.split(" ").filter(Boolean),
        "--json",
      ]);
      expect(exitCodes, `${line}\n${stdout}${stderr}`).toContain(code);
      const shows = ["report show", "report merge"].find((command) => line.startsWith(`${command} `));
      if (shows !== undefined && code === 0) {
        ReportFile.parse(document);
        return shows;
      }
      const command = reported.includes(line) ? ReportFile.parse(document).run.command : document.command;
      if (line.startsWith("run ") && code === 0)
        expect(ReportFile.parse(document.report).run.command).toBe(command);
      else if (!reported.includes(line)) expect(document, line).toMatchObject({ schemaVersion: 1 });
      if (code === 2)
        expect(document, line).toMatchObject({ exitCode: 2, error: { code: expect.any(String) } });
      return command;
    };

    const done = new Set<string>();
    // On a machine without bubblewrap the doctor has something to fix, and says so by 1.
    for (const line of successes) done.add(await runAndRead(line, ...(line === "doctor" ? [0, 1] : [0])));
    const failed = new Set<string>();
    await forEachLimited(failures, 4, async (line) => void failed.add(await runAndRead(line, 2)));

    const known = await commandsIn(async (name) => {
      const { stdout } = await project.run([...name.split(" ").filter(Boolean), "--help"]);
      return stdout;
    });
    expect(known.length).toBeGreaterThan(12);
    const endless = "telemetry serve"; // its document comes first, and then it goes on until Ctrl-C
    expect([...done, endless].filter((name) => name !== null).sort()).toEqual([...known].sort());
    expect(known.filter((name) => !failed.has(name))).toEqual([]);
  });
});

describe("manners", () => {
  test("--version prints the version of the package and nothing else", async () => {
    await using project = await quickProject();
    const { stdout, stderr, code } = await project.run(["--version"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test("every command's help has examples", async () => {
    await using project = await quickProject();
    for (const command of [[], ["init"], ["create"], ["eval"], ["config"], ["config", "set"]]) {
      const { stdout, code } = await project.run([...command, "--help"]);
      expect(code).toBe(0);
      expect(stdout, command.join(" ")).toContain("Examples:\n  $ eval-skills");
    }
  });

  test("global options work before and after the command", async () => {
    await using project = await quickProject();
    const before = await project.run(["--json", "config", "get", "concurrency"]);
    const after = await project.run(["config", "get", "concurrency", "--json"]);
    expect(before.stdout).toBe(after.stdout);
    expect(before.document).toMatchObject({ key: "concurrency", value: 4, origin: "default" });
  });

  test("configuration: flag over project over user over default, key by key", async () => {
    await using project = await quickProject();
    await project.run(["config", "set", "concurrency", "7"]);
    await project.run(["config", "set", "timeoutMs", "1234"]);
    await project.write("eval-skills.config.yaml", "concurrency: 3\nllm:\n  temperature: 1\n");

    const { document } = await project.run(["config", "list", "--json"]);

    expect(document.values).toMatchObject({
      concurrency: 3,
      timeoutMs: 1234,
      llm: { temperature: 1, model: "gpt-4o" },
    });
    expect(document.origins).toMatchObject({
      concurrency: "project",
      timeoutMs: "user",
      "llm.temperature": "project",
      "llm.model": "default",
    });
  });

  test("no colour without a terminal", async () => {
    await using project = await quickProject();
    const { stdout, stderr } = await project.run(["eval", "--skills", "nowhere"]);
    expect(stdout + stderr).not.toContain("\u001b");
  });
});
