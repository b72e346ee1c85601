import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentProject, scripted } from "../../../test/agent-project.ts";
import { capturedCli } from "../../../test/captured-world.ts";
import { skillManifest } from "../../../test/eval-project.ts";

const program = `
let text = "";
for await (const chunk of process.stdin) text += chunk;
console.log(JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(text).id, result: "wrong" }));
`;

const vacuous = { id: "anything", inputData: {}, expectedOutput: { type: "regex", patterns: [".*"] } };

/** A skill that always answers "wrong", and tasks for it. */
async function wrongProject(tasks: object[]) {
  const cli = await capturedCli();
  mkdirSync(join(cli.cwd, "skill"));
  writeFileSync(join(cli.cwd, "skill/skill.json"), JSON.stringify(skillManifest));
  writeFileSync(join(cli.cwd, "skill/skill.mjs"), program);
  writeFileSync(join(cli.cwd, "tasks.json"), JSON.stringify(tasks));
  const options = { env: { PATH: process.env.PATH ?? "" } };
  const skill = ["--skill", "skill", "--input", "{}", "--sandbox", "process"];
  return {
    ...cli,
    evaluate: (...argv: string[]) =>
      cli.run(
        [
          ...["eval", "--skills", "skill", "--tasks", "tasks.json", "--sandbox", "process"],
          ...["--exit-on-fail", "--min-completion", "1", ...argv],
        ],
        options,
      ),
    check: (...argv: string[]) => cli.run(["task", ...skill, ...argv, "--json"], options),
    read: (path: string) => readFileSync(join(cli.cwd, path), "utf8"),
  };
}

describe("an expectation that any answer meets", () => {
  test("is exit 2 before anything runs, with file and place, in a dry run too", async () => {
    await using project = await wrongProject([vacuous]);
    for (const more of [[], ["--dry-run"]]) {
      const { exitCode, document } = await project.evaluate("--json", ...more);
      expect(exitCode).toBe(2);
      expect(document.error).toMatchObject({
        code: "expectation-vacuous",
        jsonPath: "$[0].expectedOutput.patterns",
        path: expect.stringContaining("tasks.json"),
        message: expect.stringContaining('wrong answers of several kinds pass: null, "", 0, {}, []'),
        hint: expect.stringContaining("--allow-vacuous"),
      });
    }
    expect(existsSync(join(project.cwd, "reports"))).toBe(false);
  });

  test("runs where it is allowed, and every report says so first", async () => {
    await using project = await wrongProject([vacuous]);
    const formats = ["markdown", "html", "github", "sarif", "junit", "terminal"];

    const { exitCode, document } = await project.evaluate(
      "--allow-vacuous",
      "--json",
      "--format",
      "json",
      ...formats,
    );

    expect(exitCode).toBe(0);
    expect(document.run.vacuousExpectations).toMatchObject([
      { suite: "tasks.json", caseId: "anything", jsonPath: "$[0].expectedOutput.patterns", why: null },
    ]);
    const stamp = /1 vacuous expectation, met by wrong answers: anything/;
    const [head, , first] = project.read("reports/eval-result.md").split("\n");
    expect(head).toBe("# 1 passed");
    expect(first).toMatch(stamp);
    for (const file of document.files as string[])
      if (!file.endsWith(".json")) expect(project.read(file), file).toMatch(/acuous ?expectation/i);
  });

  test("runs where its author gives a reason, which the report repeats, and a resumed run allows it again", async () => {
    await using project = await wrongProject([{ ...vacuous, allowVacuous: "only that it starts" }]);
    const { exitCode, document } = await project.evaluate("--json");
    expect([exitCode, document.run.vacuousExpectations[0].why]).toEqual([0, "only that it starts"]);
    expect(project.read("reports/eval-result.md")).toContain("(only that it starts)");
  });

  test("stays allowed when the run is continued", async () => {
    await using project = await wrongProject([vacuous]);
    const { document } = await project.evaluate("--allow-vacuous", "--json");
    const again = await project.run(["eval", "--resume", document.run.id, "--sandbox", "process", "--json"], {
      env: { PATH: process.env.PATH ?? "" },
    });
    expect([again.exitCode, again.document.run.vacuousExpectations.length]).toEqual([0, 1]);
  });

  test("is refused by `task` too, by the name of its flag", async () => {
    await using project = await wrongProject([]);
    const { exitCode, document } = await project.check("--regex", ".*");
    expect([exitCode, document.error.code]).toEqual([2, "expectation-vacuous"]);
    expect(document.error.message).toMatch(/^--regex: wrong answers of several kinds pass/);
    expect((await project.check("--regex", ".*", "--allow-vacuous")).exitCode).toBe(0);
  });

  test("a pass threshold of 0 is exit 2", async () => {
    const judged = {
      expectedOutput: { type: "llm_judge", judgePrompt: "Is it good?" },
      evaluator: { passThreshold: 0 },
    };
    await using project = await wrongProject([{ ...vacuous, ...judged }]);
    const { exitCode, document } = await project.evaluate("--json");
    expect([exitCode, document.error.jsonPath]).toEqual([2, "$[0].evaluator.passThreshold"]);
  });

  test("a weak one is a warning that says what to add", async () => {
    const expectedOutput = { type: "json_schema", schema: { type: "array" } };
    await using project = await wrongProject([{ ...vacuous, expectedOutput }]);
    const { document } = await project.evaluate("--dry-run", "--json");
    expect(document.warnings).toEqual([
      expect.stringMatching(/^task anything accepts \[\]: add .*minItems$/),
    ]);
  });
});

describe("what a case asks of the text of an agent", () => {
  test.each([
    ["a pattern", { regex_match: "^[\\s\\S]*$" }, "regex_match"],
    ["patterns", { regex_match: [{ pattern: ".", flags: "" }, "^"] }, "regex_match"],
    ["a schema", { json_schema: { properties: {} } }, "json_schema"],
  ])("is refused where any text has it: %s", async (_, output, member) => {
    await using project = await agentProject();
    project.write("suite.yaml", {
      suite: "library",
      cases: [scripted("fine", { expect: { skills_all_of: ["fines"], output } })],
    });
    const { exitCode, document } = await project.run(["agent", "eval", "suite.yaml", "--json"]);
    expect(exitCode).toBe(2);
    expect(document.error).toMatchObject({
      code: "expectation-vacuous",
      jsonPath: `$.cases[0].expect.output.${member}`,
    });

    const allowed = await project.run(["agent", "eval", "suite.yaml", "--allow-vacuous", "--json"]);
    expect(allowed.document.run.vacuousExpectations).toMatchObject([{ suite: "library", caseId: "fine" }]);
  });

  test("may be so where the case gives a reason", async () => {
    await using project = await agentProject();
    project.write("suite.yaml", {
      suite: "library",
      cases: [
        scripted("fine", { expect: { output: { regex_match: "." } }, allow_vacuous: "any answer will do" }),
      ],
    });
    const { exitCode, document } = await project.run(["agent", "eval", "suite.yaml", "--json"]);
    expect([exitCode, document.run.vacuousExpectations[0].why]).toEqual([0, "any answer will do"]);
  });
});
