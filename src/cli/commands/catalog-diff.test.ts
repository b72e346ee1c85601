import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { apart, catalogProject, hasGit, type ShownSkill } from "../../../test/catalog-project.ts";
import { httpServer, readBody } from "../../../test/local-server.ts";

const decks = apart.decks as ShownSkill;
/** The sibling, edited to copy the triggers of the contracts. */
const thief = {
  ...decks,
  triggers: "build slides; make a deck; contract review; check the lease",
  description: "Builds a deck from notes. Contract review: check the lease.",
};

async function editedProject() {
  const project = await catalogProject({});
  for (const [id, skill] of Object.entries(apart)) {
    project.put(id, skill, "before");
    project.put(id, id === "decks" ? thief : skill);
  }
  return project;
}

const isGitThere = hasGit();
const argv = ["catalog", "diff", "--base", "./before"];

test("a skill edited to copy a sibling's triggers: its queries moved, with both names", async () => {
  await using project = await editedProject();

  const { stdout, exitCode } = await project.run(argv);
  const { document } = await project.run([...argv, "--json"]);
  const failing = await project.run([...argv, "--fail-on-steal"]);

  expect(stdout).toContain("the edit of `decks` took 2 of 3 queries of `leases`");
  expect(stdout.trimEnd().split("\n").at(-1)).toBe("routing: 2 queries of 1 skill moved (2 moved, 5 kept)");
  expect([exitCode, document.exitCode, failing.exitCode]).toEqual([0, 0, 1]);
  expect(document).toMatchObject({
    base: "./before",
    counts: { moved: 2, lost: 0, gained: 0, kept: 5, "still-wrong": 0, unknown: 0 },
    moved: [{ from: "leases", to: "decks", count: 2, of: 3, isEdited: true, isInconclusive: false }],
    flipRate: null,
    newQueries: [],
    added: [],
    removed: [],
  });
  const isMoved = ({ change }: { change: string }) => change === "moved";
  expect(document.queries.find(isMoved)).toMatchObject({
    ...{ skillId: "leases", meantFor: "leases", change: "moved", before: "leases", after: "decks" },
    because: expect.stringContaining("trigger contract review"),
  });
  expect(document.skills).toMatchObject([
    {
      skillId: "leases",
      isEdited: false,
      recall: { before: { count: 3, of: 3 }, after: { count: 1, of: 3 } },
      leftAlone: { before: { count: 1, of: 1 }, after: { count: 1, of: 1 } },
      ...{ gained: 0, lost: 2, mcnemarP: 0.5, verdict: "worse" },
    },
    { skillId: "decks", isEdited: true, queries: 3, verdict: "same" },
  ]);
});

test("an edit of the body alone is none, and changes nothing", async () => {
  await using project = await editedProject();
  project.put("decks", decks);
  project.write(
    "skills/decks/SKILL.md",
    `${readFileSync(join(project.cwd, "skills/decks/SKILL.md"))}More.\n`,
  );

  const { document, exitCode } = await project.run([...argv, "--fail-on-steal", "--json"]);

  expect(exitCode).toBe(0);
  expect(document.counts).toMatchObject({ kept: 7, moved: 0 });
  expect(document.skills.map(({ isEdited }: { isEdited: boolean }) => isEdited)).toEqual([false, false]);
});

