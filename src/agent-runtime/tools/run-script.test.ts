import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { eventually, isAlive, pidFrom } from "../../../test/programs.ts";
import { openSampleTools } from "../../../test/sample-tools.ts";
import { describeStrict } from "../../../test/strict-machine.ts";
import { openStrict, skillFolder } from "../../../test/strict-sandbox.ts";
import type { ToolCall } from "../../contract/agent-parts.ts";
import type { Sandbox } from "../../contract/sandbox.ts";
import { openSandbox } from "../../sandbox/open-sandbox.ts";
import { failedStart } from "../../sandbox/skill-exit.ts";
import { flagsApprover } from "./approvers.ts";
import type { ToolsOptions } from "./open-tools.ts";

const openPlain = () => openSandbox({ level: "process", killGraceMs: 300, memoryMb: null });

/** A run whose scripts are approved. */
async function openScripts(
  files: Readonly<Record<string, string>>,
  options: Partial<Omit<ToolsOptions, "policy">> & { floor?: "strict" } = {},
) {
  const { floor = null, ...more } = options;
  const tools = await openSampleTools(
    {
      ...more,
      policy: { enable_tools: ["run_script"], sandbox: floor },
      approver: flagsApprover([{ tool: "run_script", scope: "run" }]),
    },
    files,
  );
  const { skill } = tools;
  // As root the sandbox has another user, who must be able to walk to the skill.
  chmodSync(dirname(skill.dir), 0o755);
  const run = (path: string, args: string[] = [], call: Partial<ToolCall> = {}, signal?: AbortSignal) =>
    tools.call(
      "run_script",
      { skill: { name: skill.name }, relative_path: path, args },
      { skill, ...call },
      signal,
    );
  return { ...tools, run };
}

const look = `import json, os, sys
open("made.txt", "w").write(sys.argv[1])
print(json.dumps({"args": sys.argv[1:], "inputs": os.listdir("inputs"), "stdin": sys.stdin.read(),
  "run": os.environ["EVAL_SKILLS_RUN_ID"], "secret": os.environ.get("A_SECRET"), "let": os.environ.get("LET"),
  "data": open(os.environ["EVAL_SKILLS_SKILL_DIR"] + "/data.txt").read(), "key": os.path.exists(
  os.environ["EVAL_SKILLS_SKILL_DIR"] + "/evals/key.txt"), "dir": os.environ["EVAL_SKILLS_SKILL_DIR"]}))`;

/** What a script sees, whatever the environment. */
async function expectToWork(sandbox: Sandbox) {
  const files = { "scripts/look.py": look, "data.txt": "data", "evals/key.txt": "answer" };
  const env = { ...process.env, A_SECRET: "hidden" };
  await using tools = await openScripts(files, { sandbox, env, variables: { LET: "through" } });
  mkdirSync(join(tools.workspace, "inputs"));
  writeFileSync(join(tools.workspace, "inputs/form.pdf"), "");
  const end = await tools.run("scripts/look.py", ["$(id)", "a b"]);
  const { error, result, observation } = end;
  expect({ error, result }).toMatchObject({ error: undefined, result: { exit_code: 0, stderr_chars: 0 } });
  const [first, name, seen = ""] = observation.summary.split("\n");
  expect([first, name]).toEqual(["exit code 0", "--- stdout"]);
  expect(readFileSync(join(tools.workspace, "made.txt"), "utf8")).toBe("$(id)");
  return { end, seen: JSON.parse(seen) as Record<string, unknown>, skillDir: tools.skill.dir };
}

const always = {
  ...{ args: ["$(id)", "a b"], inputs: ["form.pdf"], stdin: "", run: "20260203_123456_abcd" },
  ...{ secret: null, let: "through", data: "data" },
};

test("a script works in the workspace, by arguments and not by a shell, with few variables", async () => {
  await using sandbox = openPlain();
  const { end, seen, skillDir } = await expectToWork(sandbox);
  expect(seen).toEqual({ ...always, key: true, dir: skillDir });
  expect(end).toMatchObject({
    started: true,
    audit: {
      ...{ tool: "run_script", risk: "medium", isolation: { level: "process" } },
      path: { requested: "scripts/look.py", resolved: "scripts/look.py", inside: true },
      result: { ok: true, exit_code: 0, stdout_ref: "observations/c1-stdout.txt" },
      policy: { allowed: true, approved: true, approval_scope: "run", approval_id: "a1" },
      hashes: { stdout_sha256: expect.stringMatching(/^sha256:/) },
    },
  });
});

