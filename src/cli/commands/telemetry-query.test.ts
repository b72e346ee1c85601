import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agentProject, scripted } from "../../../test/agent-project.ts";
import { sampleEvent } from "../../../test/builders/sample-event.ts";
import { capturedCli } from "../../../test/captured-world.ts";
import { httpServer } from "../../../test/local-server.ts";
import { scripts, triggerProject } from "../../../test/trigger-project.ts";
import type { StoredEvent } from "../../contract/telemetry.ts";
import { openEventFile } from "../../telemetry/event-file.ts";

const local = { EVAL_SKILLS_TELEMETRY_MODE: "local" };

test("a run of cases is recorded in the file and nowhere else, and found again by what it was about", async () => {
  await using elsewhere = await httpServer((_, response) => response.end());
  const passes = scripted("passes", { expect: { skills_all_of: ["fines"] } });
  const fails = scripted("fails", { expect: { skills_all_of: ["hours"] } });
  await using project = await agentProject({ "evals/suite.yaml": { suite: "desk", cases: [passes, fails] } });
  const env = { ...local, EVAL_SKILLS_TELEMETRY_REMOTE_ENDPOINT: elsewhere.url };
  const {
    exitCode,
    document: report,
    stderr,
  } = await project.run(["agent", "eval", "evals", "--sandbox", "process", "--json"], { env });
  expect([exitCode, elsewhere.connections.made]).toEqual([1, 0]);
  expect(stderr).not.toContain("telemetry");

  const query = async (...flags: string[]) =>
    (await project.run(["telemetry", "query", "--json", ...flags])).document;
  const { ok, path, events } = await query();
  expect([ok, path]).toEqual([true, "./.eval-skills/telemetry.sqlite3"]);
  const names = events.map(({ event_name }: StoredEvent) => event_name);
  expect([names[0], names.at(-1)]).toEqual(["run.done", "run.start"]);
  expect(names.filter((name: string) => name === "cell.done")).toHaveLength(2);
  expect(events[0]).toMatchObject({
    run_id: report.run.id,
    payload: { passed: 1, failed: 1, no_verdict: 0, exit_code: 1 },
  });
  expect(JSON.stringify(events)).not.toContain(passes.input);
  expect((await query("--case", "fails", "--event", "cell.done")).events).toMatchObject([
    { case_id: "fails", payload: { status: "fail", score: 0 } },
  ]);
  expect((await query("--run-id", "nobody")).events).toEqual([]);
  expect((await query("--group-by", "event_name")).groups).toContainEqual(
    expect.objectContaining({ group: { event_name: "cell.done" }, count: 2, errors: 1 }),
  );
});

test("queries of `trigger` are reported with their sides and verdicts", async () => {
  await using project = await triggerProject(scripts.perfect);
  project.addSkill("birds", { positives: 1, negatives: 1 });
  await project.run(["trigger", "skills/birds"], local);
  const { document } = await project.run(["telemetry", "query", "--json", "--event", "trigger.query_done"]);
  const sides = document.events.map(({ payload }: StoredEvent) => payload.side);
  expect(sides.sort()).toEqual(["should_match", "should_not_match"]);
  expect(document.events[0]).toMatchObject({ skill_id: "birds", payload: { judge: "router", valid: 1 } });
  expect(JSON.stringify(document.events)).not.toContain("please fire");
});

test("a mode that cannot be meant is exit 2 before anything is made", async () => {
  await using project = await agentProject({
    "evals/suite.yaml": { suite: "desk", cases: [scripted("passes", {})] },
  });
  const env = { EVAL_SKILLS_TELEMETRY_MODE: "of" };
  for (const line of ["agent eval evals", "eval --skills x", "trigger skills", "run", "planbench"]) {
    const { exitCode, stderr } = await project.run(line.split(" "), { env });
    expect([line, exitCode, stderr]).toEqual([line, 2, expect.stringContaining("did you mean off?")]);
  }
  expect(["eval-skills.db", "reports", ".eval-skills"].map((name) => project.exists(name))).toEqual([
    false,
    false,
    false,
  ]);
});

test("a file that is not there is exit 2, one that cannot be read exit 3, and neither is touched", async () => {
  await using cli = await capturedCli();
  const missing = await cli.run(["telemetry", "query", "--json"]);
  expect([missing.exitCode, missing.document.error.code]).toEqual([2, "sqlite-not-found"]);
  expect(existsSync(join(cli.cwd, ".eval-skills"))).toBe(false);
  writeFileSync(join(cli.cwd, "bad.db"), "this is no database ".repeat(100));
  const bad = await cli.run(["telemetry", "query", "--path", "bad.db", "--json"]);
  expect([bad.exitCode, bad.document.error.code]).toEqual([3, "sqlite-unreadable"]);
});

test("any number of events is one document, and for people a table for every thousand", async () => {
  await using cli = await capturedCli();
  {
    using file = await openEventFile(join(cli.cwd, "t.db"), { retentionDays: 7 });
    const events = Array.from({ length: 1200 }, (_, n) => sampleEvent({ event_id: `e${n}`, payload: { n } }));
    file.add(events, 1_772_000_000);
  }
  const query = ["telemetry", "query", "--path", "t.db", "--limit", "1100"];
  const { document } = await cli.run([...query, "--json"]);
  const { stdout } = await cli.run(query);

  expect(document).toMatchObject({ schemaVersion: 1, command: "telemetry query", ok: true, path: "t.db" });
  expect(document.events.map(({ payload }: StoredEvent) => payload.n)).toEqual(
    Array.from({ length: 1100 }, (_, n) => 1199 - n),
  );
  expect(stdout.match(/^Time \(UTC\)/gm)).toHaveLength(2);
  expect(stdout.match(/n=\d+/g)).toHaveLength(1100);
});

test("what a stranger wrote into an event is shown and does nothing", async () => {
  await using cli = await capturedCli();
  {
    using file = await openEventFile(join(cli.cwd, "t.db"), { retentionDays: 7 });
    const hostile = "\u001b[31mred\u202e";
    file.add(
      [
        sampleEvent({ event_name: hostile, skill_id: hostile, payload: { [hostile]: hostile }, ts: 0.5 }),
        sampleEvent({ event_name: "far", ts: 1e300 }),
      ],
      1,
    );
  }
  for (const flags of [[], ["--group-by", "skill_id", "event_name"]]) {
    const { exitCode, stdout } = await cli.run(["telemetry", "query", "--path", "t.db", ...flags]);
    expect([exitCode, stdout.includes("\u001b"), stdout.includes("\u202e")]).toEqual([0, false, false]);
    expect(stdout).toContain("\\e[31mred");
  }
  const lines = (await cli.run(["telemetry", "query", "--path", "t.db"])).stdout.split("\n");
  expect(lines[2]).toMatch(/^1970-01-01 00:00:00\.500 {2}/);
});
