import { expect, test } from "vitest";
import { eachYields, findChecks, grade } from "../../../../test/forged-logs.ts";
import { beginRun, cleanRun } from "../../../../test/forged-run.ts";

const wants = (expectation: object) => ({ expect: expectation });
const pdf = "pdf-form-filler";

eachYields("trigger", "TriggerMissingAll TriggerMissingAny TriggerForbidden", [
  {
    code: "TriggerMissingAll",
    what: "one of two is missing",
    case: wants({ skills_all_of: [pdf, "excel"] }),
  },
  {
    code: "TriggerMissingAny",
    what: "another was selected",
    case: wants({ skills_any_of: ["excel", "word"] }),
  },
  { code: "TriggerForbidden", what: "it is named", case: wants({ skills_none_of: [pdf] }) },
  { code: "TriggerForbidden", what: "nothing may be selected", case: wants({ skills_none_of: ["*"] }) },
  {
    code: "TriggerMissingAll",
    what: "its selection was refused",
    run: () => beginRun().select().answer().refuse(0, "TooManySkills", "guard"),
    case: wants({ skills_all_of: [pdf], errors: [{ code: "TooManySkills" }] }),
  },
  {
    code: "TriggerMissingAny",
    what: "its body could not be loaded",
    run: () => {
      const error = { code: "SkillBodyTooLarge", message: "too large" };
      return beginRun()
        .select()
        .answer()
        .drop("skill_loaded")
        .change("action_executed", { ok: false, error });
    },
    case: wants({ skills_any_of: [pdf] }),
  },
]);

test.each([
  ["all there", { skills_all_of: [pdf] }, 1, 1, [1, 1, 1, 1]],
  ["one of two", { skills_all_of: [pdf, "excel"] }, 1, 0.5, [1, 1, 1, 2]],
  [
    "all, and any of others",
    { skills_all_of: [pdf], skills_any_of: ["excel", "word"] },
    1,
    0.5,
    [1, 1, 1, 2],
  ],
  ["none of them", { skills_any_of: ["excel"] }, 0, 0, [0, 1, 0, 1]],
  ["only forbidding, another one", { skills_none_of: ["excel"] }, null, null, [0, 0, 0, 0]],
  ["only forbidding, this one", { skills_none_of: [pdf] }, null, null, [0, 1, 0, 0]],
  ["an empty list", { skills_all_of: [] }, 0, 1, [0, 1, 0, 0]],
] as const)("precision and recall: %s", async (_, expected, precision, recall, tally) => {
  const { scores, tallies } = await grade(cleanRun(), wants(expected));
  expect(scores.trigger).toMatchObject({ precision, recall, selected: [pdf], rejected: [] });
  const [selected_expected, selected, hits, required] = tally;
  expect(tallies.trigger).toEqual({ selected_expected, selected, hits, required });
});

test("nothing selected where nothing is expected is a precision of 1, and 0 where something is", async () => {
  const run = () => beginRun().answer();
  expect((await grade(run(), wants({ skills_all_of: [] }))).scores.trigger).toMatchObject({
    precision: 1,
    recall: 1,
  });
  expect((await grade(run(), wants({ skills_all_of: [pdf] }))).scores.trigger).toMatchObject({
    precision: 0,
    recall: 0,
  });
});

test("without any of the lists it is not applicable", async () => {
  const { scores, tallies, status } = await grade(cleanRun(), wants({}));
  expect(scores.trigger).toMatchObject({
    status: "not_applicable",
    pass: null,
    precision: null,
    recall: null,
  });
  expect(tallies.trigger).toBeNull();
  expect(status).toBe("pass");
});

test("a skill that is already loaded counts once, and one that was refused is listed", async () => {
  const again = beginRun().select().select().select("nobody").answer().refuse(2, "SkillNotFound", "guard");
  again.drop("skill_loaded", 1);
  const { scores } = await grade(again, wants({ skills_all_of: [pdf], errors: [{ code: "SkillNotFound" }] }));
  expect(scores.trigger).toMatchObject({
    status: "pass",
    selected: [pdf],
    rejected: ["nobody"],
    precision: 1,
  });
});

test("an alias stands for the name in the index", async () => {
  const run = beginRun().select("forms").answer();
  run.change("skills_indexed", ({ skills }) => void Object.assign(skills[0] ?? {}, { aliases: ["forms"] }));
  const report = await grade(run, wants({ skills_all_of: [pdf] }));
  expect(report).toMatchObject({ status: "pass", scores: { trigger: { selected: [pdf] } } });
});

test("a forbidden skill that is not there could not be selected", async () => {
  const expected = wants({ skills_none_of: ["excel"] });
  expect(findChecks(await grade(cleanRun(), expected), "trigger")["none of excel"]).toMatchObject({
    exercised: false,
  });
  const refused = beginRun().select("excel").answer().refuse(0, "SkillNotFound", "guard");
  const report = await grade(
    refused,
    wants({ skills_none_of: ["excel"], errors: [{ code: "SkillNotFound" }] }),
  );
  const tried = { status: "pass", exercised: true, attempted: true };
  expect(findChecks(report, "trigger")["none of excel"]).toEqual(tried);
});

test("whoever misses a skill learns that its folder was left out of the index, and why", async () => {
  const run = beginRun().select("excel").answer().refuse(0, "SkillNotFound", "guard");
  run.change("skills_indexed", { ignored: [{ path: ".agent/skills/excel", reason: "SKD06" }] });
  const { failures } = await grade(run, wants({ skills_all_of: ["excel"] }));
  const why = "; .agent/skills/excel was left out of the index: SKD06";
  expect(failures.map(({ code, message }) => [code, message.includes(why)])).toEqual([
    ["TriggerMissingAll", true],
    ["UnexpectedRefusal", true],
  ]);
});
