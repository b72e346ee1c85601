import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { csvReporter } from "../reporters/csv.ts";
import { jsonReporter } from "../reporters/json.ts";
import { planReportFiles, prepareOutputFolder } from "./write-reports.ts";

const finishedAt = "2026-03-01T07:00:00.000Z";

test("runs that end in the same millisecond write under different names, all formats of one alike", async () => {
  await using folder = await temporaryFolder();
  const namesOf = ({ files }: { files: { dated: string }[] }) => files.map(({ dated }) => basename(dated));
  {
    using first = planReportFiles([jsonReporter, csvReporter], { outputDir: folder.path }, finishedAt);
    using second = planReportFiles([csvReporter], { outputDir: folder.path }, finishedAt);
    for (const { dated } of first.files) writeFileSync(dated, "first");

    expect(namesOf(first)).toEqual([
      "eval-result-2026-03-01T07-00-00-000Z.json",
      "eval-result-2026-03-01T07-00-00-000Z.csv",
    ]);
    expect(namesOf(second)).toEqual(["eval-result-2026-03-01T07-00-00-000Z-2.csv"]);
  }
  using third = planReportFiles([csvReporter], { outputDir: folder.path }, finishedAt);
  expect(namesOf(third)).toEqual(["eval-result-2026-03-01T07-00-00-000Z-2.csv"]);
});

test("a name is given back when the reports are written, and where there are none nothing is made", async () => {
  await using folder = await temporaryFolder();
  planReportFiles([jsonReporter], { outputDir: folder.path }, finishedAt)[Symbol.dispose]();
  planReportFiles([], { outputDir: join(folder.path, "nowhere") }, finishedAt)[Symbol.dispose]();
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
