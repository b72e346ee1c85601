import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openSampleTools, unusedSandbox } from "../../../test/sample-tools.ts";
import type { ApprovalRule } from "../../contract/agent-case.ts";
import type { Approver } from "../../contract/agent-parts.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { splitCommand } from "../../shared/text/command-line.ts";
import { flagsApprover, scriptedApprover } from "./approvers.ts";
import { plainObservation } from "./tool-work.ts";

const grant = (tool: string, scope: "call" | "run" = "call"): ApprovalRule => ({
  ...{ tool, decision: "grant", scope },
});
const note = { path: "note.md", content: "x", mode: "create" };
const writing = { policy: { enable_tools: ["write_file", "delete_file", "run_script"] } };

describe("a call goes no further than", () => {
  test("the policy, before anybody is asked", async () => {
    await using tools = await openSampleTools({ approver: scriptedApprover([grant("write_file")]) });
    const end = await tools.call("write_file", note);
    expect(end).toMatchObject({
      started: false,
      ok: false,
      error: { code: "ToolNotAllowed", reason: "not_enabled" },
      audit: { tool: "write_file", risk: "high", policy: { allowed: false, approved: false } },
    });
    expect(tools.reported).toEqual([]);
    expect(readdirSync(tools.workspace)).toEqual([]);
  });

  test.each<[string, JsonObject, string]>([
    ["read_file", { path: "../../etc/passwd" }, "PathTraversalBlocked"],
    ["list_dir", { path: "/etc" }, "PathTraversalBlocked"],
    ["grep", { path: "a/../..", pattern: "x" }, "PathTraversalBlocked"],
    ["write_file", { ...note, path: "../note.md" }, "PathTraversalBlocked"],
    ["write_file", { ...note, path: "skill:sample/SKILL.md" }, "PathTraversalBlocked"],
    ["write_file", { ...note, content: "é".repeat(500_001) }, "FileTooLarge"],
    ["write_file", { ...note, path: "../x", content: "é".repeat(500_001) }, "PathTraversalBlocked"],
    ["delete_file", { path: "." }, "PathTraversalBlocked"],
    ["delete_file", { path: "a", force: true }, "InvalidAction"],
  ])("its letters: %s %j", async (tool, params, code) => {
    const policy = { ...writing.policy, require_approval_for: ["read_file", "list_dir", "grep"] };
    await using tools = await openSampleTools({ policy });
    const end = await tools.call(tool, params);
    expect(end).toMatchObject({ started: false, ok: false, error: { code } });
    if (code === "PathTraversalBlocked")
      expect(end.audit.path).toEqual({ requested: params.path, resolved: null, inside: false });
    expect(tools.reported).toEqual([]);
  });
});

