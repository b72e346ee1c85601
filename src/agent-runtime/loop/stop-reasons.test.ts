import { expect, test } from "vitest";
import {
  act,
  codesIn,
  failing,
  runSample,
  type SampleOptions,
  type SampleRun,
  sampleLoader,
} from "../../../test/builders/sample-agent-run.ts";
import { stopReasons } from "../../contract/agent-error.ts";

const missing = failing({ code: "IOError", message: "there is no such file", reason: "not_found" });
const plan = {
  mode: "replace",
  plan: {
    goal: "Fill in the form",
    steps: [
      { id: "read", title: "Read the form", status: "completed" },
      { id: "fill", title: "Fill `in` <b>", status: "pending" },
    ],
  },
};
const begun = [act.select("pdf"), { ...act.read("inputs/form.txt"), plan_update: plan }];

const cancelled = new AbortController();
cancelled.abort(new Error("enough"));

const endings: Record<
  string,
  { turns: object[]; options?: SampleOptions; status: string; codes?: string[] }
> = {
  budget_exhausted: {
    turns: [...begun, act.read("b")],
    options: { limits: { max_turns: 3 } },
    status: "stopped",
  },
  consecutive_failures: {
    turns: [act.read("a"), act.read("b"), act.read("c"), act.answer()],
    options: { tool: missing },
    status: "stopped",
    codes: ["IOError", "IOError", "IOError"],
  },
  no_progress: {
    turns: [...Array(6).fill(act.select("pdf")), act.answer()],
    status: "stopped",
  },
  invalid_model_output: {
    turns: [...begun, { raw: "no" }, { raw: "no" }],
    status: "stopped",
    codes: ["InvalidModelOutput"],
  },
  mock_exhausted: { turns: begun, status: "stopped", codes: ["MockExhausted"] },
  model_unavailable: {
    turns: [...begun, { error: { kind: "http", status: 401 } }],
    status: "failed",
    codes: ["ModelUnavailable"],
  },
  cancelled: { turns: begun, options: { signal: cancelled.signal }, status: "failed" },
  internal_error: {
    turns: begun,
    options: {
      tool: () => {
        throw new Error("ENOENT: no such file, open '/home/somebody/secret'");
      },
    },
    status: "failed",
    codes: ["InternalError"],
  },
};

test("every reason to stop is met here", () => {
  expect([...Object.keys(endings), "final_answer"].toSorted()).toEqual([...stopReasons].toSorted());
});

test.each(Object.entries(endings))("%s ends a run with a text made by code", async (reason, ending) => {
  const { turns, options, status, codes = [] } = ending;
  const { end, log } = await runSample(turns, options);

  expect(end).toMatchObject({ status, stop_reason: reason, degraded: true });
  expect(log.of("run_finished")[0]).toMatchObject({
    status,
    stop_reason: reason,
    degraded: true,
    final: { ref: "final.md", chars: end.final.length },
  });
  expect(log.events.at(-1)?.type).toBe("run_finished");
  expect(codesIn(log)).toEqual(codes);
  expect(log.of("turn_started")).toHaveLength(log.of("turn_finished").length);
  expect(end.final).toMatch(
    /^# Stopped without an answer\n\nWhy: .+\n\n## Done so far\n\n[\s\S]+\n\n## Next step\n\n- .+/,
  );
  expect(log.final).toBe(end.final);
});

test("the text says what is done, why it stopped and what is next, and nothing in it is active", async () => {
  const { end } = await runSample([...begun, act.read("b")], { limits: { max_turns: 3 } });

  expect(end.final).toBe(`# Stopped without an answer

Why: a limit of the run is used up: \`max_turns\` = 3.

## Done so far

- 3 turns, 2 tool calls
- Skills loaded: \`pdf\`
- Plan: \`Fill in the form\`
  - [x] \`Read the form\` (completed)
  - [ ] \`\` Fill \`in\` <b> \`\` (pending)
- Observations:
  - c1 \`select_skills\` ok: \`loaded the instructions of pdf\`
  - c2 \`read_file\` ok: \`did read_file as c2\`
  - c3 \`read_file\` ok: \`did read_file as c3\`

## Next step

- Go on with the plan: \`\` Fill \`in\` <b> \`\`
- Raise \`max_turns\`, or ask for less.
- Read \`events.jsonl\` in the run directory: it records every turn.
`);
});

