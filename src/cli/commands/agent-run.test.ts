import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { agentModel, labKey } from "../../../test/agent-model.ts";
import { agentProject, answer, call, script, select } from "../../../test/agent-project.ts";
import { splitCommand } from "../../shared/text/command-line.ts";

const red = "## Red\n\n\u001b[31mred\u001b[0m";
const scripts = {
  "hello.yaml": { turns: [select("fines"), answer(red)], streaming: { enabled: true, chunk_bytes: 4 } },
  "twice.yaml": { turns: [select("fines"), script("3"), script("4"), answer("done")] },
  "stops.yaml": { turns: [select("fines")] },
  "fails.yaml": { turns: [{ error: { kind: "http", status: 401 } }] },
  "reads.yaml": { turns: [call("list_dir", { path: "." }), answer("done")] },
};
const hello = ["agent", "run", "hi there", "--mock", "hello.yaml"];
const twice = [
  "agent",
  "run",
  "sum it up",
  "--mock",
  "twice.yaml",
  "--enable-tool",
  "run_script",
  "--sandbox",
  "process",
];

describe("the answer", () => {
  test("goes to stdout, what happens meanwhile to stderr", async () => {
    await using project = await agentProject(scripts);
    const { exitCode, stdout, stderr } = await project.run(hello);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${red}\n` });
    expect(stderr).toContain("selects fines");
    const [id] = project.runs();
    expect(stderr).toContain(`eval-skills agent replay .agent/runs/${id}`);
    expect(project.read(`.agent/runs/${id}/final.md`)).toBe(red);

    const streamed = await project.run([...hello, "--stream"]);
    expect(streamed.stdout).toBe(`${red}\n`);
    for (const flags of [[], ["--stream"]]) {
      const shown = await project.run([...hello, ...flags], { isTTY: true });
      expect(shown.stdout).toBe("## Red\n\n\\e[31mred\\e[0m\n");
    }
    const { document } = await project.run([...hello, "--json", "--stream"]);
    expect(document).toMatchObject({
      command: "agent run",
      status: "completed",
      stop_reason: "final_answer",
      degraded: false,
      answer: red,
      exitCode: 0,
    });
    expect(project.exists(document.run_dir)).toBe(true);
  });

  test.each([
    ["stops.yaml", 1, "stopped", "mock_exhausted"],
    ["fails.yaml", 3, "failed", "model_unavailable"],
  ])("of %s is made by us, and exit %i", async (mock, exitCode, status, stop_reason) => {
    await using project = await agentProject(scripts);
    const { document } = await project.run(["agent", "run", "hi", "--mock", mock, "--json"]);
    expect(document).toMatchObject({ status, stop_reason, degraded: true, exitCode });
    expect(document.answer).toContain("# Stopped without an answer");
  });

  test("and all it took is kept only in hashes, unless raw replies are asked for", async () => {
    await using project = await agentProject(scripts);
    const { document: minimal } = await project.run([...hello, "--json"]);
    const { document: raw } = await project.run([...hello, "--json", "--record-raw"]);
    const events = project.read(`${minimal.run_dir}/events.jsonl`);
    expect(events).not.toContain("## Red");
    expect(readdirSync(project.at(minimal.run_dir))).not.toContain("raw");
    expect(project.events(minimal.run_dir, "run_started")[0]).toMatchObject({ recording: "minimal" });
    expect(readdirSync(project.at(`${raw.run_dir}/raw`)).sort()).toEqual([
      "t1-1-1-prompt.txt",
      "t1-1-1-reply.txt",
      "t2-1-1-prompt.txt",
      "t2-1-1-reply.txt",
    ]);
    expect(project.read(`${raw.run_dir}/raw/t2-1-1-prompt.txt`)).toContain("BODY-OF-FINES");
  });

  test("comes from a real model too, recorded once and then without it", async () => {
    const lab = await agentModel(({ turn }) => (turn === 1 ? select("hours") : answer("nine to five")));
    await using project = await agentProject({ "../.eval-skills/config.yaml": lab.config });
    const asking = ["agent", "run", "When?", "--model", "lab/small", "--max-cost", "1"];
    const live = await project.run([...asking, "--record", "tapes"], { env: labKey });
    await lab[Symbol.asyncDispose]();
    const replayed = await project.run([...asking, "--replay", "tapes"]);
    expect(live).toMatchObject({ exitCode: 0, stdout: "nine to five\n" });
    expect(replayed).toMatchObject({ exitCode: 0, stdout: "nine to five\n" });
    const broke = await project.run([...asking.slice(0, -1), "0.0001", "--replay", "tapes", "--json"]);
    expect(broke.document).toMatchObject({ stop_reason: "budget_exhausted", exitCode: 1 });
  });
});

describe("approvals", () => {
  const outcomes = (project: Awaited<ReturnType<typeof agentProject>>, dir: string) =>
    project
      .events(dir, "action_executed")
      .filter(({ action }) => action === "run_script")
      .map(({ ok, error }) => (ok ? "ran" : error.code));

  test.each<[string, string[], number]>([
    ["y", ["ran", "ran"], 2],
    ["r", ["ran", "ran"], 1],
    ["n", ["ApprovalDenied", "ApprovalDenied"], 2],
    ["", ["ApprovalDenied", "ApprovalDenied"], 2],
  ])("is given by who answers %j at the terminal", async (typed, came, questions) => {
    await using project = await agentProject(scripts);
    const prompts: string[] = [];
    const ask = async (question: string) => {
      prompts.push(question);
      return typed;
    };
    const { exitCode } = await project.run(twice, { ask, isTTY: true });
    expect(exitCode).toBe(0);
    const dir = `.agent/runs/${project.runs()[0]}`;
    expect(outcomes(project, dir)).toEqual(came);
    expect(prompts).toHaveLength(questions);
    expect(prompts[0]).toContain('"relative_path": "scripts/sum.sh"');
    expect(project.events(dir, "run_started")[0].policy.mode).toBe("interactive");
  });

  test("that nobody could be asked for is reported with a command line that repeats the run and gives it", async () => {
    await using project = await agentProject(scripts);
    const { stderr, document } = await project.run([...twice, "--max-turns", "7", "--json"], {
      ask: () => Promise.reject(new Error("nobody is asked where a program reads")),
    });
    expect(outcomes(project, document.run_dir)).toEqual(["ApprovalRequired", "ApprovalRequired"]);
    expect(stderr).toContain("--approve run_script:call");
    const [{ replay }] = project.events(document.run_dir, "approval_required");
    const again = await project.run([...splitCommand(replay).slice(1), "--json"]);
    expect(outcomes(project, again.document.run_dir)).toEqual(["ran", "ran"]);
    const [before, after] = [document, again.document].map(
      ({ run_dir }) => project.events(run_dir, "run_started")[0],
    );
    expect(after.limits).toEqual(before.limits);
    expect(after.isolation).toEqual(before.isolation);
  });

  test("for all of the run is one grant, and a tool that is denied is not used with any", async () => {
    await using project = await agentProject(scripts);
    const granted = await project.run([...twice, "--approve", "run_script:run", "--json"]);
    expect(outcomes(project, granted.document.run_dir)).toEqual(["ran", "ran"]);
    expect(project.events(granted.document.run_dir, "approval_granted")).toMatchObject([
      { scope: "run", by: "flag" },
    ]);
    const denied = await project.run([
      ...twice,
      "--approve",
      "run_script",
      "--deny-tool",
      "run_script",
      "--json",
    ]);
    expect(outcomes(project, denied.document.run_dir)).toEqual(["ToolNotAllowed", "ToolNotAllowed"]);
    const reads = await project.run([
      "agent",
      "run",
      "x",
      "--mock",
      "reads.yaml",
      "--deny-tool",
      "list_dir",
      "--json",
    ]);
    expect(project.events(reads.document.run_dir, "action_executed")[0]).toMatchObject({
      started: false,
      error: { code: "ToolNotAllowed" },
    });
  });
});

test.each<[string, string[], string, RegExp]>([
  ["no request", ["  "], "usage", /empty/],
  ["a misspelt tool", ["x", "--enable-tool", "run_scrip"], "usage", /did you mean run_script/],
  ["a misspelt tool that is denied", ["x", "--deny-tool", "write_fil"], "usage", /did you mean write_file/],
  [
    "a misspelt tool that is granted",
    ["x", "--approve", "run_scrip:run"],
    "usage",
    /did you mean run_script/,
  ],
  ["a grant without an end", ["x", "--approve", "write_file:run"], "usage", /call by call/],
  ["a grant that is none", ["x", "--approve", "run_script:always"], "usage", /:call or :run/],
  ["a script and a model", ["x", "--model", "a/b"], "usage", /--mock and --model cannot be combined/],
  ["a skill there is not", ["x", "--skill", "fine"], "skill-not-found", /did you mean fines/],
  ["a folder there is not", ["x", "--skills", "nowhere"], "skill-not-found", /nowhere/],
  ["no turns at all", ["x", "--max-turns", "0"], "usage", /--max-turns/],
  [
    "a script that is missing",
    ["x", "--mock", "nowhere.json"],
    "case-invalid",
    /nowhere\.json does not exist/,
  ],
  ["a script that is no JSON", ["x", "--mock", "cut.json"], "case-invalid", /cut\.json: .*line 1/],
  [
    "a script with another action",
    ["x", "--mock", "wrong.yaml"],
    "case-invalid",
    /wrong\.yaml.*\$\.turns\[0\]\.action\.type/s,
  ],
  ["a script with a misspelt key", ["x", "--mock", "key.json"], "case-invalid", /key\.json.*\$\.streming/s],
])("%s is exit 2, and no run is made", async (_, argv, code, words) => {
  await using project = await agentProject({
    ...scripts,
    "cut.json": '{"turns": [',
    "wrong.yaml": "turns:\n  - action: { type: final_anser, payload: {} }\n",
    "key.json": { turns: [], streming: true },
  });
  const mock = argv.includes("--mock") ? [] : ["--mock", "hello.yaml"];
  const { exitCode, document } = await project.run(["agent", "run", ...argv, ...mock, "--json"]);
  expect(exitCode).toBe(2);
  const { message, hint, path, jsonPath } = document.error;
  expect([message, hint, path, jsonPath].join("\n")).toMatch(words);
  expect(document.error.code).toBe(code);
  expect(project.runs()).toEqual([]);
});
