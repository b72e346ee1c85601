import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { type Block, readBlocks } from "./guide-blocks.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const root = resolve(import.meta.dirname, "..");
const execute = promisify(execFile);
const readCode = (guide: string): Block[] =>
  readBlocks(readFileSync(join(root, "docs/guides", guide), "utf8")).filter(
    ({ language }) => language === "ts",
  );

/** The compiler errors of a project. */
async function complaints(cwd: string, ...argv: string[]): Promise<string> {
  const tsc = join(root, "node_modules/.bin/tsc");
  const { stdout } = await execute(tsc, argv, { cwd }).catch((error: { stdout: string }) => error);
  return stdout;
}

test("the adapter of the guide compiles, and the adapter contract passes over it", {
  timeout: 90_000,
}, async () => {
  await using project = await temporaryFolder();
  const at = (name: string) => join(project.path, name);
  mkdirSync(at("node_modules"));
  symlinkSync(root, at("node_modules/eval-skills"));
  symlinkSync(join(root, "node_modules/vitest"), at("node_modules/vitest"));
  writeFileSync(at("package.json"), JSON.stringify({ type: "module" }));
  const [plugPoint, ...files] = readCode("write-an-adapter.md");
  for (const { file, text } of files) writeFileSync(at(file ?? ""), text);
  // The interface as the page shows it, and the real one: each will do for the other.
  writeFileSync(
    at("plug-point.ts"),
    `import type { Adapter as Real, Json, Outcome } from "eval-skills";
export ${plugPoint?.text}
export const there = (adapter: Real): Adapter => adapter;
export const back = (adapter: Adapter): Real => adapter;
`,
  );
  const options =
    "--noEmit --strict --skipLibCheck --allowImportingTsExtensions --target es2023 --module nodenext";
  const types = [
    "--lib",
    "es2023,esnext.disposable",
    "--types",
    "node",
    "--typeRoots",
    join(root, "node_modules/@types"),
  ];
  const sources = ["plug-point.ts", ...files.map(({ file }) => file ?? "")];

  expect(await complaints(project.path, ...options.split(" "), ...types, ...sources)).toBe("");
  const ran = await execute(
    process.execPath,
    [join(root, "node_modules/vitest/vitest.mjs"), "run", "--root", project.path],
    { cwd: project.path, env: { PATH: process.env.PATH, NO_COLOR: "1" } },
  ).catch((error: { stdout: string; stderr: string }) => error);

  expect(ran.stdout, ran.stderr).toMatch(/Tests {2}\d\d passed \(\d\d\)/);
});

test("the scorer type of the guide compiles, once its name is in the list and its case in the switch", async () => {
  await using project = await temporaryFolder();
  const at = (name: string) => join(project.path, name);
  cpSync(join(root, "src"), at("src"), { recursive: true, filter: (path) => !/\.test\.ts$/.test(path) });
  for (const name of ["node_modules", "package.json", "tsconfig.json"])
    symlinkSync(join(root, name), at(name));
  const [scorer] = readCode("write-a-scorer.md");
  writeFileSync(at(scorer?.file ?? ""), scorer?.text ?? "");
  const edit = (file: string, before: string, after: string) => {
    const text = readFileSync(at(file), "utf8");
    expect(text).toContain(before);
    writeFileSync(at(file), text.replace(before, after));
  };
  const inSrc = ["--noEmit", "-p", "tsconfig.src.json"];
  writeFileSync(
    at("tsconfig.src.json"),
    JSON.stringify({ extends: "./tsconfig.json", include: ["src/scorers"] }),
  );

  edit("src/contract/scorer-type.ts", '"close_to",', '"close_to",\n  "word_count",');
  expect(await complaints(project.path, ...inSrc)).toMatch(/choose-scorer\.ts.*'"word_count"'.*'never'/);

  edit(
    "src/scorers/choose-scorer.ts",
    'case "custom":',
    'case "word_count": return wordCount(request);\n    case "custom":',
  );
  edit("src/scorers/choose-scorer.ts", "  exact_match: [],", "  exact_match: [],\n  word_count: [],");
  edit("src/scorers/choose-scorer.ts", "import", 'import { wordCount } from "./word-count.ts";\nimport');
  expect(await complaints(project.path, ...inSrc)).toBe("");
});
