import { expect, test } from "vitest";
import { memoryLog } from "../../../test/builders/memory-log.ts";
import {
  act,
  done,
  failing,
  runSample,
  sampleLoader,
  sampleSkill,
  turnLines,
} from "../../../test/builders/sample-agent-run.ts";
import type { AgentSkill, ToolsRuntime } from "../../contract/agent-parts.ts";

const requested = "turn_started model_request model_response";
const accepted = `${requested} action_planned action_validated`;
const observed = "action_executed observation_recorded turn_finished";

test("every kind of action emits its events in the promised order", async () => {
  const turns = [
    act.select("pdf", "notes"),
    act.load("pdf", "references/a.md"),
    act.script("pdf"),
    act.read("inputs/form.txt"),
    act.answer(),
  ];
  const { end, log } = await runSample(turns);

  expect(log.events.slice(0, 2).map(({ type, turn }) => [type, turn])).toEqual([
    ["run_started", 0],
    ["skills_indexed", 0],
  ]);
  expect(turnLines(log)).toEqual([
    `${accepted} skill_loaded skill_loaded ${observed}`,
    `${accepted} resource_loaded ${observed}`,
    `${accepted} ${observed}`,
    `${accepted} ${observed}`,
    `${accepted} action_executed turn_finished`,
  ]);
  expect(log.events.at(-1)).toMatchObject({ type: "run_finished", turn: 0 });
  expect(log.of("turn_finished").map(({ outcome }) => outcome)).toEqual([
    ...["observed", "observed", "observed", "observed", "answered"],
  ]);
  expect(end).toMatchObject({
    status: "completed",
    stop_reason: "final_answer",
    degraded: false,
    final: "done",
  });
  expect(log.final).toBe("done");
});

test("approvals come between the check and the effect", async () => {
  const params_sha256 = "sha256:p";
  const tools: ToolsRuntime = {
    allowedTools: () => ["run_script"],
    async call(call, on) {
      const request = {
        approval_id: "a2",
        call_id: call.callId,
        tool: call.tool,
        risk: "medium",
        reason: "",
      };
      on.required({ ...request, params: call.params, params_sha256, replay: "" });
      on.granted({ approval_id: "a2", call_id: call.callId, scope: "call", by: "scripted", params_sha256 });
      return done(call);
    },
  };
  const { log } = await runSample([act.select("pdf"), act.script("pdf"), act.answer()], { tools });

  expect(turnLines(log)[1]).toBe(`${accepted} approval_required approval_granted ${observed}`);
});

test("a refusal by a guard is observed and not executed", async () => {
  const { log } = await runSample([act.script("pdf"), act.answer()]);

  expect(turnLines(log)[0]).toBe(`${accepted} observation_recorded turn_finished`);
  expect(log.of("action_validated")[0]).toMatchObject({ ok: false, error: { code: "SkillNotSelected" } });
  expect(log.of("observation_recorded")[0]).toMatchObject({ call_id: "c1", success: false });
  expect(log.of("turn_finished")[0]).toEqual({ outcome: "refused" });
});

test("a plan is emitted before the action, a correction within the same turn", async () => {
  const plan = { goal: "g", steps: [{ id: "a", title: "A", status: "pending" }] };
  const turns = [
    { raw: "Sure!" },
    { ...act.read("x"), plan_update: { mode: "replace", plan } },
    act.answer(),
  ];
  const { log } = await runSample(turns);

  expect(turnLines(log)[0]).toBe(
    `${requested} model_request model_response plan_created action_planned action_validated ${observed}`,
  );
  const [first, second] = log.of("model_request");
  expect(second?.context_manifest?.map(({ kind }) => kind).slice(first?.context_manifest?.length)).toEqual([
    "notice",
    "notice",
  ]);
});

test("the early type and the answer are emitted as they come, and shown to the live listener", async () => {
  const seen: string[] = [];
  const { log } = await runSample([act.answer("hello there")], {
    chunkBytes: 7,
    onLive: { type: (type) => void seen.push(type), delta: (text) => void seen.push(text) },
  });

  const deltas = log.of("model_delta");
  const textAt = (path: string) =>
    deltas
      .filter((delta) => delta.path === path)
      .map(({ text }) => text)
      .join("");
  expect(textAt("$.action.type")).toBe("final_answer");
  expect(textAt("$.action.payload.content")).toBe("hello there");
  expect(seen.join("")).toBe("final_answerhello there");
});

