import { mkdirSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type CaseFilesByPath, caseProject, scriptedCase } from "../../../test/case-project.ts";
import type { UserError } from "../../shared/user-error.ts";

const a = scriptedCase("a");

async function findFault(files: CaseFilesByPath, path = "s"): Promise<UserError> {
  await using project = await caseProject(files);
  const [error] = await Promise.allSettled([project.load(path)]);
  if (error?.status !== "rejected") throw new Error("nothing was refused");
  return error.reason;
}

/** What a case `a` has besides id and input → the error, with the hint. */
const refusedCases = `
{enable_tool: []} → $.enable_tool is not a known key (did you mean enable_tools?)
{expect: {skill_all_of: []}} → $.expect.skill_all_of is not a known key (did you mean skills_all_of?)
{id: b} → $.id is b, but its folder or file is named a
{id: -a} → $.id must match /
{id: null} → $.id must be text
{kind: agnet} → $.kind may not be "agnet" (did you mean agent?)
{level: L0} → $.level is L0
{level: L1} → $.level is L1, but the case has no mock (add mock.turns, or set level: L2)
{repeat: 0} → $.repeat must be at least 1
{input: " "} → $.input must not be empty
{input: 3} → $.input must be text or a map
{input: {file: inputs/x}} → $.input.file names inputs/x, which does not exist
{input: {file: "\${home}/x"}} → $.input.file only \${case} is supported
{setup: {skill_roots: [k]}} → $.setup.skill_roots[0] is not a folder
{setup: {preinstall_skills: [{path: k}]}} → $.setup.preinstall_skills[0].path names neither
{constraints: {max_turns: 0}} → $.constraints.max_turns must be at least 1
{constraints: {deny_tools: ["foreign:Task"]}} → $.constraints.deny_tools[0] names a tool of an imported trace
{enable_tools: [call_tool]} → $.enable_tools[0] must name a tool; call_tool is not a tool (tools: read_file
{approvals: [{tool: final_answer, decision: grant}]} → $.approvals[0].tool must name a tool
{approvals: [{tool: grep, decision: maybe}]} → $.approvals[0].decision may not be "maybe"
{expect: {skills_all_of: [k], skills_none_of: ["*"]}} → $.expect.skills_all_of requires k, which skills_none_of forbids
{expect: {skills_any_of: [k], skills_none_of: [k]}} → $.expect.skills_any_of requires k
{expect: {errors: [{code: IoError}]}} → $.expect.errors[0].code may not be "IoError": did you mean IOError?
{expect: {errors: [{code: IOError, min: 2, max: 1}]}} → $.expect.errors[0].max must be at least min
{expect: {stop_reason: done}} → $.expect.stop_reason may not be "done"
{expect: {dimensions: [speed]}} → $.expect.dimensions[0] may not be "speed"
{expect: {action_sequence_constraints: [{must_occur: grep}, {forbid: grep}]}} → $.expect.action_sequence_constraints[0].must_occur requires grep, which another rule forbids
{expect: {action_sequence_constraints: [{must_occur: grep, before: [grep]}]}} → $.expect.action_sequence_constraints[0].before must name another action
{expect: {action_sequence_constraints: [{must_occur: grep, before: []}]}} → $.expect.action_sequence_constraints[0].before must not be empty
{expect: {files: [{path: x, equals: expected/x}]}} → $.expect.files[0].equals names expected/x, which does not exist
{expect: {files: [{path: x, exists: false, contains_all: [y]}]}} → $.expect.files[0] checks the content
{expect: {files: [{path: x, sha256: abc}]}} → $.expect.files[0].sha256 must be 64 hexadecimal digits
{expect: {files: [{path: ../x}]}} → $.expect.files[0].path must be a path inside the workspace
{expect: {output: {contains_any: []}}} → $.expect.output.contains_any must not be empty
{expect: {output: {contains_all: [x, ""]}}} → $.expect.output.contains_all[1] must not be empty
{expect: {output: {not_contains_any: []}}} → $.expect.output.not_contains_any must not be empty
{expect: {output: {regex_match: ""}}} → $.expect.output.regex_match must not be empty
{expect: {output: {regex_match: []}}} → $.expect.output.regex_match must not be empty
{expect: {output: {regex_match: [x, "("]}}} → $.expect.output.regex_match[1] is not a valid pattern
{expect: {output: {regex_match: '\\-'}}} → $.expect.output.regex_match is not a valid pattern: Invalid regular expression: /\\-/u: Invalid escape (it is valid without the flag u
{expect: {output: {regex_match: {pattern: x, flags: q}}}} → $.expect.output.regex_match is not a valid pattern
{expect: {output: {regex_match: ${"x".repeat(1001)}}}} → $.expect.output.regex_match is a pattern longer than 1000 characters
{expect: {output: {json_schema: {tpye: object}}}} → $.expect.output.json_schema is not a valid JSON Schema
{expect: {output: {json_schema: s.json}}} → $.expect.output.json_schema names s.json, which does not exist
{expect: {output: {json_schema: ""}}} → $.expect.output.json_schema must be a JSON Schema or the path of one
{expect: {output: {equals_file: expected/x}}} → $.expect.output.equals_file names expected/x, which does not exist
{mock: {turns: [{raw: x}, {}]}} → $.mock.turns[1] must have exactly one of action, raw and error, not none
{mock: {turns: [{raw: x, error: {kind: network}}]}} → $.mock.turns[0] must have exactly one of action, raw and error, not raw and error
{mock: {turns: [{raw: x, diagnostics: {}}]}} → $.mock.turns[0].diagnostics is only valid beside an action
{mock: {turns: [{action: {type: final_answer, payload: {}}}]}} → $.mock.turns[0].action.payload.content is required and missing (to script a reply that is not a valid action, use raw)
{mock: {turns: [{action: {type: select_skill, payload: {}}}]}} → $.mock.turns[0].action.type may not be "select_skill": did you mean select_skills?
{mock: {turns: [{error: {kind: http}}]}} → $.mock.turns[0].error.status is required and missing
{kind: path, level: L1, expect: {ok: true}} → $.level is L1, but a case of kind path runs no agent
{kind: path, expect: {code: NotFound}} → $.expect.code may not be "NotFound"
{kind: path, expect: {ok: true, code: IOError}} → $.expect needs either ok or code
{kind: section, input: x, expect: {text: y}} → $.input must be a map
{kind: json_stream, input: {text: x, chunk_size: [1]}, expect: {value: 1}} → $.input.chunk_size is not a known key (did you mean chunk_sizes?)
{kind: json_stream, input: {text: x, base64: eA==}, expect: {value: 1}} → $.input needs either text or base64
{kind: json_stream, expect: {value: 1, deltas: {action: x}}} → $.expect.deltas.action must be a path such as
{kind: path, input: {path: x, tree: {../y: z}}, expect: {ok: true}} → $.input.tree["../y"] has a .. segment
{kind: path, input: {path: x, tree: {y: {hard_link: /etc/passwd}}}, expect: {ok: true}} → $.input.tree.y.hard_link does not name a file of the tree
{kind: frontmatter, input: {text: x, folder: ../y}, expect: {codes: []}} → $.input.folder must be the name of a folder
{kind: json_extract, expect: {}} → $.expect needs either value or error
{kind: frontmatter, expect: {}} → $.expect needs value or codes
{kind: truncate, input: {text: x}, expect: {}} → $.expect must not be empty
{kind: conversaton} → $.kind may not be "conversaton" (did you mean conversation?)
{mock: {turns: [{final: x}]}} → $ has no kind and looks like a conversation (add \`kind: conversation\`)
{expect: {tool_calls: []}} → $ has no kind and looks like a conversation
{kind: conversation, level: L0} → $.level is L0
{kind: conversation, level: L1} → $.level is L1, but the case has no mock
{kind: conversation, input: ""} → $.input must not be empty
{kind: conversation, setup: {hots: wps}} → $.setup.hots is not a known key (did you mean host?)
{kind: conversation, setup: {skill_roots: [k]}} → $.setup.skill_roots[0] is not a folder
{kind: conversation, setup: {document: inputs/x.md}} → $.setup.document names inputs/x.md, which does not exist
{kind: conversation, setup: {document: case.json}} → $.setup.document names case.json, which is not a .md, .txt or .docx file
{kind: conversation, setup: {document: "\${home}/x.md"}} → $.setup.document only \${case} is supported
{kind: conversation, setup: {route: {forced: []}}} → $.setup.route.forced must not be empty
{kind: conversation, mock: {turns: []}} → $.mock.turns must not be empty
{kind: conversation, mock: {turns: [{}]}} → $.mock.turns[0] must have exactly one of call, final and raw, not none
{kind: conversation, mock: {turns: [{raw: x, final: y}]}} → $.mock.turns[0] must have exactly one of call, final and raw, not final and raw
{kind: conversation, mock: {turns: [{final: " "}]}} → $.mock.turns[0].final must not be empty (use raw for a blank reply)
{kind: conversation, mock: {turns: [{call: {name: t}}, {final: "\${results[0].a b}"}]}} → $.mock.turns[1].final quotes no result: \${results[0].a b}
{kind: conversation, mock: {turns: [{call: {name: t}}, {final: "\${result[0]}"}]}} → $.mock.turns[1].final quotes no result
{kind: conversation, mock: {turns: [{final: "\${results[0].a}"}]}} → $.mock.turns[0].final quotes results[0], but there can be no call before it
{kind: conversation, mock: {turns: [{raw: x}, {final: "\${results[1].a}"}]}} → $.mock.turns[1].final quotes results[1], but there can be one call before it
{kind: conversation, expect: {skills_all_of: [k], skills_none_of: [k]}} → $.expect.skills_all_of requires k
{kind: conversation, expect: {skills_any_of: [k]}} → $.expect.skills_any_of is not a known key (did you mean skills_all_of?)
{kind: conversation, expect: {tool_calls: [{name: t, result: bad-argument}]}} → $.expect.tool_calls[0].result may not be "bad-argument": did you mean bad-arguments?
{kind: conversation, expect: {tool_calls: [{name: t, result: ok}]}, constraints: {max_tool_calls: 0}} → $.expect.tool_calls expects 1 call, but constraints.max_tool_calls is 0
{kind: conversation, expect: {tool_calls: [{name: t}, {name: t}]}, constraints: {max_turns: 1}} → $.expect.tool_calls expects 2 calls, but constraints.max_turns is 1
{kind: conversation, expect: {uses_result: ["[0].total"]}} → $.expect.uses_result[0] must be a path into the list of results, such as $[0].total
{kind: conversation, expect: {uses_result: ["$.total"]}} → $.expect.uses_result[0] must be a path into the list of results
{kind: conversation, expect: {uses_result: ["$[0].a", "$[5].a"]}} → $.expect.uses_result[1] refers to the result of call 6, but there can be 5 calls
{kind: conversation, expect: {uses_result: ["$[1].a"]}, mock: {turns: [{call: {name: t}}, {final: x}]}} → $.expect.uses_result[0] refers to the result of call 2, but there can be one call
{kind: conversation, expect: {uses_result: ["$[0].a"], tool_calls: []}} → $.expect.uses_result[0] refers to a result, but expect.tool_calls allows no call
{kind: conversation, expect: {output: {contains_all: []}}} → $.expect.output.contains_all must not be empty
{kind: conversation, expect: {output: {regex_match: "("}}} → $.expect.output.regex_match is not a valid pattern
{kind: conversation, expect: {output: {equals_file: expected/x}}} → $.expect.output.equals_file names expected/x, which does not exist
{kind: conversation, constraints: {max_turns: 0}} → $.constraints.max_turns must be at least 1`;

