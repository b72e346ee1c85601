import { existsSync, readFileSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { AdapterConfig } from "../src/contract/skill.ts";
import { answering, emptyProject } from "./built-cli.ts";

const root = resolve(import.meta.dirname, "..");
const readme = readFileSync(join(root, "README.md"), "utf8");

const guides = ["docs/guides/write-a-skill.md", "docs/guides/write-a-benchmark.md"];

/** The `json` blocks of a page. */
function jsonBlocksOf(page: string): string[] {
  return [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, block]) => block ?? "");
}

/** The lines of every `sh` block of a page, comments left out. */
function commandsOf(page: string): string[] {
  return [...page.matchAll(/```sh\n([\s\S]*?)```/g)]
    .flatMap(([, block]) => (block ?? "").split("\n"))
    .map((line) => line.replace(/\s+#.*$/, "").trim())
    .filter((line) => line !== "");
}

describe("the README", () => {
  test("every eval-skills command in it runs as written, in its order, in an empty folder", async () => {
    await using place = await emptyProject();
    const commands = commandsOf(readme).filter((line) => line.startsWith("eval-skills "));
    expect(commands.length).toBeGreaterThan(10);

    for (const command of commands) {
      const { code, stdout, stderr } = await place.run(command.split(" ").slice(1));
      // After a finished run there is nothing to resume, which is what the command then has to say.
      const expected = command.endsWith("--resume") ? 2 : 0;
      expect(code, `${command}\n${stdout}${stderr}`).toBe(expected);
    }
  });

  test("the other commands are npm scripts that exist, or look at files that were made", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const others = commandsOf(readme).filter((line) => !line.startsWith("eval-skills "));
    expect(others).toEqual(["npm start", "npm test", "cat ./reports/eval-result.md"]);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(["start", "test", "check", "bench", "fix"]));
  });

  test("every JSON example in it is JSON", () => {
    for (const block of jsonBlocksOf(readme)) {
      const documents = block.includes('"jsonrpc"') ? block.trim().split("\n") : [block];
      for (const text of documents) expect(() => JSON.parse(text)).not.toThrow();
    }
  });
});

describe("the guides", () => {
  const [skillGuide = "", benchmarkGuide = ""] = guides.map((page) => readFileSync(join(root, page), "utf8"));

  test("every adapter configuration in them is one we read, with no key we do not know", () => {
    const configs = jsonBlocksOf(skillGuide).filter((block) => block.includes('"type"'));
    expect(configs).toHaveLength(2);
    for (const text of configs) expect(AdapterConfig.parse(JSON.parse(text))).toMatchObject(JSON.parse(text));
  });

  test("their tasks and their scorer run as written", async () => {
    await using place = await emptyProject();
    const [tasks = ""] = jsonBlocksOf(benchmarkGuide);
    const [, scorer = ""] = /```js\n([\s\S]*?)```/.exec(benchmarkGuide) ?? [];
    await place.skill("fibonacci", answering("return { result: [1, 1, 2, 3] };"));
    await mkdir(place.at("scorers"));
    await writeFile(place.at("tasks.json"), tasks);
    await writeFile(place.at("scorers/fibonacci.mjs"), scorer);
    const line = "eval --skills skills/fibonacci --tasks tasks.json --json".split(" ");

    expect((await place.run([...line, "--dry-run"])).document).toMatchObject({ tasks: 7, warnings: [] });
    const { document } = await place.run([...line, "--case", "own-module"]);

    expect(document.reports[0].taskResults[0]).toMatchObject({ status: "pass", score: 1 });
  });
});

describe("the pages", () => {
  test("every relative link leads to a file", async () => {
    const pages = [
      "README.md",
      "AGENTS.md",
      "bench/README.md",
      "docs/architecture.md",
      "docs/glossary.md",
      ...guides,
    ];
    for (const page of pages) {
      const text = readFileSync(join(root, page), "utf8");
      for (const [, target] of text.matchAll(/\]\(([^)#:]+)\)/g)) {
        expect(existsSync(join(root, dirname(page), target ?? "")), `${page}: ${target}`).toBe(true);
      }
    }
  });

  test("the map names every folder of src, and no other", async () => {
    const map = readFileSync(join(root, "AGENTS.md"), "utf8");
    const named = [...map.matchAll(/^\| `src\/([a-z]+)\/`/gm)].map(([, name]) => name).sort();
    const folders = (await readdir(join(root, "src"), { withFileTypes: true }))
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
    expect(named).toEqual(folders);
  });

  test("every dependency has its reason in a decision record", async () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const folder = join(root, "docs/decisions");
    const records = (await readdir(folder)).map((name) => readFileSync(join(folder, name), "utf8"));
    for (const name of Object.keys(dependencies)) {
      expect(
        records.some((text) => text.includes(name)),
        name,
      ).toBe(true);
    }
    for (const text of records) expect(text.split("\n").length).toBeLessThan(40);
  });

  test("the lockfile names no registry host", () => {
    const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
    const resolved = Object.values(lock.packages as Record<string, { resolved?: string }>).map(
      (entry) => entry.resolved,
    );
    expect(resolved.filter((address) => address !== undefined)).toEqual([]);
  });
});
