import { expect, test } from "vitest";
import { parse } from "yaml";
import { type CaseFilesByPath, caseProject } from "../../../test/case-project.ts";
import type { LoadedConversationCase } from "../../contract/loaded-case.ts";

/** The example of the reference. */
const risk = parse(`
id: contract-risk
kind: conversation
input: "审一下这份合同的风险"
setup: { skill_roots: [./skills], host: writer, document: inputs/contract.docx, route: auto }
mock: { turns: [ { call: { name: risk_detector, arguments: { max_results: 3 } } }, { final: "共 \${results[0].total} 处风险" } ] }
expect:
  skills_all_of: [contract-review]
  skills_none_of: [ppt-outline]
  tool_calls: [ { name: risk_detector, arguments: { max_results: 3 }, result: ok } ]
  uses_result: ["$[0].total"]
  output: { contract: true, contains_all: ["风险"] }
constraints: { max_turns: 6, max_tool_calls: 5 }`);
const files: CaseFilesByPath = {
  "skills/contract-review/skill.json": {},
  "s/contract-risk/inputs/contract.docx": "not read yet",
  "s/contract-risk/case.yaml": risk,
};

async function loaded(more: CaseFilesByPath, path = "s") {
  await using project = await caseProject({ ...files, ...more });
  const [suite] = await project.load(path);
  return {
    at: project.at,
    cases: (suite?.cases ?? []) as LoadedConversationCase[],
    warnings: suite?.warnings ?? [],
  };
}

test("the example of the reference is read, with its document and its skills", async () => {
  const { at, cases, warnings } = await loaded({});

  expect(cases[0]).toMatchObject({
    kind: "conversation",
    suite: "s",
    level: "L1",
    request: "审一下这份合同的风险",
    skillRoots: [{ source: "project", path: at("skills"), priority: 0 }],
    document: at("s/contract-risk/inputs/contract.docx"),
    forced: null,
    outputSchema: undefined,
    case: { setup: { host: "writer", route: "auto" }, constraints: { max_turns: 6, max_tool_calls: 5 } },
  });
  expect(warnings).toEqual([]);
});

test("cases of a skill have the skills beside it, and a real model without a script", async () => {
  const cases = [
    { id: "a", kind: "conversation", input: "x" },
    { id: "b", kind: "conversation", input: "x", setup: { route: { forced: ["k", "k"] } } },
  ];
  const { at, cases: found } = await loaded(
    { "skills/contract-review/eval.yaml": { cases } },
    "skills/contract-review",
  );

  expect(found[0]).toMatchObject({ level: "L2", skillRoots: [{ path: at("skills") }], document: null });
  expect(found[1]?.forced).toEqual(["k"]);
});

test("the digest is that of the request, the document and every file that is named", async () => {
  const digestOf = async (more: CaseFilesByPath) => (await loaded(more)).cases[0]?.digest;
  const other = (over: object) => ({ "s/contract-risk/case.yaml": { ...risk, ...over } });
  const equal = { ...risk.expect.output, equals_file: "expected/x.txt" };
  const expected = { ...other({ expect: { ...risk.expect, output: equal } }) };

  const plain = await digestOf({});
  expect(await digestOf(other({ title: "Risk", tags: ["x"], repeat: 3 }))).toBe(plain);
  const digests = [
    plain,
    await digestOf(other({ input: "another" })),
    await digestOf({ "s/contract-risk/inputs/contract.docx": "another" }),
    await digestOf({ ...expected, "s/contract-risk/expected/x.txt": "1" }),
    await digestOf({ ...expected, "s/contract-risk/expected/x.txt": "2" }),
  ];
  expect(new Set(digests).size).toBe(digests.length);
});

test("a suite of both kinds: each case gets the defaults that its kind knows", async () => {
  const suite = {
    defaults: {
      setup: { skill_roots: ["skills"], host: "wps", invoke_skills: [] },
      enable_tools: ["write_file"],
      constraints: { max_turns: 3, deny_tools: ["grep"] },
      unheard_of: 1,
    },
    cases: [
      { id: "a", input: "x", mock: { turns: [] } },
      { id: "b", kind: "conversation", input: "x" },
    ],
  };
  const { cases, warnings } = await loaded({ "mixed/suite.yaml": suite }, "mixed");

  expect(cases.map(({ case: caseFile }) => caseFile)).toMatchObject([
    { enable_tools: ["write_file"], constraints: { max_turns: 3, deny_tools: ["grep"] } },
    { kind: "conversation", setup: { host: "wps" }, constraints: { max_turns: 3 } },
  ]);
  expect(warnings).toEqual(["mixed/suite.yaml: unknown key $.defaults.unheard_of ignored"]);
});

test("defaults can make every case a conversation", async () => {
  const suite = {
    defaults: { kind: "conversation", input: "x", setup: { route: { forced: "k" } } },
    cases: [{ id: "a" }],
  };
  expect((await loaded({ "all/suite.yaml": suite }, "all")).cases[0]).toMatchObject({
    kind: "conversation",
    forced: ["k"],
  });
});

test("what is never checked is reported", async () => {
  const caseFile = {
    ...risk,
    setup: { ...risk.setup, route: { forced: "contract-review" } },
    expect: { ...risk.expect, output: { contract: false } },
  };
  const { warnings } = await loaded({ "s/contract-risk/case.yaml": caseFile });
  const location = "s/contract-risk/case.yaml: $.expect";
  const why = "has no effect: contract-review is forced, so nothing is routed";
  expect(warnings).toEqual([
    `${location}.output checks nothing`,
    `${location}.skills_all_of ${why}`,
    `${location}.skills_none_of ${why}`,
  ]);
});

test("a document of text must be text", async () => {
  const caseFile = { id: "a", kind: "conversation", input: "x", setup: { document: "d.txt" } };
  await using project = await caseProject({
    "s/a/case.json": caseFile,
    "s/a/d.txt": Buffer.from([0xff, 0xfe, 0x00]),
  });
  await expect(project.load("s")).rejects.toMatchObject({
    code: "case-invalid",
    jsonPath: "$.setup.document",
    message: expect.stringContaining("names d.txt, which is not UTF-8 text"),
  });
});
