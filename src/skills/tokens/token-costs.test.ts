import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { Diagnostics } from "../../contract/diagnostics.ts";
import type { TokenCosts } from "../../contract/skill-facts.ts";
import { describeSkill } from "../describe-skill.ts";
import { SkillFolder } from "../folder/skill-folder.ts";
import { countTokens } from "./count-tokens.ts";
import { tokenCosts } from "./token-costs.ts";

type Files = Record<string, string | Uint8Array>;

async function countCosts(files: Files, links: Record<string, string> = {}): Promise<TokenCosts> {
  await using temporary = await temporaryFolder();
  const dir = join(temporary.path, "forms");
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(dir, path));
  const folder = new SkillFolder(dir);
  const skill = await describeSkill(folder, "project", new Diagnostics("lenient", folder.name));
  if (skill === null) throw new Error("no skill");
  return tokenCosts(skill, folder);
}

const agent = { "SKILL.md": "---\nname: forms\ndescription: Fills forms.\n---\n# Steps\r\n\r\n1. Read.\r\n" };

test("name and description, the body as a model is given it, and the texts it may ask for", async () => {
  const costs = await countCosts({ ...agent, "references/a.md": "one two", "data.csv": "three" });

  expect(costs).toEqual({
    metadata: await countTokens("forms\nFills forms."),
    body: await countTokens("# Steps\n\n1. Read.\n"),
    resources: 3,
    isCapped: false,
  });
});

test("the prompt of a prompt-tool is its body, the whole of it", async () => {
  const manifest = {
    schema_version: "ah32.skill.v1",
    meta: { id: "forms", name: "Forms", description: "Fills forms." },
    entry: { system_prompt: "SYSTEM.md" },
  };
  const prompt = "---\nrule\n---\nFill the form.";

  const costs = await countCosts({ "skill.json": JSON.stringify(manifest), "SYSTEM.md": prompt });

  expect(costs).toMatchObject({ body: await countTokens(prompt), resources: 0 });
});

test.each<[string, Files]>([
  ["a script", { "scripts/run.py": "print()" }],
  ["eval material", { "eval.yaml": "x: 1", "evals/a.json": "{}", "tests/a.eval.json": "[]" }],
  ["what is not text", { "a.txt": Buffer.from([0xff, 0xfe]), "b.md": "a\0b", "c.png": "x" }],
  ["hidden folders and dependencies", { ".git/a.md": "x", "node_modules/a/b.md": "x" }],
  ["what an agent is refused", { "big.txt": "x ".repeat(1_000_001) }],
])("%s costs nothing", async (_, files) => {
  expect(await countCosts({ ...agent, ...files })).toMatchObject({ resources: 0, isCapped: false });
});

test("beyond half a million characters it is the least it costs, and links in circles end", async () => {
  const { resources, isCapped } = await countCosts({ ...agent, "a.txt": "word ".repeat(150_000) });
  expect([isCapped, resources > 99_000 && resources < 101_000]).toEqual([true, true]);

  const circles = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`link${n}`, "."]));
  expect(await countCosts(agent, circles)).toMatchObject({ resources: 0, isCapped: false });
});