describe("approvals", () => {
  test("fault row 51: that nobody could give is reported with the line that would give it", async () => {
    await using tools = await openSampleTools({
      ...writing,
      command: ["eval-skills", "agent", "run", "it's $(rm -rf ~)"],
      approver: flagsApprover([]),
    });
    const { error, started, observation, audit } = await tools.call("write_file", note);
    expect({ started, error }).toMatchObject({ started: false, error: { code: "ApprovalRequired" } });
    const replay = String(error?.details?.replay);
    expect(observation.summary).toContain(replay);
    const flags = ["--enable-tool", "write_file", "--approve", "write_file:call"];
    expect(splitCommand(replay)).toEqual(["eval-skills", "agent", "run", "it's $(rm -rf ~)", ...flags]);
    expect(audit.policy).toEqual({ allowed: true, approved: false, approval_id: "a1" });
    expect(tools.reported).toEqual(["required"]);
    expect(existsSync(join(tools.workspace, "note.md"))).toBe(false);
  });

  test("that is denied has no effect", async () => {
    const sandbox = unusedSandbox();
    await using tools = await openSampleTools(
      { ...writing, sandbox, approver: scriptedApprover([]) },
      { "scripts/a.sh": "echo a > a.txt" },
    );
    const { skill } = tools;
    writeFileSync(join(tools.workspace, "old.txt"), "old");
    const script = { skill: { name: "sample" }, relative_path: "scripts/a.sh", args: [] };
    for (const end of [
      await tools.call("write_file", note),
      await tools.call("delete_file", { path: "old.txt" }),
      await tools.call("run_script", script, { skill }),
    ])
      expect(end).toMatchObject({ started: false, ok: false, error: { code: "ApprovalDenied" } });
    expect(tools.reported).toEqual(["required", "denied", "required", "denied", "required", "denied"]);
    expect(readdirSync(tools.workspace)).toEqual(["old.txt"]);
    expect(sandbox.commands).toEqual([]);
  });

  test("fault row 51: for a call is for that call alone, and everything reported is on the disk before it acts", async () => {
    await using tools = await openSampleTools({
      ...writing,
      approver: scriptedApprover([grant("write_file")]),
    });
    const end = await tools.call("write_file", note);
    expect(end).toMatchObject({
      ok: true,
      audit: { policy: { allowed: true, approved: true, approval_scope: "call", approval_id: "a1" } },
    });
    await tools.call("write_file", { ...note, path: "other.md" });
    expect(tools.reported).toEqual([
      "required",
      "granted call",
      "synced",
      "required",
      "granted call",
      "synced",
    ]);
  });

  test("for a run covers later calls of the same tool and skill, and no others", async () => {
    const policy = { enable_tools: ["add", "write_file"] };
    const callSkillTool = async () => ({ started: true, result: {}, observation: plainObservation("3") });
    const approver = scriptedApprover([grant("add", "run"), grant("write_file", "run")]);
    await using tools = await openSampleTools({ policy, callSkillTool, approver });
    const { skill } = tools;
    const other = { ...skill, name: "other" };
    const asks = async (tool: string, params: JsonObject, owner = skill) => {
      const before = tools.reported.length;
      const { ok, audit } = await tools.call(tool, params, { skill: tool === "add" ? owner : null });
      expect(ok).toBe(true);
      const reports = tools.reported.slice(before).filter((word) => word !== "synced");
      return [audit.policy.approval_id, audit.policy.approval_scope, ...reports];
    };
    expect(await asks("add", { a: 1 })).toEqual(["a1", "run", "required", "granted run"]);
    expect(await asks("add", { a: 2 })).toEqual(["a1", "run"]);
    expect(await asks("add", { a: 2 }, other)).toEqual(["a3", "run", "required", "granted run"]);
    // What can do much harm is asked about every time, whatever a rule says.
    expect(await asks("write_file", note)).toEqual(["a4", "call", "required", "granted call"]);
    expect(await asks("write_file", { ...note, path: "b" })).toEqual([
      "a5",
      "call",
      "required",
      "granted call",
    ]);
  });

  test.each(["what was shown", "the call"])(
    "fault row 51: is void when %s changes after the request",
    async (what) => {
      const params: JsonObject = { ...note };
      const approver: Approver = {
        mode: "scripted",
        async decide(request) {
          (what === "the call" ? params : (request.params as JsonObject)).path = "evil.md";
          return { decision: "grant", scope: "call", by: "test" };
        },
      };
      await using tools = await openSampleTools({ ...writing, approver });
      const end = await tools.call("write_file", params);
      expect(end).toMatchObject({
        started: false,
        error: { code: "ApprovalDenied", reason: "params_changed" },
        audit: { params: note },
      });
      expect(tools.reported).toEqual(["required", "denied"]);
      expect(readdirSync(tools.workspace)).toEqual([]);
    },
  );

  test("is asked for what the policy adds, and not for what only reads", async () => {
    await using tools = await openSampleTools({
      policy: { require_approval_for: ["read_file"] },
      approver: flagsApprover([{ tool: "read_file", scope: "run" }]),
    });
    writeFileSync(join(tools.workspace, "a.txt"), "text");
    for (const id of ["a1", "a2"]) {
      const { audit } = await tools.call("read_file", { path: "a.txt" });
      expect(audit.policy).toMatchObject({ approved: true, approval_scope: "call", approval_id: id });
    }
    expect((await tools.call("list_dir", { path: "." })).audit.policy).toEqual({
      allowed: true,
      approved: false,
    });
    expect(tools.reported).toEqual(["required", "granted call", "required", "granted call"]);
  });
});

