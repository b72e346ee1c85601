import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { agentProject, answer, call, scripted } from "../../../test/agent-project.ts";
import { openDatabase } from "../../shared/files/sqlite-driver.ts";

const evalJson = (...flags: string[]) => ["agent", "eval", "evals", "--json", ...flags];

test("200 runs, 16 at a time, share neither name nor workspace", async () => {
  const writes = scripted(
    "writes",
    {
      repeat: 200,
      enable_tools: ["write_file"],
      approvals: [{ tool: "write_file", decision: "grant" }],
      expect: { files: [{ path: "note.md" }] },
    },
    [call("write_file", { path: "note.md", content: "mine", mode: "create" }), answer()],
  );
  await using project = await agentProject({ "evals/suite.yaml": { cases: [writes] } });

  const { document, cells, exitCode } = await project.run(
    evalJson("--concurrency", "16", "--format", "json"),
  );

  expect(exitCode).toBe(0);
  expect(document).toMatchObject({ passed: 200, total: 200 });
  const ids = cells.map(({ details }) => details.runId);
  expect(new Set(ids).size).toBe(200);
  expect([...ids].sort()).toEqual(project.runs());
});

const suite = {
  suite: "desk",
  cases: [
    scripted("one", { expect: { skills_all_of: ["fines"] } }),
    { id: "pure", kind: "json_extract", input: { text: "{}" }, expect: { value: {} } },
  ],
};

test("a run is taken up only as it was planned: with its cases, skills and limits", async () => {
  await using project = await agentProject({ "evals/suite.yaml": suite });
  const { document } = await project.run(evalJson("--min-pass-rate", "0.9"));
  const { id } = document.run;
  const resume = async (...flags: string[]) =>
    (await project.run(["agent", "eval", "--json", "--resume", id, ...flags])).document;
  const refusal = (what: RegExp) => ({
    exitCode: 2,
    error: { code: "usage", message: expect.stringMatching(what) },
  });

  expect(await resume("--runs", "2")).toMatchObject(refusal(/--runs/));
  const others = ["agent", "eval", "evals/suite.yaml", "--json", "--resume", id];
  expect((await project.run(others)).document).toMatchObject(refusal(/<suites/));
  expect((await project.run(["eval", "--json", "--resume", id])).document).toMatchObject(
    refusal(/is a run of agent eval/),
  );
  const rules = project.read(".agent/skills/fines/references/rules.md");
  project.write(".agent/skills/fines/references/rules.md", `${rules}more\n`);
  expect(await resume()).toMatchObject(
    refusal(/the skills of desk\/one has changed since it started|have changed/),
  );
  project.write(".agent/skills/fines/references/rules.md", rules);
  project.write("evals/suite.yaml", { ...suite, cases: [scripted("one"), suite.cases[1]] });
  expect(await resume()).toMatchObject(refusal(/case desk\/one/));
  project.write("evals/suite.yaml", { ...suite, defaults: { constraints: { max_turns: 3 } } });
  expect(await resume()).toMatchObject(refusal(/the limits of desk\/one/));
  project.write("evals/suite.yaml", suite);
  project.write("eval-skills.config.yaml", { agent: { max_turns: 3 } });
  const again = await resume();
  expect(again).toMatchObject({
    run: { id },
    gates: [
      { metric: "passRate", threshold: 0.9, passed: true },
      { metric: "failedCases", passed: true },
    ],
    exitCode: 0,
  });
  expect(again.cells).toEqual(document.cells);
  expect(project.runs()).toHaveLength(1);
});

test("what an older grader said is judged again from what the runs left, and nothing is run", async () => {
  await using project = await agentProject({ "evals/suite.yaml": suite });
  const { document } = await project.run(evalJson());
  const database = await openDatabase(project.at("eval-skills.db"));
  for (const { cell_key, data } of database.prepare("SELECT cell_key, data FROM results").all()) {
    const stored = JSON.parse(String(data));
    const details = { ...stored.details, grader: "0" };
    database
      .prepare("UPDATE results SET status = 'fail', score = 0, data = ? WHERE cell_key = ?")
      .run(JSON.stringify({ ...stored, status: "fail", score: 0, details }), String(cell_key));
  }
  database.close();

  const again = await project.run(["agent", "eval", "--json", "--resume", document.run.id]);

  expect(again.exitCode).toBe(0);
  expect(again.document.cells).toEqual(document.cells);
  expect(again.document.subjects).toEqual(document.subjects);
  expect(readdirSync(project.at(".agent/runs"))).toHaveLength(1);
  const { document: history } = await project.run(["history", "--json"]);
  const rates = history.rows.map(({ rate }: { rate: number }) => rate);
  expect(rates).toEqual([1, 1]);
});