test("the base's queries are asked as they were; new ones, and skills that came or went, are listed apart", async () => {
  await using project = await editedProject();
  project.put("decks", { ...decks, should_match: ["build slides about penguins", "make a deck, please"] });
  project.put("poems", {
    description: "Writes a poem.",
    triggers: "write a poem",
    should_match: ["write a poem about rain"],
  });
  project.put(
    "songs",
    { description: "Writes a song.", triggers: "write a song", should_match: ["write a song"] },
    "before",
  );

  const { document } = await project.run([...argv, "--json"]);
  const { stdout } = await project.run(argv);

  expect(document.newQueries).toMatchObject([
    { skillId: "decks", query: "make a deck, please", isRight: true },
    { skillId: "poems", query: "write a poem about rain", isRight: true, chosen: "poems" },
  ]);
  expect(document.added).toEqual(["poems"]);
  expect(document.removed).toEqual([{ skillId: "songs", queries: 1 }]);
  const dropped = document.queries.filter(({ isDropped }: { isDropped: boolean }) => isDropped);
  expect(dropped).toMatchObject([{ query: "make a deck for the board", change: "kept" }]);
  expect(stdout).toContain("2 new queries: 2 right");
  expect(stdout).toContain("removed: `songs` (1 query)");
});

test("on GitHub each pair points at the edited description, and the page of the job gets the Markdown", async () => {
  await using project = await editedProject();
  const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: join(project.cwd, "summary.md") };

  const { stderr } = await project.run([...argv, "--fail-on-steal", "--output", "out/diff.md"], env);

  expect(stderr).toContain(
    "::error title=decks takes queries of leases,file=skills/decks/SKILL.md,line=3::the edit of `decks` took 2 of 3",
  );
  const markdown = readFileSync(join(project.cwd, "out/diff.md"), "utf8");
  expect(markdown).toContain("- the edit of **decks** took 2 of 3 queries of **leases**\n");
  expect(markdown).toContain("| leases |        | worse   | 100.0% |  33.3% |");
  expect(readFileSync(env.GITHUB_STEP_SUMMARY, "utf8")).toBe(`${markdown}\n`);
});

test("where a judge does not answer, its queries are unknown and that is exit 3, even beside a steal", async () => {
  await using project = await editedProject();
  project.configureUser('models: { lab: { baseUrl: "http://127.0.0.1:9/v1" } }\nllm: { retries: 0 }\n');
  const withModel = [...argv, "--judge", "catalog", "--judge-model", "lab/judge"];

  const { document, exitCode } = await project.run([...withModel, "--fail-on-steal", "--json"]);
  const allowed = await project.run([...withModel, "--max-invalid", "1"]);

  expect(exitCode).toBe(3);
  expect(document.counts).toMatchObject({ unknown: 7, moved: 0, kept: 0 });
  expect(document.flipRate).toMatchObject({ of: 0, rate: null });
  expect(allowed.exitCode).toBe(0);
});

test("a judge that may contradict itself is asked about the base twice, and what it flips by itself says nothing", async () => {
  const skills: Record<string, ShownSkill> = {
    calm: {
      description: "Calm.",
      triggers: "calm",
      should_match: ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"],
    },
    wild: {
      description: "Wild.",
      triggers: "wild",
      should_match: ["w0", "w1", "w2", "w3", "w4", "w5", "w6", "w7"],
    },
  };
  // Asked for the base once, once more, and for the new state: the card of `calm` says which.
  const times = new Map<string, number>();
  const reply = ({ query, prompt }: { query: string; prompt: string }) => {
    const isHead = prompt.includes("Calmer");
    const isAgain = !isHead && times.has(query);
    times.set(query, 1);
    const choice = query.startsWith("c")
      ? isHead
        ? "wild"
        : "calm"
      : query === "w0"
        ? isAgain
          ? "calm"
          : isHead
            ? "calm"
            : "wild"
        : "wild";
    return `CHOICE=${choice} REASON=It is.`;
  };
  await using project = await catalogProject(skills, reply);
  for (const [id, skill] of Object.entries(skills)) project.put(id, skill, "before");
  project.put("calm", { ...(skills.calm as ShownSkill), description: "Calmer." });
  const withModel = [...argv, "--judge", "catalog", "--judge-model", "lab/judge", "--fail-on-steal"];

  const { document, exitCode } = await project.run([...withModel, "--json"]);
  const { stdout } = await project.run(withModel);

  expect(project.questions.length).toBe(48); // the second run asks nobody
  expect(document.flipRate).toMatchObject({ count: 1, of: 16, rate: 0.0625 });
  expect(document.moved).toMatchObject([
    { sentence: "`wild` took 8 of 8 queries of `calm`, which was edited", isInconclusive: false },
    { from: "wild", to: "calm", count: 1, of: 8, isInconclusive: true },
  ]);
  expect(document.skills).toMatchObject([
    { skillId: "calm", verdict: "worse", mcnemarP: 0.007813 },
    { skillId: "wild", verdict: "inconclusive" },
  ]);
  expect(exitCode).toBe(1);
  expect(stdout).toContain("inconclusive: the edit of `calm` took 1 of 8 queries of `wild`");
  expect(stdout).toContain("contradicts itself on 1 of 16 queries");
});

