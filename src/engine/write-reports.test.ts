import { mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import type { Format } from "../contract/format.ts";
import { csvFormat } from "../report/formats/csv.ts";
import { githubFormat } from "../report/formats/github.ts";
import { htmlFormat } from "../report/formats/html.ts";
import { jsonFormat } from "../report/formats/json.ts";
import { markdownFormat } from "../report/formats/markdown.ts";
import { planReportFiles, prepareOutputFolder, removeStaleCopies, writeReports } from "./write-reports.ts";

const finishedAt = "2026-03-01T07:00:00.000Z";

test("runs that end in the same millisecond write under different names, all formats of one alike", async () => {
  await using folder = await temporaryFolder();
  const namesOf = ({ files }: { files: { dated: string }[] }) => files.map(({ dated }) => basename(dated));
  {
    using first = planReportFiles(
      [jsonFormat, csvFormat],
      { outputDir: folder.path, namePrefix: "eval-result" },
      finishedAt,
    );
    using second = planReportFiles(
      [csvFormat],
      { outputDir: folder.path, namePrefix: "eval-result" },
      finishedAt,
    );
    for (const { dated } of first.files) writeFileSync(dated, "first");

    expect(namesOf(first)).toEqual([
      "eval-result-2026-03-01T07-00-00-000Z.json",
      "eval-result-2026-03-01T07-00-00-000Z.csv",
    ]);
    expect(namesOf(second)).toEqual(["eval-result-2026-03-01T07-00-00-000Z-2.csv"]);
  }
  using third = planReportFiles(
    [csvFormat],
    { outputDir: folder.path, namePrefix: "eval-result" },
    finishedAt,
  );
  expect(namesOf(third)).toEqual(["eval-result-2026-03-01T07-00-00-000Z-2.csv"]);
});

test("names begin as those of the command do", async () => {
  await using folder = await temporaryFolder();
  const output = { outputDir: folder.path, namePrefix: "planbench-result" } as const;

  using planned = planReportFiles([jsonFormat], output, finishedAt);

  expect(planned.files).toMatchObject([
    {
      dated: join(folder.path, "planbench-result-2026-03-01T07-00-00-000Z.json"),
      stable: join(folder.path, "planbench-result.json"),
    },
  ]);
});

test("a name is given back when the reports are written, and where there are none nothing is made", async () => {
  await using folder = await temporaryFolder();
  planReportFiles([jsonFormat], { outputDir: folder.path, namePrefix: "eval-result" }, finishedAt)[
    Symbol.dispose
  ]();
  planReportFiles([], { outputDir: join(folder.path, "nowhere"), namePrefix: "eval-result" }, finishedAt)[
    Symbol.dispose
  ]();
  expect(readdirSync(folder.path)).toEqual([]);
});

test("what a killed run left half-written is cleared by a later run; what may be in the making stays", async () => {
  await using folder = await temporaryFolder();
  const anHourAgo = new Date(Date.now() - 3_700_000);
  const old = [
    ".eval-result.json.0123456789ab.tmp",
    ".eval-result-2026-03-01T07-00-00-000Z.tmp",
    ".mine.tmp",
  ];
  for (const name of [...old, ".eval-result.csv.0123456789ab.tmp"])
    writeFileSync(join(folder.path, name), "half");
  for (const name of old) utimesSync(join(folder.path, name), anHourAgo, anHourAgo);

  prepareOutputFolder(folder.path);

  expect(readdirSync(folder.path).sort()).toEqual([".eval-result.csv.0123456789ab.tmp", ".mine.tmp"]);
});

/** Writes the reports of a run that ended at this minute, as a run does. */
async function writeRun(outputDir: string, formats: Format[], minute: number, text = `run ${minute}`) {
  const ended = `2026-03-01T07:${minute}:00.000Z`;
  using planned = planReportFiles(formats, { outputDir, namePrefix: "eval-result" }, ended);
  writeReports(planned.files, ({ format }) => [text, format]);
  await removeStaleCopies(planned.files);
}

const stableIn = (folder: string) => readdirSync(folder).filter((name) => !name.includes("-2026-"));

test("stable copies of formats that a run did not write are removed; those with a time in their name stay", async () => {
  await using folder = await temporaryFolder();
  await writeRun(folder.path, [jsonFormat, htmlFormat, markdownFormat, githubFormat], 10);
  await writeRun(folder.path, [jsonFormat, githubFormat], 11);

  expect(stableIn(folder.path).sort()).toEqual(["eval-result.github.md", "eval-result.json"]);
  expect(readdirSync(folder.path)).toHaveLength(8);

  await writeRun(folder.path, [], 12);
  expect(stableIn(folder.path)).toHaveLength(2);
});

test("a file of the user that has the name of a stable copy stays, and so does all that is not a regular file of ours", async () => {
  await using folder = await temporaryFolder();
  await writeRun(folder.path, [jsonFormat, htmlFormat, csvFormat], 10);
  const kept = [
    "eval-result.html",
    "eval-result.md",
    "eval-result.xml",
    "eval-result.pdf",
    "trigger-result.csv",
  ];
  // As long as the one it takes the place of.
  writeFileSync(join(folder.path, "eval-result.html"), "run 11html");
  symlinkSync("eval-result-2026-03-01T07-10-00-000Z.html", join(folder.path, "eval-result.md"));
  mkdirSync(join(folder.path, "eval-result.xml"));
  for (const name of ["eval-result.pdf", "trigger-result.csv"])
    writeFileSync(join(folder.path, name), "run 10csv");
  writeFileSync(join(folder.path, "eval-result-of-mine.csv"), "run 10csv");

  await writeRun(folder.path, [jsonFormat], 11);

  expect(stableIn(folder.path).sort()).toEqual(
    [...kept, "eval-result-of-mine.csv", "eval-result.json"].sort(),
  );
});

test("long reports are compared to their last byte", async () => {
  await using folder = await temporaryFolder();
  const long = "x".repeat(200_000);
  await writeRun(folder.path, [jsonFormat, csvFormat, htmlFormat], 10, long);
  writeFileSync(join(folder.path, "eval-result.csv"), `${long}csw`);

  await writeRun(folder.path, [jsonFormat], 11, long);

  expect(stableIn(folder.path).sort()).toEqual(["eval-result.csv", "eval-result.json"]);
});

test("a format that breaks is reported as what it is, and leaves no file", async () => {
  await using folder = await temporaryFolder();
  const bug = new TypeError("nobody expects this");
  const broken = function* () {
    yield "half";
    throw bug;
  };
  using planned = planReportFiles(
    [jsonFormat],
    { outputDir: folder.path, namePrefix: "eval-result" },
    finishedAt,
  );

  expect(() => writeReports(planned.files, broken)).toThrow(bug);
  expect(readdirSync(folder.path).filter((name) => name.endsWith(".json"))).toEqual([]);
});