test("a defect is reported without paths of the machine, and handed to the caller as it was", async () => {
  const { end, log } = await runSample(begun, endings.internal_error?.options);

  expect(log.of("error_occurred")[0]).toMatchObject({
    code: "InternalError",
    fatal: true,
    message: "Error: ENOENT: no such file, open '(path)'",
  });
  expect(end.defect).toMatchObject({ message: expect.stringContaining("/home/somebody") });
});

test("an index that could not be built ends the run before its first turn", async () => {
  const { end, log } = await runSample([act.answer()], { catalog: null, indexProblem: "two skills are one" });

  expect(log.events.map(({ type }) => type)).toEqual([
    ...["run_started", "skills_indexed", "error_occurred", "run_finished"],
  ]);
  expect(log.of("run_started")[0]?.index_hash).toBeNull();
  expect(log.of("skills_indexed")[0]?.index_hash).toBeNull();
  expect(end).toMatchObject({
    stop_reason: "internal_error",
    final: expect.stringContaining("two skills are one"),
  });
});

test.each([
  [
    "a skill that changed",
    { loader: sampleLoader({ pdf: { code: "SkillChanged", message: "it changed" } }) },
    "SkillChanged",
    [],
  ],
  [
    "a sandbox that fails to start",
    { tool: failing({ code: "SandboxUnavailable", message: "no bubblewrap" }, false) },
    "SandboxUnavailable",
    ["pdf"],
  ],
  [
    "a sandbox that hides what a script needs",
    { tool: failing({ code: "SandboxHid", message: "it hides /srv/x" }, true) },
    "SandboxHid",
    ["pdf"],
  ],
] as const)("%s ends the run without a verdict", async (_, options, code, loaded) => {
  const { end, log }: SampleRun = await runSample(
    [act.select("pdf"), act.script("pdf"), act.answer()],
    options,
  );

  expect(end).toMatchObject({ status: "failed", stop_reason: "internal_error" });
  expect(codesIn(log)).toEqual([code]);
  expect(end.final).toContain(code);
  expect(log.of("skill_loaded").map(({ skill }) => skill.name)).toEqual(loaded);
  expect(log.of("turn_finished").at(-1)).toEqual({ outcome: "stopped" });
});

test("a run that is called off in its middle ends there", async () => {
  const controller = new AbortController();
  const { end, log } = await runSample([act.read("a"), act.read("b"), act.answer()], {
    signal: controller.signal,
    tool: (call) => {
      controller.abort(new Error("enough"));
      return missing(call);
    },
  });

  expect(end.stop_reason).toBe("cancelled");
  expect(log.of("turn_started")).toHaveLength(1);
});

test.each([
  [
    "different tools",
    [act.read("a"), act.call("list_dir", { path: "b" }), act.read("c"), act.answer()],
    missing,
  ],
  [
    "a success between failures",
    [act.read("a"), act.read("b"), act.select("pdf"), act.read("c"), act.read("d"), act.answer()],
    missing,
  ],
] as const)("%s are not the same failing again", async (_, turns, tool) => {
  expect((await runSample(turns, { tool })).end.stop_reason).toBe("final_answer");
});

test("refusals are failures too", async () => {
  const { end } = await runSample([act.select("a"), act.select("b"), act.select("c"), act.answer()]);

  expect(end.stop_reason).toBe("consecutive_failures");
});

test("a new observation or a step that moves on is progress", async () => {
  const same = act.select("pdf");
  const step = (status: string) => ({
    ...same,
    plan_update: { mode: "patch", ops: [{ op: "set", path: "/steps/fill/status", value: status }] },
  });
  const { end, log } = await runSample(
    [
      same,
      { ...same, plan_update: plan },
      same,
      same,
      step("in_progress"),
      same,
      same,
      act.read("x"),
      same,
      same,
      same,
    ],
    {},
  );
  const idle = await runSample([same, same, same, same, same, same, same]);

  expect(end.stop_reason).toBe("mock_exhausted");
  expect(log.of("turn_started")).toHaveLength(12);
  expect(idle.end.stop_reason).toBe("no_progress");
  expect(idle.log.of("turn_started")).toHaveLength(6);
});