test("what was tried is recorded with the skill, the way of the path and what became of it", async () => {
  const blocked = { code: "PathTraversalBlocked", message: "leads out" } as const;
  const missing = { code: "SectionNotFound", message: "no such section" } as const;
  const { log } = await runSample(
    [
      act.select("pdf"),
      act.load("pdf", "../x"),
      act.load("pdf", "b.md", "## No"),
      act.load("pdf", "c.md"),
      act.answer(),
    ],
    { loader: sampleLoader({ "../x": blocked, "b.md": missing }) },
  );

  const skill = { name: "pdf", source: "project" };
  expect(log.of("action_executed")).toMatchObject([
    { action: "select_skills", started: true, ok: true, result: { loaded: ["pdf"], already_loaded: [] } },
    { action: "load_resource", skill, started: false, ok: false, error: blocked },
    { action: "load_resource", skill, started: true, ok: false, error: missing },
    { action: "load_resource", skill, started: true, ok: true, audit: { path: { inside: true } } },
    { action: "final_answer", started: true, ok: true },
  ]);
  expect(log.of("run_finished")[0]?.usage).toMatchObject({ turns: 5, tool_calls: 0, resource_loads: 2 });
});

test("a selection goes as far as it can when one of two bodies cannot be read", async () => {
  const error = { code: "SkillBodyTooLarge", message: "move material to references/" } as const;
  const { log, prompts } = await runSample([act.select("pdf", "notes"), act.answer()], {
    loader: sampleLoader({ pdf: error }),
  });

  expect(log.of("action_executed")[0]).toMatchObject({
    started: true,
    ok: false,
    error: { code: error.code },
  });
  expect(log.of("skill_loaded").map(({ skill }) => skill.name)).toEqual(["notes"]);
  expect(prompts[1]).toContain("BODY-OF-notes");
});

test("a pinned source picks the skill that another hides, and later names mean the selected one", async () => {
  const hidden: AgentSkill = sampleSkill("pdf", { source: "user", digest: "sha256:of-the-user" });
  const select = {
    action: { type: "select_skills", payload: { skills: [{ name: "pdf", source: "user" }], reason: "r" } },
  };
  const { log, calls } = await runSample([select, act.script("pdf"), act.answer()], {
    skills: [sampleSkill("pdf"), hidden],
  });

  expect(log.of("skill_loaded")[0]?.skill).toEqual({
    name: "pdf",
    source: "user",
    digest: "sha256:of-the-user",
  });
  expect(calls[0]).toMatchObject({
    tool: "run_script",
    skill: hidden,
    params: { skill: { name: "pdf", source: "user" }, relative_path: "scripts/a.py", args: [] },
  });
});

test("a skill that is loaded is accepted again and not loaded again", async () => {
  const { log } = await runSample([act.select("pdf"), act.select("pdf"), act.answer()]);

  expect(log.of("skill_loaded")).toHaveLength(1);
  expect(log.of("action_executed")[1]).toMatchObject({
    ok: true,
    started: true,
    result: { already_loaded: ["pdf"] },
  });
});

test("the state is written after every turn, and the log is on the disk at the end", async () => {
  const log = memoryLog();
  await runSample([act.select("pdf"), act.answer()], { log });

  expect(log.states.map(({ status, turn, loaded_skills }) => [status, turn, loaded_skills])).toEqual([
    ["running", 1, ["pdf"]],
    ["completed", 2, ["pdf"]],
  ]);
  expect(log.syncs).toEqual([log.events.length]);
});

test("a model that is not a script is asked when the log is on the disk", async () => {
  const model = {
    id: "some/model",
    identity: null,
    call: async () => ({
      status: "answered" as const,
      text: JSON.stringify(act.answer()),
      usage: { input_tokens: 10, output_tokens: 4, cost_usd: 0.5 },
    }),
  };
  const log = memoryLog();
  await runSample([], { model, log });

  expect(log.events[(log.syncs[0] ?? 0) - 1]?.type).toBe("model_request");
  expect(log.of("run_finished")[0]?.usage).toMatchObject({
    input_tokens: 10,
    output_tokens: 4,
    cost_usd: 0.5,
  });
});

test("diagnostics are stored beside the action and not shown to anyone", async () => {
  const { log, prompts } = await runSample([
    { ...act.read("x"), diagnostics: { mood: "DIAGNOSTIC" } },
    act.answer(),
  ]);

  expect(log.of("action_planned")[0]).toMatchObject({ diagnostics: { mood: "DIAGNOSTIC" } });
  expect(prompts.join()).not.toContain("DIAGNOSTIC");
});

test("a failure of a tool is reported to the model with its code", async () => {
  const { prompts } = await runSample([act.read("x"), act.answer()], {
    tool: failing({ code: "ToolNotAllowed", message: "it is denied" }, false),
  });

  expect(prompts[1]).toContain("OBSERVATION c1 of read_file, failed:");
  expect(prompts[1]).toContain("ToolNotAllowed: it is denied");
});
