import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { reportFormats } from "../src/contract/format.ts";
import { levels } from "../src/levels/levels.ts";
import { rendered } from "../src/report/formats/format.contract.ts";
import { loadFormats } from "../src/report/formats/load-formats.ts";
import { holdsEvalMaterial } from "../src/sandbox/host/eval-content.ts";
import { levelSample } from "./level-samples.ts";

const root = join(import.meta.dirname, "..");

function isRecognized(name: string, content: string): boolean {
  const bytes = Buffer.from(content);
  return holdsEvalMaterial(name, () => [bytes.subarray(0, 4096), bytes.subarray(0, 65_536)]);
}

test("fault row 72: a report of every level in every format is recognized by its content", async () => {
  const missed: string[] = [];
  const formats = await loadFormats(reportFormats.filter((format) => format !== "terminal"));
  for (const level of levels) {
    const sample = await levelSample(level);
    for (const format of formats) {
      for (const csvRows of ["cells", "subjects"] as const)
        if (!isRecognized("notes", rendered(format, sample, { csvRows })))
          missed.push(`${level.name} as ${format.format}, rows of ${csvRows}`);
    }
  }
  expect(missed).toEqual([]);
});

test("fault row 72: every suite, case, bench and log of the examples is recognized by its content, and no other file", () => {
  const folders = ["examples", "benchmarks"];
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`),
  );
  const isCase = (path: string) =>
    /\.eval\.json$|\/(?:eval|suite|case)\.(?:ya?ml|json)$|\/evals\/choosing\/|events\.jsonl$|^benchmarks\/[^/]+\.json$|plans\.yaml$|quick\.yaml$/.test(
      path,
    );
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  const data = files.filter((path) => /\.(?:json|jsonl|ya?ml|md|txt|csv)$/.test(path));

  expect(data.filter((path) => isCase(path) && !isRecognized("notes.yaml", read(path)))).toEqual([]);
  expect(
    data.filter(
      (path) => !isCase(path) && !/expected|evals\//.test(path) && isRecognized("notes.yaml", read(path)),
    ),
  ).toEqual([]);
});
