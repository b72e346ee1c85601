import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { csvReporter } from "../reporters/csv.ts";
import { jsonFormat } from "../reporters/document-json.ts";
import { planReportFiles, prepareOutputFolder } from "./write-reports.ts";

const finishedAt = "2026-03-01T07:00:00.000Z";

test("runs that end in the same millisecond write under different names, all formats of one alike", async () => {
  await using folder = await temporaryFolder();
  const namesOf = ({ files }: { files: { dated: string }[] }) => files.map(({ dated }) => basename(dated));
  {
    using first = planReportFiles(
      [jsonFormat, csvReporter],
      { outputDir: folder.path, namesBegin: "eval-result" },
      finishedAt,
    );
    using second = planReportFiles(
      [csvReporter],
      { outputDir: folder.path, namesBegin: "eval-result" },
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
    [csvReporter],
    { outputDir: folder.path, namesBegin: "eval-result" },
    finishedAt,
  );
  expect(namesOf(third)).toEqual(["eval-result-2026-03-01T07-00-00-000Z-2.csv"]);
});

test("names begin as those of the command do", async () => {
  await using folder = await temporaryFolder();
  const output = { outputDir: folder.path, namesBegin: "planbench-result" } as const;

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
  planReportFiles([jsonFormat], { outputDir: folder.path, namesBegin: "eval-result" }, finishedAt)[
    Symbol.dispose
  ]();
  planReportFiles([], { outputDir: join(folder.path, "nowhere"), namesBegin: "eval-result" }, finishedAt)[
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
