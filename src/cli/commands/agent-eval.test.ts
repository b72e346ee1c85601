import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  agentProject,
  answer,
  call,
  eventsIn,
  load,
  script,
  scripted,
  select,
} from "../../../test/agent-project.ts";
import { AgentDetails } from "../../contract/agent-details.ts";
import { ReportFile, type SubjectReport } from "../../contract/document.ts";

const passes = scripted("passes", { tags: ["quick"], expect: { skills_all_of: ["fines"] } });
const fails = scripted("fails", { expect: { skills_all_of: ["hours"] } });
const unknown = scripted("unknown", {}, [{ error: { kind: "http", status: 401 } }]);
const real = { id: "real", input: "When do you close?", expect: { skills_all_of: ["hours"] } };
const pure = {
  id: "pure",
  kind: "json_extract",
  input: { text: 'Sure: {"a":1}' },
  expect: { value: { a: 1 } },
};
const all = { suite: "desk", cases: [passes, fails, unknown, real, pure] };

const evalJson = (...flags: string[]) => ["agent", "eval", "evals", "--json", ...flags];

describe("agent eval", () => {
  test.each<[string, string[], number]>([
    ["every run passes", ["--case", "passes"], 0],
    ["a run fails", ["--case", "passes", "fails"], 1],
    ["a run has no verdict, and another one failed", ["--case", "passes", "fails", "unknown"], 3],
    ["a run has no verdict, and that is allowed", ["--case", "passes", "unknown", "--max-invalid", "1"], 0],
    [
      "a run has no verdict, that is allowed, and another one failed",
      ["--case", "fails", "unknown", "--max-invalid", "1"],
      1,
    ],
    ["a gate holds", ["--case", "passes", "--min-pass-rate", "1"], 0],
    [
      "a gate on the lower bound does not",
      ["--case", "passes", "--min-pass-rate", "1", "--gate-on", "lower"],
      1,
    ],
    ["a gate is about what does not exist", ["--case", "passes", "--min-trigger-recall", "0.5"], 3],
  ])("when %s", async (_, flags, exitCode) => {
    await using project = await agentProject({ "evals/suite.yaml": all });
    const ended = await project.run(evalJson(...flags));
    expect({ exitCode: ended.exitCode, reported: ended.document.exitCode }).toEqual({
      exitCode,
      reported: exitCode,
    });
    expect(project.exists("reports/agent-result.json")).toBe(true);
  });

  test("what a script passes over is reported: a program that fails, a skill that is nowhere", async () => {
    const suite = {
      suite: "evals",
      cases: [
        scripted(
          "crashes",
          {
            enable_tools: ["run_script"],
            approvals: [{ tool: "run_script", decision: "grant" }],
            expect: { skills_all_of: ["fines"] },
          },
          [select("fines"), script(), answer("done")],
        ),
        scripted("misnamed", { expect: { skills_all_of: ["fine"] } }, [answer("done")]),
      ],
    };
    await using project = await agentProject({
      "evals/suite.yaml": suite,
      ".agent/skills/fines/scripts/sum.sh": "exit 3\n",
    });
    const { document } = await project.run(evalJson("--sandbox", "process"));
    expect(document.warnings).toEqual([
      expect.stringMatching(/case misnamed requires the skill fine, .*did you mean fines\?/),
      expect.stringMatching(
        /^evals: turn 2: run_script failed with ExitNonZero .*"expect": .* \(1 result: crashes\)$/,
      ),
    ]);
  });

  test.each<[string, string[], string, RegExp]>([
    ["no suite in the usual place", ["agent", "eval"], "suite-invalid", /\.agent\/evals/],
    ["a folder that is not there", ["agent", "eval", "nowhere"], "suite-invalid", /nowhere/],
    ["a broken case", ["agent", "eval", "broken"], "case-invalid", /broken\/case\.json.*max_turn/s],
    [
      "an id that no case has",
      ["agent", "eval", "evals", "--case", "passed"],
      "usage",
      /did you mean passes/,
    ],
    [
      "a tag that no case has",
      ["agent", "eval", "evals", "--tag", "slow"],
      "nothing-to-do",
      /tag slow[\s\S]*quick/,
    ],
    [
      "cases for real models alone",
      ["agent", "eval", "evals", "--case", "real"],
      "nothing-to-do",
      /add `mock` to the case, or .* --model/,
    ],
    ["a model nobody knows", ["agent", "eval", "evals", "--model", "nobody/x"], "model-invalid", /nobody/],
    ["a class there is not", ["agent", "eval", "evals", "--class", "L3"], "usage", /L3/],
    [
      "a name that nothing can bear",
      ["agent", "eval", "misnamed"],
      "case-invalid",
      /misnamed\/case\.yml.*write_fil/s,
    ],
    [
      "an archive that points outside its folder",
      ["agent", "eval", "zipped"],
      "case-invalid",
      /escaped\.txt/,
    ],
  ])("%s is exit 2 before the first cell, and nothing is left behind", async (_, argv, code, words) => {
    await using project = await agentProject({
      "evals/suite.yaml": all,
      "broken/case.json": { ...passes, id: "broken", constraints: { max_turn: 3 } },
      "misnamed/case.yml": scripted("misnamed", {
        expect: { action_sequence_constraints: [{ forbid: "write_fil" }] },
      }),
      "zipped/case.yaml": scripted("zipped", { setup: { preinstall_skills: ["evil.zip"] } }),
      "evil.zip": await zipFiles({ "SKILL.md": skillText("evil"), "../../escaped.txt": "x" }),
    });
    const { exitCode, document } = await project.run([...argv, "--json"]);
    expect(exitCode).toBe(2);
    expect(document).toMatchObject({ command: "agent eval", error: { code }, exitCode: 2 });
    const { message, hint, path, jsonPath } = document.error;
    expect([message, hint, path, jsonPath].join("\n")).toMatch(words);
    expect(readdirSync(project.cwd).filter((name) => /reports|\.db|escaped/.test(name))).toEqual([]);
    expect(project.runs()).toEqual([]);
  });

  test("prints one document, the same as in the report files, and reports what was left out", async () => {
    await using project = await agentProject({ "evals/suite.yaml": all });

    const { document, cells, stderr } = await project.run(
      evalJson("--format", "json", "markdown", "csv", "junit"),
    );

    expect(ReportFile.parse(document)).toEqual(document);
    expect(JSON.parse(project.read("reports/agent-result.json"))).toEqual(document);
    expect(document).toMatchObject({
      schemaVersion: 2,
      run: { command: "agent eval", conditions: { models: null, grader: "2" } },
      suites: [{ id: "desk", level: "agent", cases: 4 }],
      skipped: [{ level: "agent", suite: "desk", skillId: null, caseId: "real", reason: "no-model" }],
      gates: [{ subject: null, level: "agent", metric: "failedCases", value: 1, passed: false }],
      passed: 2,
      total: 3,
      exitCode: 3,
    });
    expect(document.subjects).toHaveLength(2);
    expect(document.subjects).toContainEqual(
      expect.objectContaining({
        skillId: null,
        model: "mock",
        arm: "installed",
        counts: { total: 2, pass: 1, fail: 1, error: 0, timeout: 0, invalid: 1 },
        metrics: expect.objectContaining({
          passRate: expect.objectContaining({ value: 0.5, n: 2 }),
          recall: expect.objectContaining({ value: 0.5 }),
          latencyP95Ms: expect.objectContaining({ value: expect.any(Number) }),
        }),
        details: expect.objectContaining({ isScripted: true }),
      }),
    );
    for (const { details } of document.cells) expect(AgentDetails.parse(details)).toEqual(details);
    expect(cells.map(({ caseId, status, details }) => [caseId, details.caseClass, status])).toEqual([
      ["passes", "L1", "pass"],
      ["fails", "L1", "fail"],
      ["unknown", "L1", "invalid"],
      ["pure", "L0", "pass"],
    ]);
    expect(cells[2]?.details.noVerdict).toMatchObject({ code: "model_unavailable" });
    expect(readdirSync(project.at("reports")).sort()).toEqual([
      ".eval.jsonl",
      ...["csv", "json", "md", "xml"].map((end) =>
        expect.stringMatching(
          new RegExp(`^agent-result-\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\d-\\d{3}Z\\.${end}$`),
        ),
      ),
      "agent-result.csv",
      "agent-result.json",
      "agent-result.md",
      "agent-result.xml",
    ]);
    expect(document.files).toHaveLength(8);
    expect(stderr).toContain("4 cells");
    const { stdout } = await project.run(["history"]);
    expect(stdout).toMatch(/mock .*desk/);
    const lines = project.read("reports/.eval.jsonl").trim().split("\n");
    const byCase = new Map(lines.map((line) => JSON.parse(line)).map((line) => [line.caseId, line]));
    expect(byCase.get("passes")).toMatchObject({
      kind: "agent",
      suite: "desk",
      verdict: "pass",
      failures: [],
    });
    expect(byCase.get("fails")).toMatchObject({ verdict: "fail", failures: [{ code: "TriggerMissingAll" }] });
    expect(byCase.get("unknown")).toMatchObject({ kind: "agent", status: "invalid", verdict: "invalid" });
    expect(byCase.get("pure")).toMatchObject({ kind: "agent", skillId: "none", agentRunId: null });
    expect(lines).toHaveLength(4);
  });

  test.each<[string[], string[]]>([
    [
      ["--case", "fails", "pure"],
      ["fails", "pure"],
    ],
    [["--tag", "quick", "slow"], ["passes"]],
    [["--class", "L0"], ["pure"]],
    [["--class", "L1", "--tag", "quick"], ["passes"]],
  ])("%j runs %j", async (flags, ids) => {
    await using project = await agentProject({ "evals/suite.yaml": all });
    const { cells } = await project.run(evalJson(...flags));
    expect(cells.map(({ caseId }) => caseId)).toEqual(ids);
  });

  test("--dry-run counts the cells of each suite and writes nothing", async () => {
    await using project = await agentProject({
      "evals/desk/suite.yaml": all,
      "evals/more/again.json": scripted("again", { repeat: 3 }),
    });
    const before = readdirSync(project.cwd);
    const { exitCode, document } = await project.run(evalJson("--dry-run"));
    expect(exitCode).toBe(0);
    expect(document).toMatchObject({
      dryRun: true,
      cells: 7,
      suites: [
        { suite: "desk", cases: 4, cells: 4, models: ["mock"] },
        { suite: "more", cases: 1, cells: 3, models: ["mock"] },
      ],
      skipped: [{ caseId: "real" }],
    });
    expect(readdirSync(project.cwd)).toEqual(before);
    expect(project.runs()).toEqual([]);
  });

  test("trials: a case says how many it takes and how many must pass; --runs beats it", async () => {
    await using project = await agentProject({
      "evals/often/case.yml": scripted("often", { repeat: 4, min_pass_rate: 0.5 }),
      "evals/never/case.yml": scripted("never", {
        repeat: 2,
        min_pass_rate: 0.5,
        expect: { output: { contains_all: ["a hundred"] } },
      }),
    });
    const { exitCode, document, cells } = await project.run(evalJson());
    expect(exitCode).toBe(1);
    expect(document.subjects.flatMap(({ details }: SubjectReport) => details.cases)).toMatchObject([
      { caseId: "never", pass: false, trials: 2, verdicts: 2, passed: 0 },
      { caseId: "often", pass: true, trials: 4, passed: 4 },
    ]);
    expect(new Set(cells.map(({ details }) => details.runId)).size).toBe(6);
    const once = await project.run(evalJson("--runs", "1"));
    expect(once.cells).toHaveLength(2);
    const thrice = await project.run(evalJson("--repeat", "3"));
    expect(thrice.cells).toHaveLength(6);
  });
});

