import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { capturedCli } from "../../../test/captured-world.ts";
import { type SampleRun, writeHistory } from "../../../test/sample-history.ts";

const base = {
  name: "Weather",
  version: "1.0.0",
  description: "Tells the weather",
  tags: ["web"],
  adapterType: "http",
  entrypoint: "http://127.0.0.1:1/",
};

/** A project whose folder `skills` holds these, with these runs behind it. */
async function openProject(skills: Record<string, object | string>, runs: readonly SampleRun[] = []) {
  const cli = await capturedCli();
  for (const [id, content] of Object.entries(skills)) {
    const dir = join(cli.cwd, "skills", id);
    mkdirSync(dir, { recursive: true });
    if (typeof content === "string") writeFileSync(join(dir, "SKILL.md"), content);
    else writeFileSync(join(dir, "skill.json"), JSON.stringify({ id, ...base, ...content }));
  }
  if (runs.length > 0) await writeHistory(join(cli.cwd, "eval-skills.db"), runs);
  const ids = async (...argv: string[]) =>
    (await cli.run(["find", ...argv, "--json"])).document.skills.map(({ id }: { id: string }) => id);
  return { ...cli, ids };
}

test("the document has exactly what it should have", async () => {
  await using project = await openProject({ weather_v1: {} }, [{ minute: 1, rates: { weather_v1: 2 / 3 } }]);

  const { document, exitCode } = await project.run(["find", "--query", "weather", "--json"]);

  expect(exitCode).toBe(0);
  expect(document).toEqual({
    schemaVersion: 1,
    command: "find",
    skills: [
      {
        id: "weather_v1",
        aliases: [],
        name: "Weather",
        version: "1.0.0",
        kind: "unit",
        adapterType: "http",
        tags: ["web"],
        description: "Tells the weather",
        path: "skills/weather_v1/skill.json",
        relevance: 5,
        completionRate: 0.6667,
        tokens: { metadata: 8, body: 0, resources: 0, isCapped: false },
      },
    ],
    total: 1,
    problems: [],
  });
});

test("with words the best fit is first, ties by id; without, who did best, and who did nothing yet is last", async () => {
  await using project = await openProject(
    { c: { name: "Other" }, b: {}, a: {}, d: { name: "Weather weather", tags: ["weather"] } },
    [
      { minute: 1, rates: { a: 1, b: 0.2 } },
      { minute: 2, rates: { b: 0.9, c: 0.95 } },
    ],
  );

  expect(await project.ids("-q", "weather")).toEqual(["d", "a", "b", "c"]);
  expect(await project.ids()).toEqual(["a", "c", "b", "d"]);
});

test("the historical rate is the mean over benchmarks of the newest finished run of each", async () => {
  await using project = await openProject({ a: {} }, [
    { minute: 1, rates: { a: 0 } },
    { minute: 2, rates: { a: 1 } },
    { minute: 3, rates: { a: 0.5 }, benchmarkId: "other" },
    { minute: 4, rates: { a: 0 }, benchmarkId: "other", state: "interrupted" },
    { minute: 5, rates: { a: null }, benchmarkId: "third" },
    { minute: 6, rates: { a: 0, b: 1 }, benchmarkId: "triggering", level: "trigger" }, // says nothing about how well it works
  ]);

  const { document } = await project.run(["find", "--json"]);

  expect(document.skills[0].completionRate).toBe(0.75);
});

test("--min-completion drops who is below and who has no history, and says how many of those", async () => {
  await using project = await openProject({ a: {}, b: {}, c: {}, d: {} }, [
    { minute: 1, rates: { a: 0.7, b: 0.69999 } },
  ]);

  const { document, stderr } = await project.run(["find", "--min-completion", "0.7", "--json"]);

  expect(document.skills.map(({ id }: { id: string }) => id)).toEqual(["a"]);
  expect(stderr).toBe("2 skills without history left out\n");
});

test("tags, adapter and limit narrow the list; total counts all that fit", async () => {
  await using project = await openProject({
    a: { tags: ["Web", "data"] },
    b: {},
    c: { adapterType: "subprocess", entrypoint: "true" },
    d: "---\nname: d\ndescription: instructions\n---\n",
  });

  expect(await project.ids("--tag", "web", "DATA")).toEqual(["a"]);
  expect(await project.ids("-t", "web", "-t", "data")).toEqual(["a"]);
  expect(await project.ids("-a", "http")).toEqual(["a", "b"]);
  const limited = await project.run(["find", "--limit", "1", "--json"]);
  expect(limited.document).toMatchObject({ skills: [{ id: "a" }], total: 4 });
  expect(limited.stderr).toContain("3 more");
});

test("without options at most 20 are shown", async () => {
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`s${n}`, {}]));
  await using project = await openProject(many);

  expect(await project.ids()).toHaveLength(20);
});

test("a broken skill is a warning and a problem, and hides no other", async () => {
  await using project = await openProject({ good: {}, bad: { version: "one" } });

  const { document, stderr, exitCode } = await project.run(["find", "--json"]);

  expect(exitCode).toBe(0);
  expect(document.skills).toHaveLength(1);
  expect(document.problems).toEqual([
    {
      path: "skills/bad/skill.json",
      message: expect.stringMatching(/^skills\/bad\/skill\.json:1:\d+: version "one" must match X\.Y\.Z$/),
    },
  ]);
  expect(stderr).toMatch(/^warning: .*bad.skill\.json/);
  expect(stderr).toContain("1 invalid skill left out; run `eval-skills doctor ./skills` for details\n");
});

test("no match is exit 0 with an empty list and a friendly line", async () => {
  await using project = await openProject({ a: {} });

  const json = await project.run(["find", "--query", "nothing like it", "--json"]);
  expect(json).toMatchObject({ exitCode: 0, document: { skills: [], total: 0 } });
  const text = await project.run(["find", "--query", "nothing like it"]);
  expect(text).toMatchObject({ exitCode: 0, stdout: "", stderr: expect.stringContaining("no skill") });
});

test.each([
  [["--skills-dir", "skilss"], "skill-not-found"],
  [["--skills-dir", "empty"], "skill-not-found"],
  [["--skills-dir", ""], "usage"],
  [["--limit", "0"], "usage"],
  [["--limit", "many"], "usage"],
  [["--min-completion", "80%"], "usage"],
  [["--adapter", "htp"], "usage"],
  [["--query", " "], "usage"],
  [["--store", ""], "usage"],
  [["--store", "skills"], "store-unusable"],
  [["--tags", "x"], "usage"],
  [["weather"], "usage"],
])("%j is exit 2 with %s", async (argv, code) => {
  await using project = await openProject({ a: {} });
  mkdirSync(join(project.cwd, "empty"));

  const { exitCode, document } = await project.run(["find", ...argv, "--json"]);

  expect([exitCode, document.error.code, document.command]).toEqual([2, code, "find"]);
});

test("a store that is not there is no history, and is not created; one that was named is worth a warning", async () => {
  await using project = await openProject({ a: {} });

  expect((await project.run(["find"])).stderr).toBe("");
  expect((await project.run(["find", "--store", "gone.db"])).stderr).toContain("store not found: gone.db");

  expect(existsSync(join(project.cwd, "eval-skills.db"))).toBe(false);
  expect(existsSync(join(project.cwd, "gone.db"))).toBe(false);
});

test("on a terminal the list is coloured and fits", async () => {
  await using project = await openProject({ a: { description: "x", name: "n".repeat(200) } });

  const { stdout } = await project.run(["find"], { isTTY: true });

  expect(stdout).toContain("\u001b[1m");
  expect(stdout).toContain("Completion");
});
