import { describe, expect, test } from "vitest";
import { type PureTest, pureShapes } from "../../contract/pure-case.ts";
import { sha256 } from "../../shared/json/canonical-json.ts";
import { judgePure } from "./grade/grade-pure.ts";
import { runPureCase } from "./run-pure-case.ts";

/** What a case says about the function of its kind, with what it lacks filled in. */
async function verdictOn(kind: PureTest["kind"], input: object, expected: object) {
  const shape = pureShapes[kind];
  const written = { kind, input: shape.input.parse(input), expect: shape.expect.parse(expected) };
  const test = written as PureTest;
  const evidence = await runPureCase({ test });
  // Stored evidence is judged like fresh evidence.
  return judgePure({ test }, JSON.parse(JSON.stringify(evidence)));
}

const skill = (fields: string) => `---\n${fields}\n---\nBody\n`;
const fine = skill("name: pdf\ndescription: Fills forms. Use it for forms.");
const answer = '{"action":{"payload":{"content":"a\\u00e9🙂"},"type":"final_answer"}}';
const parsed = JSON.parse(answer);
const content = "$.action.payload.content";
const text = "# A\none\n## B\ntwo\n# C\nthree\n";
const blocked = { code: "PathTraversalBlocked" };
const tree = {
  "a.md": "x",
  "v1..v2.md": "y",
  empty: null,
  "in.md": { link: "a.md" },
  "out.md": { link: "../outside.txt" },
  "twin.md": { hard_link: "v1..v2.md" },
};
const cut = { text: "one\n", truncated: true, sha256: sha256("one\ntwo\n"), excerpt_sha256: sha256("one\n") };

describe("what holds is not a fault", () => {
  test.each<[PureTest["kind"], object, object]>([
    [
      "frontmatter",
      { text: fine },
      { value: { name: "pdf", description: "Fills forms. Use it for forms." } },
    ],
    ["frontmatter", { text: fine }, { codes: [] }],
    ["frontmatter", { text: fine, folder: "other" }, { codes: ["SKM05"] }],
    [
      "frontmatter",
      { text: skill("name: &a pdf\ndescription: *a"), profile: "strict" },
      { codes: ["SKM03"] },
    ],
    ["frontmatter", { text: "no block" }, { value: null, codes: ["SKM01"] }],
    ["json_stream", { text: answer }, { value: parsed, deltas: { [content]: "aé🙂" } }],
    ["json_stream", { text: answer, chunk_sizes: [1, 2, 3, 5, 100] }, { value: parsed }],
    ["json_stream", { base64: "eyJhIjoi/yJ9" }, { error: "invalid_utf8" }],
    ["json_stream", { text: '{"a":1,"a":2}' }, { error: true }],
    ["json_stream", { text: answer, max_chars: 10 }, { error: true }],
    ["json_extract", { text: `Sure: ${answer} done` }, { value: parsed, extracted: true }],
    ["json_extract", { text: "nothing" }, { error: true }],
    ["path", { path: "v1..v2.md" }, { ok: true }],
    ["path", { path: "a/../../x" }, blocked],
    ["path", { path: "a.md", tree }, { ok: true }],
    ["path", { path: "in.md", tree }, { ok: true }],
    ["path", { path: "out.md", tree }, blocked],
    ["path", { path: "twin.md", tree }, blocked],
    ["path", { path: "none.md", tree }, { code: "IOError" }],
    ["section", { text, hint: "# A" }, { text: "# A\none\n## B\ntwo\n" }],
    ["section", { text, hint: "B" }, { text: "## B\ntwo\n" }],
    ["section", { text, hint: "# B" }, { code: "SectionNotFound" }],
    ["truncate", { text: "one\ntwo\n", max_lines: 1 }, cut],
    ["truncate", { text: "one\ntwo\n", max_chars: 5 }, { sha256: cut.sha256.slice("sha256:".length) }],
    ["truncate", { text: "one" }, { text: "one", truncated: false }],
  ])("%s %j → %j", async (kind, input, expected) => {
    expect(await verdictOn(kind, input, expected)).toEqual({ faults: [] });
  });
});

describe("what does not hold is reported, with what came instead", () => {
  test.each<[PureTest["kind"], object, object, object]>([
    ["frontmatter", { text: fine }, { value: null }, { value: { name: "pdf" } }],
    ["frontmatter", { text: fine }, { codes: ["SKM05"] }, { codes: [] }],
    ["json_stream", { text: answer }, { error: true }, { value: parsed }],
    ["json_stream", { text: "{", chunk_sizes: [1] }, { value: {} }, { code: "truncated", chunk_size: 1 }],
    ["json_stream", { text: "{", chunk_sizes: [1] }, { error: "duplicate" }, { code: "truncated" }],
    ["json_extract", { text: answer }, { value: parsed, extracted: true }, { extracted: false }],
    ["path", { path: "../x" }, { ok: true }, blocked],
    ["path", { path: "a.md", tree }, blocked, { ok: true }],
    ["section", { text, hint: "C" }, { text: "# C" }, { text: "# C\nthree\n" }],
    ["truncate", { text: "one" }, { truncated: true }, { truncated: false }],
  ])("%s %j → %j", async (kind, input, expected, actual) => {
    const { faults } = await verdictOn(kind, input, expected);
    expect(faults[0]).toMatchObject({ code: "UnitMismatch", expected, actual });
    expect(faults[0]?.message).toMatch(/^expected \{.*\}, got \{/);
  });

  test("a tree that cannot be made puts nothing to the test", async () => {
    const impossible = { a: { link: "/etc" }, "a/passwd": "x" };
    expect(await verdictOn("path", { path: "a", tree: impossible }, { ok: true })).toEqual({
      faults: [],
      noVerdict: { code: "TreeNotMade", message: "the file tree cannot be created (EEXIST)" },
    });
  });
});
