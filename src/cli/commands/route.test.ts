import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { capturedCli } from "../../../test/captured-world.ts";
import { httpServer, readBody } from "../../../test/local-server.ts";

/** A folder of three skills, and an embedder that puts texts with the same first letters together. */
async function routeProject() {
  const cli = await capturedCli();
  const embedded: string[] = [];
  let isDown = false;
  const server = await httpServer(async (request, response) => {
    const { input } = JSON.parse(await readBody(request)) as { input: string[] };
    if (!isDown) embedded.push(...input);
    response.statusCode = isDown ? 500 : 200;
    response.setHeader("content-type", "application/json");
    const data = input.map((text, index) => ({ object: "embedding", index, embedding: embedText(text) }));
    response.end(
      JSON.stringify(isDown ? { error: { message: "down" } } : { object: "list", data, model: "tiny" }),
    );
  });
  const addSkill = (name: string, description: string, triggers = "") => {
    const metadata = triggers === "" ? "" : `metadata:\n  triggers: "${triggers}"\n`;
    mkdirSync(join(cli.cwd, "skills", name), { recursive: true });
    const text = `---\nname: ${name}\ndescription: ${description}\n${metadata}---\n\nDo it.\n`;
    writeFileSync(join(cli.cwd, "skills", name, "SKILL.md"), text);
  };
  addSkill(
    "contract-review",
    "Reviews contracts and finds risky clauses. 审阅合同，找出风险条款。",
    "合同; contract",
  );
  addSkill("slide-deck", "Builds slides for talks.", "slides; 创建PPT");
  addSkill("outline", "Writes an outline of a text. 写大纲。", "outline; 大纲");
  return {
    ...cli,
    addSkill,
    embedded,
    embedder: {
      han: { provider: "lab", model: "han", dim: 4 },
      other: { provider: "lab", model: "other", dim: 4 },
    },
    configure(router: object) {
      const config = { models: { lab: { baseUrl: `${server.url}/v1` } }, llm: { retries: 0 }, router };
      cli.configureUser(config);
    },
    goDown: () => {
      isDown = true;
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await cli[Symbol.asyncDispose]();
    },
  };
}

function embedText(text: string): number[] {
  const vector = [1, 1, 1, 1];
  for (const [at, letter] of [...text.slice(0, 40)].entries())
    (vector[at % 4] as number) += (letter.codePointAt(0) ?? 0) % 17;
  return vector;
}

test("a request gets its skills by rank, with scores and reasons, and no store is made", async () => {
  await using project = await routeProject();

  const { exitCode, document } = await project.run(["route", "不要创建PPT，只要大纲", "--all", "--json"]);
  const { stdout } = await project.run(["route", "don't build slides, write an outline instead", "--all"]);

  expect(exitCode).toBe(0);
  expect(document).toMatchObject({
    command: "route",
    mode: "lexical",
    fallbackReason: "no embedder",
    total: 3,
  });
  expect(
    document.skills.map(({ id, rank, excluded }: Record<string, unknown>) => [id, rank, excluded]),
  ).toEqual([
    ["outline", 1, null],
    ["slide-deck", null, "negated"],
    ["contract-review", null, "below-threshold"],
  ]);
  expect(document.skills[1].hits).toEqual([{ kind: "trigger", phrase: "创建PPT", negated: true }]);
  expect(stdout).toContain("mode lexical (no embedder)   3 skills, 3 eligible   min 0.20");
  expect(existsSync(join(project.cwd, "eval-skills.db"))).toBe(false);
});

test("a restart embeds nothing again; one edited skill is embedded once by each embedder", async () => {
  await using project = await routeProject();
  project.configure({ embedding: project.embedder });
  const ask = (query: string) => project.run(["route", query, "--json"]);
  await ask("contract");
  await ask("合同");
  const first = project.embedded.length;

  const again = await ask("contract");
  const unchanged = project.embedded.length - first;
  project.addSkill("outline", "Writes the outline of a talk.");
  await ask("contract");
  await ask("合同");

  expect(again.document).toMatchObject({ mode: "vectors", model: "lab/other" });
  expect(unchanged).toBe(0);
  expect(project.embedded.slice(first)).toHaveLength(2);
});

test("an embedder that is down leaves the choice to words, and says so; --require-vectors makes it an error", async () => {
  await using project = await routeProject();
  project.configure({ embedding: project.embedder });
  project.goDown();

  const fallen = await project.run(["route", "a contract", "--json"]);
  const required = await project.run(["route", "a contract", "--json", "--require-vectors"]);
  project.configure({});
  const none = await project.run(["route", "a contract", "--json", "--require-vectors"]);

  expect(fallen.exitCode).toBe(0);
  expect(fallen.document.mode).toBe("lexical");
  expect(fallen.stderr).toContain("routed without vectors");
  expect(required.document).toMatchObject({ error: { code: "no-verdict" }, exitCode: 3 });
  expect(none.document).toMatchObject({ error: { code: "usage" }, exitCode: 2 });
});

test.each([
  [["route", "x", "--skills-dir", "nowhere"], "skills folder not found: nowhere"],
  [["route", "x", "--min-score", "2"], "--min-score takes a number from 0 to 1"],
  [["route", "x", "--allow", "outlin"], "did you mean outline?"],
  [["route"], "route needs a <query>"],
])("%j is exit 2 with words that help", async (argv, words) => {
  await using project = await routeProject();

  const { exitCode, document } = await project.run([...argv, "--json"]);

  expect(exitCode).toBe(2);
  expect(`${document.error.message} ${document.error.hint}`).toContain(words);
});
