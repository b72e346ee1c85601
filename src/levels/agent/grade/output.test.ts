import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eachYields, grade } from "../../../../test/forged-logs.ts";
import { beginRun, cleanRun, type ForgedRun } from "../../../../test/forged-run.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { sha256 } from "../../../shared/json/canonical-json.ts";

const other = sha256("another text");
const output = (expected: object) => ({ expect: { output: expected } });
const file = (expected: object) => ({ expect: { files: [{ path: "out.txt", ...expected }] } });
const withSchema = { outputSchema: { type: "object", required: ["a"] } };
/** A file of the case that is surely there. */
const expectedFiles = { "expected/x": import.meta.filename };
const forged = "## forged form";

eachYields("output", "FinalHashMismatch OutputContains OutputRegex OutputFormat OutputSchema OutputFile", [
  { code: "FinalHashMismatch", what: "another file", change: (run) => run.files.set("final.md", forged) },
  {
    code: "FinalHashMismatch",
    what: "told and written alike, and not what was answered",
    change: (run) => {
      run.files.set("final.md", forged);
      run.change("run_finished", {
        final: { ref: "final.md", sha256: sha256(forged), chars: forged.length },
      });
    },
  },
  {
    code: "FinalHashMismatch",
    what: "no file, and the answer is another",
    change: (run) => {
      run.files.delete("final.md");
      run.change("run_finished", { final: { ref: "final.md", sha256: other, chars: 3 } });
    },
  },
  { code: "OutputContains", what: "none of any", case: output({ contains_any: ["excel"] }) },
  { code: "OutputContains", what: "not all", case: output({ contains_all: ["form", "FILLED"] }) },
  {
    code: "OutputContains",
    what: "a word that must not be there, however it is written",
    case: output({ not_contains_any: ["FILLED"], case_sensitive: false }),
  },
  { code: "OutputRegex", what: "one of two", case: output({ regex_match: ["^## Done", "^done$"] }) },
  {
    code: "OutputRegex",
    what: "with flags",
    case: output({ regex_match: { pattern: "^DONE", flags: "m" } }),
  },
  {
    code: "OutputFormat",
    what: "no JSON",
    case: output({ format: "json", json_schema: {} }),
    facts: withSchema,
  },
  {
    code: "OutputFormat",
    what: "no Markdown",
    run: () => beginRun().answer("done, all of it"),
    case: output({ format: "markdown" }),
  },
  {
    code: "OutputSchema",
    what: "a member is missing",
    run: () => beginRun().answer(' {"b": 1} '),
    case: output({ format: "json", json_schema: {} }),
    facts: withSchema,
  },
  { code: "OutputSchema", what: "no JSON at all", case: output({ json_schema: {} }), facts: withSchema },
  { code: "OutputFile", what: "it is missing", case: { expect: { files: [{ path: "none.txt" }] } } },
  { code: "OutputFile", what: "it must not be there", case: file({ exists: false }) },
  ...[{ exists: true }, { exists: false }].map((expected) => ({
    code: "OutputFile",
    what: `a link where ${expected.exists ? "a file" : "nothing"} should be`,
    change: (run: ForgedRun) => run.notPlain.add("sandbox/a/link"),
    case: { expect: { files: [{ path: "./a//link/", ...expected }] } },
  })),
  { code: "OutputFile", what: "another hash", case: file({ sha256: other }) },
  { code: "OutputFile", what: "a word is missing", case: file({ contains_all: ["filled", "signed"] }) },
  {
    code: "OutputFile",
    what: "another content",
    case: file({ equals: "expected/x" }),
    facts: { expectedFiles },
  },
  {
    code: "OutputFile",
    what: "the text differs from a file",
    case: output({ equals_file: "expected/x" }),
    facts: { expectedFiles },
  },
]);

test("what is asked for and there passes", async () => {
  await using folder = await temporaryFolder();
  const wanted = join(folder.path, "wanted.txt");
  writeFileSync(wanted, "filled\n");
  const report = await grade(
    cleanRun(),
    {
      expect: {
        output: {
          contains_all: ["DONE"],
          not_contains_any: ["excel"],
          case_sensitive: false,
          regex_match: ["^## done", { pattern: "填写$" }],
          format: "text",
        },
        files: [
          {
            path: "out.txt",
            sha256: sha256("filled\r\n"),
            equals: "expected/wanted.txt",
            contains_all: ["fill"],
          },
          { path: "none.txt", exists: false },
        ],
      },
    },
    { expectedFiles: { "expected/wanted.txt": wanted } },
  );
  expect(report.failures).toEqual([]);
  expect(report.status).toBe("pass");
});

test("words are the same in either normal form", async () => {
  const run = beginRun().answer("- caf\u0065\u0301");
  expect(await grade(run, output({ contains_all: ["caf\u00e9"] }))).toMatchObject({ status: "pass" });
});

test("without final.md the answer is what the action said, also where it is in a file of its own", async () => {
  const run = cleanRun();
  const text = run.files.get("final.md") ?? "";
  run.files.delete("final.md");
  expect(await grade(run, output({ contains_all: ["Done"] }))).toMatchObject({ status: "pass" });

  const content = { ref: "observations/c5.txt", sha256: sha256(text), bytes: Buffer.byteLength(text) };
  run.change("action_planned", (data) => void Object.assign(data.action.payload, { content }), 4);
  run.files.set("observations/c5.txt", text);
  expect(await grade(run, output({ contains_all: ["Done"] }))).toMatchObject({ status: "pass" });

  run.change("action_planned", (data) => void Object.assign(data.action.payload, { content: null }), 4);
  expect(await grade(run, output({ contains_all: ["Done"] }))).toMatchObject({
    status: "invalid",
    scores: { output: { status: "not_observed" } },
  });
});

test("a pattern that comes to no end, or is none, gives no verdict", async () => {
  expect(await grade(cleanRun(), output({ regex_match: "(" }))).toMatchObject({
    status: "invalid",
    no_verdict: { code: "NotObserved", message: expect.stringContaining("Unterminated group") },
  });
});

test("files are not observed where there is no workspace, not even those that must not be there", async () => {
  const run = cleanRun();
  run.files.delete("sandbox/out.txt");
  expect(await grade(run, file({ exists: false }))).toMatchObject({ status: "invalid" });
});

test("with format_strict off any text is Markdown", async () => {
  const run = () => beginRun().answer("plain");
  const strict = await grade(run(), output({ format: "markdown" }));
  expect(strict.failures[0]?.message).toContain('"format_strict": false');
  expect(await grade(run(), output({ format: "markdown", format_strict: false }))).toMatchObject({
    status: "pass",
  });
});