/** What came of each case of one suite, in the words of its report. */
async function verdictsOn(cases: object[], files: Record<string, unknown> = {}, ...flags: string[]) {
  const project = await agentProject({ "evals/suite.yaml": { suite: "desk", cases }, ...files });
  const { cells, exitCode, stderr } = await project.run(evalJson("--sandbox", "process", ...flags));
  const verdicts = cells.map(({ caseId, status, details }) =>
    [caseId, status, ...details.failures.map(({ code }) => code), details.noVerdict?.code]
      .filter(Boolean)
      .join(" "),
  );
  const caseDetails = (id: string) => cells.find(({ caseId }) => caseId === id)?.details;
  const runDir = (id: string) => caseDetails(id)?.runDir ?? "";
  return { ...project, exitCode, stderr, verdicts, caseDetails, runDir };
}

describe("the run of a case", () => {
  test("runs approved scripts, in the order the case requires", async () => {
    const enabled = { enable_tools: ["run_script"] };
    const grant = (scope: string, match?: object) => ({
      ...enabled,
      approvals: [{ tool: "run_script", decision: "grant", scope, match }],
    });
    const ordered = {
      expect: {
        action_sequence_constraints: [
          { must_occur: "load_skill_body", before: "run_script" },
          { must_occur: "run_script" },
        ],
        output: { contains_all: ["due"] },
      },
    };
    const twice = [select("fines"), script("3"), script("4"), answer("due")];
    const denied = (code: string) => ({ expect: { errors: [{ code, tool: "run_script" }] } });
    await using suite = await verdictsOn([
      scripted("clean", { ...grant("call"), ...ordered }, twice),
      scripted("for_the_run", { ...grant("run"), ...ordered }, twice),
      scripted("one_of_two", { ...grant("call", { args: ["3"] }), ...ordered }, twice),
      scripted("switched_off", {}, twice),
      scripted("nobody_grants", enabled, twice),
      scripted("denial_expected", { ...enabled, ...denied("ApprovalDenied") }, twice),
      scripted(
        "none_allowed",
        { ...grant("run"), constraints: { max_script_runs: 0 }, ...denied("BudgetExceeded") },
        [select("fines"), script("3"), answer("due")],
      ),
      scripted("after_the_end", { ...grant("call"), ...ordered }, [
        script("3"),
        select("fines"),
        answer("due"),
      ]),
    ]);

    expect(suite.verdicts).toEqual([
      "clean pass",
      "for_the_run pass",
      "one_of_two fail UnexpectedRefusal",
      "switched_off fail UnexpectedRefusal UnexpectedRefusal",
      "nobody_grants fail UnexpectedRefusal UnexpectedRefusal",
      "denial_expected pass",
      "none_allowed pass",
      "after_the_end fail MustOccurMissing UnexpectedRefusal",
    ]);
    const [refusal] = suite.caseDetails("switched_off")?.failures ?? [];
    expect(refusal?.message).toContain('"enable_tools": ["run_script"]');
    expect(suite.stderr).toContain("it will fail sequence (UnexpectedRefusal)");
    expect(suite.events(suite.runDir("clean"), "approval_required")).toHaveLength(2);
    expect(suite.events(suite.runDir("for_the_run"), "approval_required")).toHaveLength(1);
    expect(suite.events(suite.runDir("clean"), "observation_recorded")[1].summary).toContain("due: 3");
  });

  test("finds its inputs and what it writes in a workspace of its own, and never what is expected", async () => {
    const files = {
      "evals/files/case.yaml": {
        ...scripted("files", {}, [
          call("read_file", { path: "inputs/book.txt" }),
          call("list_dir", { path: "." }),
          call("write_file", { path: "note.md", content: "a note\n", mode: "create" }),
          answer(),
        ]),
        input: { file: "inputs/request.txt" },
        enable_tools: ["write_file"],
        approvals: [{ tool: "write_file", decision: "grant" }],
        expect: {
          files: [
            { path: "note.md", equals: "expected/note.md" },
            { path: "other.md", exists: false },
          ],
          output: { equals_file: "expected/answer.md" },
        },
      },
      "evals/files/inputs/request.txt": "Read the book.",
      "evals/files/inputs/book.txt": "WORDS-OF-THE-BOOK",
      "evals/files/expected/note.md": "a note\r\n",
      "evals/files/expected/answer.md": "## Fines\n\n- ten cents a day",
    };
    await using project = await agentProject(files);
    const { document, exitCode } = await project.run(evalJson());
    expect(exitCode, JSON.stringify(document.cells)).toBe(0);
    const { runDir } = document.cells[0].details;
    expect(project.read(`${runDir}/inputs/request.txt`)).toBe("Read the book.");
    const [book, listing] = project.events(runDir, "observation_recorded");
    expect(book.summary).toContain("WORDS-OF-THE-BOOK");
    expect(listing.summary).not.toMatch(/expected|case\.yaml/);
    expect(readdirSync(project.at(`${runDir}/sandbox`)).sort()).toEqual(["inputs", "note.md"]);
  });

  test("has the skills that are installed for it, from a folder or an archive, byte for byte", async () => {
    const pack = { "SKILL.md": skillText("gifts"), "references/list.md": "LIST-OF-GIFTS\n" };
    const packed = await zipFiles(
      Object.fromEntries(Object.entries(pack).map(([name, text]) => [`gifts/${name}`, text])),
    );
    const turns = [
      { ...select("gifts"), expect_context: { not_contains: ["BODY-OF-gifts"] } },
      { ...load("references/list.md", "gifts"), expect_context: { contains: ["BODY-OF-gifts"] } },
      { ...answer(), expect_context: { contains: ["LIST-OF-GIFTS"] } },
    ];
    const installs = (path: string) => ({
      setup: { preinstall_skills: [path] },
      expect: { skills_all_of: ["gifts"] },
    });
    await using suite = await verdictsOn(
      [
        scripted("of_a_folder", installs("handed-out/gifts"), turns),
        scripted("of_an_archive", installs("handed-out/gifts.zip"), turns),
        scripted("shadows", { setup: { preinstall_skills: ["handed-out/fines"] } }, [
          select("fines"),
          { ...answer(), expect_context: { contains: ["NEW-FINES"], not_contains: ["BODY-OF-FINES"] } },
        ]),
        scripted("without", { expect: { errors: [{ code: "SkillNotFound" }] } }, [select("gifts"), answer()]),
      ],
      {
        "handed-out/gifts/SKILL.md": pack["SKILL.md"],
        "handed-out/gifts/references/list.md": pack["references/list.md"],
        "handed-out/gifts.zip": packed,
        "handed-out/fines/SKILL.md": "---\nname: fines\ndescription: New fines.\n---\nNEW-FINES\n",
      },
    );
    expect(suite.verdicts).toEqual([
      "of_a_folder pass",
      "of_an_archive pass",
      "shadows pass",
      "without pass",
    ]);
    const [folder, archive] = ["of_a_folder", "of_an_archive"].map(
      (id) => suite.events(suite.runDir(id), "skills_indexed")[0].preinstalled[0],
    );
    expect(folder).toMatchObject({ name: "gifts", digest: folder.origin_digest });
    expect(archive).toEqual(folder);
    const [{ conflicts, shadowed }] = suite.events(suite.runDir("shadows"), "skills_indexed");
    expect(conflicts).toMatchObject([{ name: "fines" }]);
    expect(shadowed).toMatchObject([{ name: "fines" }]);
  });

  test("offers what only users may choose to those who name it, and what tests a skill to nobody", async () => {
    const quiet = "---\nname: quiet\ndescription: For users.\ndisable-model-invocation: true\n---\nQuiet.\n";
    const invoked = { setup: { invoke_skills: ["quiet"] }, expect: { skills_all_of: ["quiet"] } };
    const unseen = { expect: { errors: [{ code: "IOError", min: 2, max: 2 }] } };
    await using suite = await verdictsOn(
      [
        scripted("named", invoked, [select("quiet"), answer()]),
        scripted("unnamed", { expect: { errors: [{ code: "SkillNotInvocable" }] } }, [
          { ...select("quiet"), expect_context: { not_contains: ["For users."] } },
          answer(),
        ]),
        scripted("answer_key", unseen, [
          select("fines"),
          load("eval.yaml"),
          call("read_file", { path: "skill:fines/eval.yaml" }),
          call("list_dir", { path: "skill:fines/." }),
          call("grep", { path: "skill:fines/.", pattern: "ANSWER-KEY|RULES-OF" }),
          answer(),
        ]),
      ],
      { ".agent/skills/quiet/SKILL.md": quiet },
    );
    expect(suite.verdicts).toEqual(["named pass", "unnamed pass", "answer_key pass"]);
    const [, , , listing, hits] = suite.events(suite.runDir("answer_key"), "observation_recorded");
    expect(listing.summary).toContain("SKILL.md");
    expect(listing.summary).not.toContain("eval.yaml");
    expect(hits.summary).toContain("RULES-OF-FINES");
    expect(
      eventsIn(suite.at(suite.runDir("answer_key")))
        .map((event) => JSON.stringify(event))
        .join(""),
    ).not.toContain("should_match");
  });

  test("lets a model run commands where the case allows it, and knows what they did", async () => {
    const may = { enable_tools: ["run_command"], approvals: [{ tool: "run_command", decision: "grant" }] };
    const forbid = (name: string) => ({
      ...may,
      expect: { action_sequence_constraints: [{ forbid: name }] },
    });
    const writes = [call("run_command", { command: "echo due > out.txt" }), answer()];
    const reads = [call("run_command", { command: "cat", args: ["/dev/null"] }), answer()];
    await using suite = await verdictsOn([
      scripted(
        "makes_it",
        { ...may, expect: { files: [{ path: "out.txt", contains_all: ["due"] }] } },
        writes,
      ),
      scripted("writes", forbid("write_file"), writes),
      scripted("only_reads", forbid("write_file"), reads),
      scripted("deletes_nothing", forbid("delete_file"), writes),
      scripted("may_have_called", forbid("network_request"), reads),
      scripted(
        "unasked",
        { enable_tools: ["run_command"], expect: { errors: [{ code: "ApprovalDenied" }] } },
        writes,
      ),
      scripted("off", { expect: { errors: [{ code: "ToolNotAllowed" }] } }, writes),
      scripted(
        "none_left",
        { ...may, constraints: { max_script_runs: 0 }, expect: { errors: [{ code: "BudgetExceeded" }] } },
        writes,
      ),
    ]);
    expect(suite.verdicts).toEqual([
      "makes_it pass",
      "writes fail ForbiddenExecuted",
      "only_reads pass",
      "deletes_nothing pass",
      "may_have_called invalid NotObserved",
      "unasked pass",
      "off pass",
      "none_left pass",
    ]);
  });

  test("lets programs of the case judge the workspace, and modules the run directory", async () => {
    const may = { enable_tools: ["write_file"], approvals: [{ tool: "write_file", decision: "grant" }] };
    const turns = [call("write_file", { path: "out.json", content: '{"sum":{"due":3,"late":1}}' }), answer()];
    const judged = (id: string, ...checks: object[]) => scripted(id, { ...may, expect: { checks } }, turns);
    const files = (json: object) => ({ ...may, expect: { files: [{ path: "out.json", json }] } });
    await using suite = await verdictsOn(
      [
        judged("passes", { run: ["sh", "${case}/sum.sh", "out.json"], stdout_contains: "looked" }),
        judged("fails", { run: ["sh", "-c", "echo nothing here >&2; exit 4"] }),
        judged("expects_that", { run: ["sh", "-c", "exit 4"], exit: 4 }),
        judged("says_no", { run: ["sh", "-c", 'echo \'{"pass": false, "reason": "two are late"}\''] }),
        judged("no_program", { run: ["no-such-program-here"] }),
        judged("by_module", { module: "grade.mjs" }),
        judged("module_says_no", { module: "strict.mjs" }),
        judged("no_word", { module: "silent.mjs" }),
        scripted("right_value", files({ "$.sum": { due: 3 } }), turns),
        scripted("other_value", files({ "$.sum.due": 4 }), turns),
      ],
      {
        "evals/sum.sh": 'echo looked; grep -q \'"due":3\' "$1" && rm -rf ../*',
        "evals/grade.mjs":
          'import { readFileSync } from "node:fs";\nexport default ({ runDir }) => ({ pass: readFileSync(runDir + "/events.jsonl", "utf8").includes("write_file") });\n',
        "evals/strict.mjs":
          'export default () => ({ pass: false, reason: "not as the house style asks" });\n',
        "evals/silent.mjs": "export default () => {};\n",
      },
    );
    expect(suite.verdicts).toEqual([
      "passes pass",
      "fails fail CheckFailed",
      "expects_that pass",
      "says_no fail CheckFailed",
      "no_program invalid NotObserved",
      "by_module pass",
      "module_says_no fail CheckFailed",
      "no_word invalid NotObserved",
      "right_value pass",
      "other_value fail OutputFile",
    ]);
    expect(suite.caseDetails("says_no")?.failures[0]?.message).toContain("two are late");
    const dir = suite.runDir("passes");
    const again = await suite.run(["agent", "grade", dir, "--case", "evals/suite.yaml#passes", "--json"]);
    expect(again.exitCode).toBe(0);
  });

  test("has no verdict when a skill is no longer the one it was planned with", async () => {
    const granted = { enable_tools: ["run_script"], approvals: [{ tool: "run_script", decision: "grant" }] };
    await using suite = await verdictsOn(
      [
        scripted("changes_it", granted, [select("fines"), script("3"), answer()]),
        scripted("finds_it_changed", { expect: { skills_all_of: ["fines"] } }),
        scripted("has_another", { expect: { skills_all_of: ["hours"] } }, [select("hours"), answer()]),
      ],
      { ".agent/skills/fines/scripts/sum.sh": 'echo more >> "$EVAL_SKILLS_SKILL_DIR/references/rules.md"\n' },
      "--concurrency",
      "1",
    );
    expect(suite.verdicts).toEqual([
      "changes_it invalid SkillChanged",
      "finds_it_changed invalid SkillChanged",
      "has_another pass",
    ]);
    expect(suite.exitCode).toBe(3);
  });
});

function skillText(name: string): string {
  return `---\nname: ${name}\ndescription: What ${name} is for.\n---\n# ${name}\n\nBODY-OF-${name}\n`;
}

async function zipFiles(files: Record<string, string>): Promise<Buffer> {
  const { default: Zip } = await import("jszip");
  const archive = new Zip();
  for (const [name, text] of Object.entries(files)) archive.file(name, text, { createFolders: false });
  return archive.generateAsync({ type: "nodebuffer" });
}
