import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { act, runSample, sampleCatalog, sampleSkill } from "../../../test/builders/sample-agent-run.ts";
import { unusedSandbox } from "../../../test/sample-tools.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { AgentCaseFile } from "../../contract/agent-case.ts";
import type { LoadedAgentCase } from "../../contract/loaded-case.ts";
import { gradeRun } from "../../levels/agent/grade/grade-run.ts";
import { systemClock } from "../../shared/async/clock.ts";
import { sha256 } from "../../shared/json/canonical-json.ts";
import { openLoader } from "../loader/open-loader.ts";
import { openRunLog } from "../log/open-run-log.ts";
import { readRun } from "../log/read-run.ts";
import { scriptedApprover } from "../tools/approvers.ts";
import { openTools } from "../tools/open-tools.ts";

test("a run with all its real parts leaves a directory that the grader passes", async () => {
  await using folder = await temporaryFolder();
  const dir = join(folder.path, "skills", "notes");
  mkdirSync(join(dir, "references"), { recursive: true });
  writeFileSync(join(dir, "SKILL.md"), "---\nname: notes\n---\nCANARY-BODY\n");
  writeFileSync(join(dir, "references", "style.md"), "# Style\n\nCANARY-RESOURCE\n");
  const note = { path: "note.md", content: "hello", mode: "create" };
  const script = {
    turns: [
      { ...act.select("notes"), expect_context: { not_contains: ["CANARY-BODY"] } },
      { ...act.load("notes", "../../etc/passwd"), expect_context: { contains: ["CANARY-BODY"] } },
      { raw: "Sure! I will look." },
      { ...act.load("notes", "references/style.md"), expect_context: { not_contains: ["CANARY-RESOURCE"] } },
      { ...act.call("write_file", note), expect_context: { contains: ["CANARY-RESOURCE"] } },
      act.read("note.md"),
      act.answer("## Done\n\n- the note is written"),
    ],
  };
  const about = AgentCaseFile.parse({
    id: "whole",
    input: "fill in the form",
    enable_tools: ["write_file"],
    approvals: [{ tool: "write_file", decision: "grant" }],
    expect: {
      skills_all_of: ["notes"],
      action_sequence_constraints: [{ must_occur: "load_skill_body", before: "write_file" }],
      errors: [{ code: "PathTraversalBlocked" }],
      stop_reason: "final_answer",
      output: { contains_all: ["written"], format: "markdown" },
      files: [{ path: "note.md", contains_all: ["hello"] }],
    },
    constraints: { deny_tools: ["network_request"] },
    mock: script,
  });
  const loaded: LoadedAgentCase = {
    ...{ suite: "loop", digest: sha256("case"), requestDigest: sha256("request"), level: "L1" },
    ...{ file: "", shown: "", jsonPath: "$", dir: "", files: [], asks: [] },
    ...{ kind: "agent", case: about, request: "fill in the form", skillRoots: null, preinstall: [] },
    ...{ inputs: [], expectedFiles: {}, checkFiles: {}, outputSchema: undefined, skillTools: [] },
  };

  const skill = sampleSkill("notes", { dir });
  const catalog = {
    ...sampleCatalog([skill]),
    async readBody() {
      const bytes = readFileSync(join(dir, "SKILL.md"));
      return { ok: true as const, bytes, body: "CANARY-BODY\n" };
    },
  };
  const runsDir = join(folder.path, "runs");
  await using log = openRunLog({
    ...{ runsDir, recording: "full", secrets: [], clock: systemClock, random: Math.random },
  });
  const policy = {
    ...{ mode: "scripted" as const, enable_tools: about.enable_tools, deny_tools: ["network_request"] },
    ...{
      require_approval_for: [],
      allowed_tools_policy: "report" as const,
      network_hosts: [],
      sandbox: null,
    },
  };
  const guardrails = {
    ...{ max_skills_per_select: 2, max_consecutive_failures: 3, no_progress_window: 4 },
    ...{
      max_skill_body_lines: 500,
      max_skill_body_chars: 40_000,
      resource_suffixes: [".md"],
      interpreters: {},
    },
  };
  const isolation = { level: "process", backend: null, network: "open", unproven: [] };
  const { end } = await runSample(script.turns, {
    ...{ log, catalog, policy, guardrails, clock: systemClock, chunkBytes: 5 },
    loader: openLoader({ catalog, log, guardrails, profile: "lenient" }),
    tools: openTools({
      ...{ policy, guardrails, catalog, log, isolation, clock: systemClock, env: {} },
      ...{ sandbox: unusedSandbox(), approver: scriptedApprover(about.approvals) },
    }),
    started: {
      request_ref: log.writeRequest("fill in the form").ref,
      request_sha256: sha256("fill in the form"),
      model: { provider: null, name: "mock", params_sha256: null },
      ...{ streaming: true, isolation, origin: { kind: "native" } },
    },
  });
  const recorded = readRun(log.dir);
  const report = await gradeRun(recorded, loaded, { trial: 1, model: "mock" });

  expect(recorded.problem).toBeNull();
  expect(report.failures).toEqual([]);
  expect(report).toMatchObject({
    status: "pass",
    stats: { turns: 6, tool_calls: 2, script_runs: 0, resource_loads: 1, model_calls: 7, degraded: false },
  });
  expect(Object.values(report.scores).map((score) => score?.status)).toEqual(Array(7).fill("pass"));
  expect(readFileSync(join(end.dir, "final.md"), "utf8")).toBe(end.final);
});