test("a judge of one card reports what is gained and lost, and never that something moved", async () => {
  await using project = await catalogProject(apart, ({ prompt, query }) => {
    const isYes = prompt.includes("Builds") && query.includes("deck");
    return `DECISION=${isYes ? "YES" : "NO"} REASON=It says so.`;
  });
  for (const [id, skill] of Object.entries(apart)) project.put(id, skill, "before");
  project.put("decks", { ...decks, description: "Something else." });

  const { document } = await project.run([...argv, "--judge-model", "lab/judge", "--json"]);

  expect(document.counts).toMatchObject({ lost: 1, moved: 0, "still-wrong": 4, kept: 2 });
  expect(document.flipRate).toMatchObject({ count: 0, of: 7 });
});

test("where one state has vectors and the other has none, nothing is compared", async () => {
  await using project = await editedProject();
  await using embedder = await httpServer(async (request, response) => {
    const { input } = JSON.parse(await readBody(request)) as { input: string[] };
    const isEdited = input.some((text) => text.includes("Contract review: check"));
    response.statusCode = isEdited ? 500 : 200;
    response.setHeader("content-type", "application/json");
    const vector = (text: string) => [1, text.length % 7, text.length % 5, (text.codePointAt(0) ?? 0) % 11];
    const data = input.map((text, index) => ({ object: "embedding", index, embedding: vector(text) }));
    response.end(JSON.stringify({ object: "list", data, model: "tiny" }));
  });
  const other = { provider: "lab", model: "other", dim: 4 };
  const config = {
    models: { lab: { baseUrl: embedder.url } },
    llm: { retries: 0 },
    router: { embedding: { other } },
  };
  project.configureUser(config);

  const { document, exitCode } = await project.run([...argv, "--json"]);
  const report = await project.run(["catalog", "report", "--json"]);

  expect(exitCode).toBe(2);
  expect(document.error.message).toContain("the router has no vectors for");
  expect(document.error.message).toContain("in the new state");
  expect(report.document.warnings[0]).toContain("5 of 5 queries were routed by words only");
});

test("both states spend the same money", async () => {
  await using project = await editedProject();
  const withModel = [
    ...argv,
    "--judge",
    "catalog",
    "--judge-model",
    "lab/judge",
    "--concurrency",
    "1",
    "--json",
  ];

  const { document } = await project.run([...withModel, "--max-cost", "0.002"]);

  expect(project.questions.length).toBeLessThan(8);
  expect(document.counts.unknown).toBe(7);
});

test("tools that were renamed or removed are listed", async () => {
  await using project = await editedProject();
  const put = (folder: string, names: readonly string[]) => {
    const parameters = { type: "object", properties: { text: { type: "string" } } };
    const tools = names.map((name, at) => ({ name, description: `Does ${at}.`, parameters }));
    const meta = { id: "ledger", name: "ledger", description: "Adds up." };
    project.write(
      `${folder}/ledger/skill.json`,
      JSON.stringify({ schema_version: "ah32.skill.v1", meta, entry: {}, tools }),
    );
    project.write(`${folder}/ledger/SYSTEM.md`, "Add.");
    for (const name of names)
      project.write(`${folder}/ledger/scripts/${name}.py`, `def ${name}(text):\n    return text\n`);
  };
  put("before", ["sum_up", "count_words"]);
  put("skills", ["add_up"]);

  const { document } = await project.run([...argv, "--json"]);
  const { stdout } = await project.run(argv);

  expect(document.tools).toEqual([
    { skillId: "ledger", renamed: [{ from: "sum_up", to: "add_up" }], removed: ["count_words"], added: [] },
  ]);
  expect(stdout).toContain("tools of `ledger`: sum_up is now add_up; removed count_words");
});