test.each(refusedCases.trim().split("\n"))("%s", async (line) => {
  const [written = "", expected = ""] = line.split(" → ");
  const { code, path, jsonPath, message, hint } = await findFault({
    "s/a/case.json": { id: "a", input: "x", ...parse(written) },
  });

  expect({ code, path }).toEqual({ code: "case-invalid", path: "s/a/case.json" });
  expect(jsonPath).toBe(expected.split(" ")[0]);
  expect(`${message}${hint === null ? "" : ` (${hint})`}`).toContain(`s/a/case.json, line 1: ${expected}`);
});

describe("faults of files and folders are reported", () => {
  const foreign = (...evals: object[]) => ({ "s/evals.json": { skill_name: "a", evals } });
  const rows: [string, CaseFilesByPath, string][] = [
    ["another id than its file", { "s/b.yaml": a }, "s/b.yaml $.id"],
    ["no id", { "s/a/case.json": { input: "x" } }, "s/a/case.json $.id"],
    ["one id twice", { "s/suite.yaml": { cases: [a, a] } }, "s/suite.yaml $.cases[1].id"],
    ["one id in two forms", { "s/a.json": a, "s/a/case.json": a }, "s/a.json $.id"],
    ["one name, two suffixes", { "s/a.json": a, "s/a.yml": a }, "s/a.yml null"],
    ["two case files", { "s/a/case.json": a, "s/a/case.yaml": a }, "s/a/case.yaml null"],
    ["two suite files", { "s/suite.yml": {}, "s/suite.yaml": {} }, "s/suite.yml null"],
    ["bad JSON", { "s/a/case.json": '{"id": }' }, "s/a/case.json null"],
    ["bad YAML", { "s/a/case.yaml": "id: a\ninput: [" }, "s/a/case.yaml null"],
    ["no text", { "s/a/case.yaml": Buffer.from([0xff, 0xfe]) }, "s/a/case.yaml null"],
    ["a case that is not a map", { "s/suite.yaml": { cases: [3] } }, "s/suite.yaml $.cases[0]"],
    ["a suite that is not a map", { "s/suite.yaml": [] }, "s/suite.yaml $"],
    ["cases that are no list", { "s/suite.yaml": { cases: {} } }, "s/suite.yaml $.cases"],
    ["a misspelt key", { "s/suite.yaml": { default: {}, cases: [a] } }, "s/suite.yaml $.default"],
    ["cases of a skill that are no list", { "s/eval.yaml": { cases: {} } }, "s/eval.yaml $.cases"],
    ["no cases", { "s/readme.txt": "" }, "s null"],
    ["a skill without cases", { "s/SKILL.md": "" }, "s null"],
    ["two suites of one name", { "s/x/a.json": a, "s/y/suite.yaml": { suite: "x", cases: [a] } }, "s/y null"],
    [
      "queries about no skill",
      { "s/evals.json": [{ query: "x", should_trigger: true }] },
      "s/evals.json $[0]",
    ],
    ["a query without a side", foreign({ query: "x" }), "s/evals.json $.evals[0].should_trigger"],
    ["no prompt", foreign({ id: 1 }), "s/evals.json $.evals[0].prompt"],
    ["no evaluations", foreign(), "s/evals.json $.evals"],
    ["a file outside the skill", foreign({ prompt: "x", files: [".."] }), "s/evals.json $.evals[0].files[0]"],
    ["a file that is not there", foreign({ prompt: "x", files: ["y"] }), "s/evals.json $.evals[0].files[0]"],
  ];
  test.each(rows)("%s", async (_, files, location) => {
    const { code, path, jsonPath } = await findFault(files);
    expect([code, `${path} ${jsonPath}`]).toEqual([
      expect.stringMatching(/^(?:case|suite)-invalid$/),
      location,
    ]);
  });

  test("with the location in the defaults, where it is there", async () => {
    const suite = "defaults:\n  constraints: { max_turns: 0 }\ncases: [{ id: a, input: x }]";
    expect((await findFault({ "s/suite.yaml": suite })).message).toBe(
      "s/suite.yaml, line 2: $.defaults.constraints.max_turns must be at least 1",
    );
  });

  test("for all cases at once, the first one first", async () => {
    const cases = [{ ...a, repeat: 0 }, scriptedCase("b"), { ...scriptedCase("c"), level: "L0" }];
    const { code, jsonPath, message } = await findFault({ "s/suite.yaml": { cases } });
    expect([code, jsonPath]).toEqual(["case-invalid", "$.cases[0].repeat"]);
    expect(message.split("\n")).toEqual([
      "s/suite.yaml, line 1: $.cases[0].repeat must be at least 1",
      "also:",
      expect.stringContaining("  s/suite.yaml, line 1: $.cases[2].level is L0"),
    ]);
  });

  test("a path that is not there, with the suites there are", async () => {
    const files = { ".agent/evals/smoke/a.json": a, "x.txt": "" };
    expect(await findFault(files, "smokey")).toMatchObject({
      code: "suite-invalid",
      path: "smokey",
      hint: "did you mean smoke?",
    });
    expect(await findFault(files, "x.txt")).toMatchObject({ code: "suite-invalid", path: "x.txt" });
  });

  test("a link among the inputs", async () => {
    await using project = await caseProject({ "s/a/case.json": a });
    mkdirSync(project.at("s/a/inputs"));
    symlinkSync("/etc/passwd", project.at("s/a/inputs/x"));
    await expect(project.load("s")).rejects.toMatchObject({
      code: "case-invalid",
      message: expect.stringContaining("inputs/x is neither a regular file nor a folder"),
    });
  });
});
