import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { findReportFiles } from "./find-report-files.ts";

async function folderWith(...names: string[]) {
  const folder = await temporaryFolder();
  for (const name of names) {
    mkdirSync(dirname(join(folder.path, name)), { recursive: true });
    writeFileSync(join(folder.path, name), "{}");
  }
  return { ...folder, find: (...patterns: string[]) => findReportFiles(patterns, folder.path) };
}

const names = [
  "reports/eval-result-1.json",
  "reports/eval-result-2.json",
  "reports/eval-result.json",
  "reports/notes.md",
  "reports/old/eval-result-0.json",
  "reports/.hidden/eval-result-9.json",
  "reports/.secret.json",
];

test.each<[string, string[]]>([
  ["reports/eval-result-*.json", ["reports/eval-result-1.json", "reports/eval-result-2.json"]],
  ["./reports/eval-result-?.json", ["./reports/eval-result-1.json", "./reports/eval-result-2.json"]],
  ["reports/*/*.json", ["reports/old/eval-result-0.json"]],
  ["*/eval-result.json", ["reports/eval-result.json"]],
  ["reports/.*.json", ["reports/.secret.json"]],
  [
    "reports/**/eval-result-?.json",
    ["reports/eval-result-1.json", "reports/eval-result-2.json", "reports/old/eval-result-0.json"],
  ],
  ["**/notes.md", ["reports/notes.md"]],
])("%s fits what a shell would find, by name", async (pattern, expected) => {
  await using folder = await folderWith(...names);

  expect(folder.find(pattern)).toEqual(expected);
});

test("an absolute pattern and one that climbs out of the folder work as well", async () => {
  await using folder = await folderWith("a/1.json", "b/keep");

  expect(folder.find(join(folder.path, "a", "*.json"))).toEqual([join(folder.path, "a", "1.json")]);
  expect(findReportFiles(["../a/*.json"], join(folder.path, "b"))).toEqual(["../a/1.json"]);
});

test("a name without a pattern is taken as it is, and a file with a star in its name is that file", async () => {
  await using folder = await folderWith("a*.json", "ab.json");

  expect(folder.find("missing.json", "a*.json")).toEqual(["missing.json", "a*.json"]);
});

test("a file that several patterns find counts once, and links to files are files", async () => {
  await using folder = await folderWith("r/1.json", "r/2.json");
  symlinkSync("1.json", join(folder.path, "r/3.json"));
  symlinkSync("nowhere", join(folder.path, "r/4.json"));

  expect(folder.find("r/*.json", "r/1.*")).toEqual(["r/1.json", "r/2.json", "r/3.json"]);
});

test("a linked folder is looked into where a pattern names its level, and never by `**`, which could go round in circles", async () => {
  await using folder = await folderWith("real/1.json");
  symlinkSync("real", join(folder.path, "linked"));
  symlinkSync(".", join(folder.path, "real/again"));

  expect(folder.find("*/1.json")).toEqual(["linked/1.json", "real/1.json"]);
  expect(folder.find("**/1.json")).toEqual(["real/1.json"]);
});

test.each(["reports/*.xml", "nowhere/*.json", "**/missing.json"])(
  "%s fits nothing, and that is an error",
  async (pattern) => {
    await using folder = await folderWith(...names);

    expect(() => folder.find("reports/eval-result.json", pattern)).toThrow(
      expect.objectContaining({
        code: "report-invalid",
        path: pattern,
        message: `no files match ${pattern}`,
      }),
    );
  },
);

test("files with commas between them get a hint to separate them by spaces", async () => {
  await using folder = await folderWith(...names, "a,b.json");

  expect(() => folder.find("reports/eval-result-1.json,reports/eval-result-2.json")).toThrow(
    expect.objectContaining({
      code: "report-invalid",
      hint: "separate them with spaces: reports/eval-result-1.json reports/eval-result-2.json",
    }),
  );
  expect(folder.find("a,b.json")).toEqual(["a,b.json"]);
});
