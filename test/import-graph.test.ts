import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");
const isProduction = (file: string) => /\.tsx?$/.test(file) && !/\.(test|contract)\.tsx?$/.test(file);
const files = ["src", "web"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((file) => join(folder, file))
    .filter(isProduction),
);
const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));

test("no two folders import each other", () => {
  const imports = new Map<string, string>();
  for (const [file, text] of sources)
    for (const [, specifier = ""] of text.matchAll(/(?:from |import\(|import )\s*"(\.{1,2}\/[^"]+)"/g)) {
      const target = relative(root, resolve(root, dirname(file), specifier));
      const [from, to] = [dirname(file), dirname(target)];
      if (from !== to && sources.has(target)) imports.set(`${from} → ${to}`, `${file} imports ${target}`);
    }

  expect(imports.size).toBeGreaterThan(100);
  const mutual = [...imports.keys()].filter((pair) => imports.has(pair.split(" → ").reverse().join(" → ")));
  expect(mutual.map((pair) => imports.get(pair))).toEqual([]);
});

test("files are neither crumbs nor mountains", () => {
  const sizes = [...sources].map(([file, text]) => ({ file, lines: text.split("\n").length - 1 }));
  const ordered = sizes.map(({ lines }) => lines).sort((a, b) => a - b);

  expect(sizes.filter(({ lines }) => lines > 300).map(({ file }) => file)).toEqual([]);
  expect(sizes.filter(({ lines }) => lines < 25).length).toBeLessThan(120);
  expect(ordered[Math.floor(ordered.length / 2)]).toBeGreaterThan(49);
});
