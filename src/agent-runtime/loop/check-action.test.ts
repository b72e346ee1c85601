import { expect, test } from "vitest";
import { act, codesIn, runSample, sampleSkill } from "../../../test/builders/sample-agent-run.ts";
import type { AgentSkill } from "../../contract/agent-parts.ts";

const tool = (name: string, parameters: AgentSkill["tools"][number]["parameters"] = null) => ({
  name,
  description: "",
  parameters,
  script: `scripts/${name}.py`,
});
const skills = [
  sampleSkill("pdf", {
    tools: [
      tool("shared"),
      tool("read_file"),
      tool("count", { type: "object", properties: { text: { type: "string" } }, required: ["text"] }),
    ],
  }),
  sampleSkill("notes", { tools: [tool("shared")] }),
  sampleSkill("third"),
  sampleSkill("hidden", { modelInvocable: false }),
];
const selectFrom = (name: string, source: string) => ({
  action: { type: "select_skills", payload: { skills: [{ name, source }] } },
});
const path = "inputs/a.txt";

test.each([
  ["an unknown skill", [act.select("pfd")], "SkillNotFound"],
  ["a source that has no such skill", [selectFrom("pdf", "user")], "SkillNotFound"],
  ["a known skill beside an unknown one", [act.select("pdf", "nope")], "SkillNotFound"],
  ["a skill that is only for users", [act.select("hidden")], "SkillNotInvocable"],
  ["three skills at once", [act.select("pdf", "notes", "third")], "TooManySkills"],
  ["a resource of an unselected skill", [act.load("pdf", "a.md")], "SkillNotSelected"],
  ["a resource of a skill nobody knows", [act.load("nope", "a.md")], "SkillNotSelected"],
  ["an escaping path of an unselected skill", [act.load("pdf", "../../x")], "SkillNotSelected"],
  [
    "a script of another skill than the selected",
    [act.select("notes"), act.script("pdf")],
    "SkillNotSelected",
  ],
  ["reading in an unselected skill", [act.read("skill:pdf/SKILL.md")], "SkillNotSelected"],
  ["listing an unselected skill", [act.call("list_dir", { path: "skill:pdf" })], "SkillNotSelected"],
  [
    "searching an unselected skill",
    [act.call("grep", { path: "skill:pdf/", pattern: "x", mode: "files" })],
    "SkillNotSelected",
  ],
  ["reading in a skill without a name", [act.read("skill:/SKILL.md")], "SkillNotSelected"],
  ["an unknown tool", [act.call("raed_file", { path })], "InvalidAction"],
  ["a tool named like a member of every object", [act.call("constructor", {})], "InvalidAction"],
  ["run_script as a tool", [act.call("run_script", {})], "InvalidAction"],
  ["a tool of an unselected skill", [act.call("count", { text: "" })], "InvalidAction"],
  ["a missing argument", [act.call("read_file", {})], "InvalidAction"],
  ["a misspelt argument", [act.call("read_file", { path, paht: "" })], "InvalidAction"],
  [
    "arguments against a skill's schema",
    [act.select("pdf"), act.call("count", { text: 1 })],
    "InvalidAction",
  ],
  ["a tool of two selected skills", [act.select("pdf", "notes"), act.call("shared", {})], "AmbiguousTool"],
  ["a tool of a skill and built in", [act.select("pdf"), act.read(path)], "AmbiguousTool"],
  ["65 arguments", [act.select("pdf"), act.script("pdf", Array(65).fill("x"))], "ArgsTooLong"],
  [
    "an argument of 4097 characters",
    [act.select("pdf"), act.script("pdf", ["x".repeat(4097)])],
    "ArgsTooLong",
  ],
])("%s is refused, and nothing is carried out", async (_, turns, code) => {
  const { log, calls, end } = await runSample([...turns, act.answer()], { skills });

  expect(codesIn(log)).toEqual([code]);
  expect(calls).toEqual([]);
  expect(log.of("action_executed").map(({ action }) => action)).toEqual([
    ...turns.slice(1).map(() => "select_skills"),
    "final_answer",
  ]);
  expect(log.of("observation_recorded").at(-1)).toMatchObject({
    success: false,
    summary: expect.stringContaining(`${code}: `),
  });
  expect(end.stop_reason).toBe("final_answer");
});

test.each([
  ["two skills at once", [act.select("pdf", "notes")]],
  ["64 arguments", [act.select("pdf"), act.script("pdf", Array(64).fill("x"))]],
  ["an argument of 4096 characters", [act.select("pdf"), act.script("pdf", ["x".repeat(4096)])]],
  ["a tool of a selected skill", [act.select("pdf"), act.call("count", { text: "a" })]],
  ["a tool of one of two selected skills", [act.select("notes"), act.call("shared", { any: 1 })]],
  ["reading in a selected skill", [act.select("notes"), act.read("skill:notes/a.md")]],
  ["an escaping path, which the tools runtime blocks", [act.read("../../etc/passwd")]],
  ["a low-risk tool without a selected skill", [act.call("list_dir", { path: "." })]],
])("%s is handed on", async (_, turns) => {
  const { log } = await runSample([...turns, act.answer()], { skills });

  expect(codesIn(log)).toEqual([]);
  expect(log.of("action_executed").map(({ ok }) => ok)).toEqual([...turns, "answer"].map(() => true));
});

test("what a model left out of the arguments of a tool is filled in before anyone is asked", async () => {
  const { calls } = await runSample([act.call("grep", { path: ".", pattern: "x" }), act.answer()]);

  expect(calls[0]?.params).toEqual({ path: ".", pattern: "x", mode: "content" });
});

test("a hidden skill that the user named can be selected; the index still leaves it out", async () => {
  const { log, prompts } = await runSample([act.select("hidden"), act.answer()], {
    skills,
    invoked: ["hidden"],
  });

  expect(log.of("skill_loaded")[0]?.skill.name).toBe("hidden");
  expect(log.of("run_started")[0]?.invoked).toEqual(["hidden"]);
  expect(prompts[0]).toContain('Skills the user asks you to select: "hidden"');
  expect(prompts[0]).not.toContain("about hidden");
});

test("a name that is nearly right is pointed out, a hidden one never", async () => {
  const { log } = await runSample([act.select("nots"), act.select("hiden"), act.answer()], { skills });

  const [near, none] = log.of("action_validated").map(({ error }) => error?.message);
  expect(near).toBe('there is no skill "nots"; did you mean "notes"?');
  expect(none).toBe('there is no skill "hiden"');
});

test("a selection without a reason is a warning", async () => {
  const { log } = await runSample([selectFrom("pdf", "project"), act.answer()]);

  expect(log.of("action_validated")[0]).toMatchObject({
    ok: true,
    warnings: ["select_skills has no reason"],
  });
});