test("a block of the base that is wrong is reported and left out; one of the new state is to be fixed", async () => {
  await using project = await editedProject();
  project.write("before/decks/eval.yaml", "triggering: nonsense\n");
  const pardoned = await project.run([...argv, "--json"]);
  project.write("skills/decks/eval.yaml", "triggering: nonsense\n");
  const refused = await project.run(argv);

  expect(pardoned.exitCode).toBe(0);
  expect(pardoned.document.warnings[0]).toContain("in the base: before/decks/eval.yaml");
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain("skills/decks/eval.yaml");
});

test("a base without queries is nothing to compare with, and no failure", async () => {
  await using project = await catalogProject();
  project.put("decks", { description: "Builds.", triggers: "build" }, "before");

  const { document, exitCode } = await project.run([...argv, "--json"]);

  expect(exitCode).toBe(0);
  expect(document.warnings).toEqual(["the base ./before has no queries, so there is nothing to compare"]);
  expect(document.newQueries.length).toBe(7);
});

test.each([
  [["catalog", "diff"], "missing required option --base"],
  [["catalog", "diff", "--base", "./nope"], "folder not found: ./nope"],
  [["catalog", "diff", "./nope", "--base", "main"], "folder not found: ./nope"],
  [["catalog", "diff", "--base", "-x"], "looks like an option"],
])("%j is exit 2: %s", async (words, message) => {
  await using project = await catalogProject();
  const { exitCode, stderr } = await project.run(words);

  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
});

test("without git, a ref cannot be looked for", async () => {
  await using project = await catalogProject();
  const { exitCode, stderr } = await project.run(["catalog", "diff", "--base", "main"], { PATH: "" });

  expect(exitCode).toBe(2);
  expect(stderr).toContain("no folder main, and git is not installed");
});

const git = ["catalog", "diff", "--base", "main"];

test.skipIf(!isGitThere)("a git ref is a base: the folder as it was there", async () => {
  await using project = await catalogProject();
  const nowhere = await project.run(["catalog", "diff", "--base", "main"]);
  project.commitAll();
  project.put("decks", thief);
  const oid = project.git("rev-parse", "--short=7", "HEAD").trim();

  const { document, exitCode } = await project.run([...git, "--fail-on-steal", "--json"]);

  expect(nowhere.exitCode).toBe(2);
  expect(nowhere.stderr).toContain("git failed in ./skills");
  expect(exitCode).toBe(1);
  expect(document.base).toBe(`main (${oid})`);
  expect(document.moved).toMatchObject([{ from: "leases", to: "decks", count: 2, isEdited: true }]);
  expect(document.warnings).toEqual([]);
});

test.skipIf(!isGitThere)("a ref that leads nowhere is reported with what to do", async () => {
  await using project = await catalogProject();
  project.commitAll();
  project.put("late", { description: "Late.", triggers: "late" }, "late");
  project.write("main/x", "");
  const refusals: [string[], string][] = [
    [["skills", "--base", "nope"], "--base nope is neither a folder nor a known git commit"],
    [["late", "--base", "HEAD"], "no folder late at HEAD ("],
    [["skills", "--base", "main"], "--base main is both a folder and a git ref"],
  ];

  for (const [words, message] of refusals) {
    const { exitCode, stderr } = await project.run(["catalog", "diff", ...words]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(message) });
    expect(stderr).toContain("hint: ");
  }
});