test("a tool of a skill that nobody can call is not allowed", async () => {
  await using tools = await openSampleTools({ policy: { enable_tools: ["add"] } });
  const end = await tools.call("add", {}, { skill: tools.skill });
  expect(end).toMatchObject({ started: false, error: { code: "ToolNotAllowed", reason: "no_skill_tools" } });
});

describe("files of the workspace", () => {
  const open = () =>
    openSampleTools({
      ...writing,
      approver: flagsApprover(["write_file", "delete_file"].map((tool) => ({ tool, scope: "call" }))),
    });

  test("are written, with their folders, and read again", async () => {
    await using tools = await open();
    const path = "deep/er/a.txt";
    const write = (content: string, mode: string) => tools.call("write_file", { path, content, mode });
    expect(await write("one\n", "create")).toMatchObject({
      ...{ ok: true, started: true, result: { bytes: 4, size: 4 } },
      audit: { path: { requested: path, resolved: path, inside: true } },
    });
    expect(await write("no", "create")).toMatchObject({
      ok: false,
      error: { code: "IOError", reason: "exists" },
    });
    expect(await write("two\n", "append")).toMatchObject({ ok: true, result: { bytes: 4, size: 8 } });
    expect((await tools.call("read_file", { path })).observation.summary).toBe("one\ntwo\n");
    expect(await write("three", "overwrite")).toMatchObject({ ok: true, result: { bytes: 5, size: 5 } });
    expect(readFileSync(join(tools.workspace, path), "utf8")).toBe("three");
    const large = await write("é".repeat(499_999), "append");
    expect(large).toMatchObject({ ok: false, error: { code: "FileTooLarge" } });
    expect(readFileSync(join(tools.workspace, path), "utf8")).toBe("three");
    expect(await tools.call("write_file", { path: "new", content: "n", mode: "append" })).toMatchObject({
      ok: true,
    });
    expect(await tools.call("delete_file", { path })).toMatchObject({ ok: true, started: true });
    expect(readdirSync(join(tools.workspace, "deep/er"))).toEqual([]);
    const again = await tools.call("delete_file", { path });
    expect(again).toMatchObject({
      ok: false,
      started: false,
      error: { code: "IOError", reason: "not_found" },
    });
  });

  test("are never reached by a link that leads out", async () => {
    await using tools = await open();
    const { workspace, dir } = tools;
    writeFileSync(join(dir, "outside.txt"), "outside");
    mkdirSync(join(dir, "folder"));
    symlinkSync("../outside.txt", join(workspace, "link"));
    symlinkSync("../folder", join(workspace, "way"));
    symlinkSync("../not-there", join(workspace, "hole"));
    linkSync(join(dir, "outside.txt"), join(workspace, "twin"));
    for (const path of ["link", "way/a.txt", "way/new/a.txt", "hole", "hole/a.txt", "twin"]) {
      for (const mode of ["overwrite", "append"]) {
        const end = await tools.call("write_file", { path, content: "x", mode });
        expect([path, end]).toMatchObject([
          path,
          { started: false, error: { code: "PathTraversalBlocked" } },
        ]);
      }
      expect(await tools.call("delete_file", { path })).toMatchObject({ ok: false, started: false });
    }
    expect(readFileSync(join(dir, "outside.txt"), "utf8")).toBe("outside");
    expect(readdirSync(join(dir, "folder"))).toEqual([]);
    expect(existsSync(join(dir, "not-there"))).toBe(false);
  });
});