describeStrict("in a strict sandbox", () => {
  test("a script works as well, sees its skill under another name and no expectations", async () => {
    await using sandbox = openStrict();
    const { seen } = await expectToWork(sandbox);
    expect(seen).toEqual({ ...always, key: false, dir: "/skill" });
  });
});

describe("a script that", () => {
  const files = {
    "scripts/fails.sh": "echo out; echo err >&2; exit 3",
    "scripts/dies.sh": "kill -KILL $$",
    "scripts/hangs.sh": "echo begun; sleep 1000000 & echo $! > child.pid; wait",
    "scripts/leaves.sh": "setsid sleep 1000000 & echo $! > child.pid; echo done",
    "scripts/floods.sh": "exec yes",
    "scripts/long.mjs": 'process.stdout.write("é".repeat(4001)); process.stderr.write("e");',
    "scripts/bytes.sh": "printf '\\377'",
    "scripts/makes.sh": "echo made > made.txt",
    "scripts/tool.rb": "",
    "lib/other.sh": "echo made > made.txt",
    "evals/key.sh": "echo made > made.txt",
  };

  test("fails is reported with its code and both streams", async () => {
    await using sandbox = openPlain();
    await using tools = await openScripts(files, { sandbox });
    const end = await tools.run("scripts/fails.sh");
    expect(end).toMatchObject({
      ...{ started: true, ok: false, result: { exit_code: 3, stdout_chars: 4, stderr_chars: 4 } },
      error: { code: "ExitNonZero", details: { exit_code: 3 } },
      observation: { summary: "exit code 3\n--- stdout\nout\n\n--- stderr\nerr\n" },
      audit: { result: { ok: false, exit_code: 3, stderr_ref: "observations/c1-stderr.txt" } },
    });
    expect(await tools.run("scripts/dies.sh")).toMatchObject({
      error: { code: "ExitNonZero", message: "ended by SIGKILL" },
      result: { exit_code: null },
    });
  });

  test("takes too long is ended with all it started", async () => {
    await using sandbox = openPlain();
    await using tools = await openScripts(files, { sandbox });
    const end = await tools.run("scripts/hangs.sh", [], { remainingMs: 300 });
    expect(end).toMatchObject({
      ...{ started: true, ok: false, error: { code: "Timeout" }, result: { timeout: true } },
      audit: { result: { ok: false, timeout: true } },
    });
    expect(end.observation.summary).toContain("begun");
    const child = await pidFrom(join(tools.workspace, "child.pid"));
    await eventually(() => !isAlive(child), "the child of the script is gone");
  });

  test("leaves somebody behind leaves nobody", async () => {
    await using sandbox = openPlain();
    await using tools = await openScripts(files, { sandbox });
    expect(await tools.run("scripts/leaves.sh")).toMatchObject({ ok: true });
    const child = await pidFrom(join(tools.workspace, "child.pid"));
    await eventually(() => !isAlive(child), "the child of the script is gone");
  });

  test("is called off with the run is ended too", async () => {
    await using sandbox = openPlain();
    await using tools = await openScripts(files, { sandbox });
    const stop = new AbortController();
    const running = tools.run("scripts/hangs.sh", [], {}, stop.signal);
    const child = await pidFrom(join(tools.workspace, "child.pid"));
    stop.abort(new Error("called off"));
    await expect(running).rejects.toThrow("called off");
    await eventually(() => !isAlive(child), "the child of the script is gone");
  });

  test("writes too much is ended, and its first output is stored", async () => {
    await using sandbox = openPlain();
    await using tools = await openScripts(files, { sandbox });
    const end = await tools.run("scripts/floods.sh");
    expect(end).toMatchObject({ started: true, error: { code: "OutputLimit" } });
    const storedPath = join(tools.dir, String(end.observation.storage_ref));
    expect(readFileSync(storedPath)).toHaveLength(1_048_576);
    expect(end.observation.summary.length).toBeLessThan(4300);
  });

  test("writes much is shown in part and stored whole, bytes that are not text too", async () => {
    await using sandbox = openPlain();
    await using tools = await openScripts(files, { sandbox });
    const { ok, observation, audit } = await tools.run("scripts/long.mjs");
    expect(ok).toBe(true);
    expect(observation.summary).toContain(`${"é".repeat(4000)}\n[...truncated...] 4000 of 4001`);
    expect(observation).toMatchObject({ storage_ref: "observations/c1-stdout.txt" });
    expect(observation.sha256).toBe(audit.hashes.stdout_sha256);
    expect((await tools.run("scripts/bytes.sh")).observation.summary).toContain("base64:/w==");
  });

  test.each<[string, string, string[], object]>([
    ["lies elsewhere in the skill", "lib/other.sh", [], { code: "PathTraversalBlocked" }],
    ["lies outside of it", "scripts/../../x.sh", [], { code: "PathTraversalBlocked" }],
    ["is the folder itself", "scripts", [], { code: "PathTraversalBlocked" }],
    ["is a link out of the folder", "scripts/link.sh", [], { code: "PathTraversalBlocked" }],
    ["is a link to what tests the skill", "scripts/key.sh", [], { code: "PathTraversalBlocked" }],
    ["is not there", "scripts/none.sh", [], { code: "IOError", reason: "not_found" }],
    ["is a folder", "scripts/folder.sh", [], { code: "IOError", reason: "is_folder" }],
    ["no program is known for", "scripts/tool.rb", [], { code: "UnsupportedInterpreter" }],
    ["would get a null character", "scripts/makes.sh", ["a\0b"], { code: "InvalidAction" }],
  ])("%s is not started", async (_, path, args, error) => {
    await using sandbox = openPlain();
    await using tools = await openScripts(files, { sandbox });
    const { skill, workspace } = tools;
    symlinkSync("../lib/other.sh", join(skill.dir, "scripts/link.sh"));
    symlinkSync("../evals/key.sh", join(skill.dir, "scripts/key.sh"));
    mkdirSync(join(skill.dir, "scripts/folder.sh"));
    expect(await tools.run(path, args)).toMatchObject({ started: false, ok: false, error });
    expect(existsSync(join(workspace, "made.txt"))).toBe(false);
  });

  test("has changed, has no program here or no sandbox that is strong enough is not started", async () => {
    await using sandbox = openPlain();
    const catalog = { isHidden: () => false, isUnchanged: () => false };
    await using changed = await openScripts(files, { sandbox, catalog });
    expect(await changed.run("scripts/makes.sh")).toMatchObject({
      started: false,
      error: { code: "SkillChanged" },
    });
    const guardrails = { interpreters: { ".sh": "no-such-shell" } };
    await using bare = await openScripts(files, { sandbox, guardrails });
    expect(await bare.run("scripts/makes.sh")).toMatchObject({
      ...{
        started: false,
        error: { code: "UnsupportedInterpreter", message: "no-such-shell was not found" },
      },
    });
    await using weak = await openScripts(files, { sandbox, floor: "strict" });
    expect(await weak.run("scripts/makes.sh")).toMatchObject({
      ...{ started: false, error: { code: "SandboxUnavailable" } },
    });
    const refusing: Sandbox = {
      containment: sandbox.containment,
      start: () => failedStart(new Error("no sandbox"), () => {}, "the sandbox did not start"),
      [Symbol.asyncDispose]: async () => {},
    };
    await using refused = await openScripts(files, { sandbox: refusing });
    expect(await refused.run("scripts/makes.sh")).toMatchObject({
      ...{ started: false, error: { code: "SandboxUnavailable", message: "the sandbox did not start" } },
    });
  });
});

describeStrict("fault row 74: a script that fails", () => {
  test("for want of a file that the sandbox hides says so, and no run goes on with it", async () => {
    await using folder = await skillFolder({ "shared/data.txt": "data" });
    const path = join(folder.path, "shared/data.txt");
    await using sandbox = openStrict();
    await using tools = await openScripts({ "scripts/reads.py": `open("${path}")` }, { sandbox });
    const { started, error } = await tools.run("scripts/reads.py");
    expect({ started, error }).toMatchObject({
      started: true,
      error: {
        code: "SandboxHid",
        message: `the sandbox does not show ${path}; show it with --grant read:${join(folder.path, "shared")} (exit code 1)`,
      },
    });
    await using missing = await openScripts({ "scripts/reads.py": 'open("inputs/none.txt")' }, { sandbox });
    expect((await missing.run("scripts/reads.py")).error).toMatchObject({ code: "ExitNonZero" });
  });
});
