import { expect, test } from "vitest";
import type { ReportFile } from "../../src/contract/document.ts";
import { oneInTwenty, skillName, writeSkillProject } from "../builders/sample-skill-project.ts";
import { emptyProject } from "../built-cli.ts";

test("200 skills with tests at four levels, one in twenty broken: one command, one report, the exact failures, exit 1", {
  timeout: 600_000,
}, async () => {
  await using project = await emptyProject();
  const broken = oneInTwenty(200);
  writeSkillProject(project.path, { skills: 200, broken });

  const { code, document, stderr } = await project.run(["test", "--json"]);

  expect(code, stderr).toBe(1);
  const failed = (document as ReportFile).cells
    .filter(({ status }) => status !== "pass")
    .map(({ level, skillId, suite }) => `${level} ${skillId ?? suite}`);
  const expected = Object.entries(broken).map(([n, level]) => `${level} ${skillName(Number(n))}`);
  expect(failed.sort()).toEqual(expected.sort());
});
