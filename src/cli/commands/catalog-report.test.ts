import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { apart, catalogProject } from "../../../test/catalog-project.ts";

test("a catalog that leaves itself alone is reported in a few lines, and nothing is left behind", async () => {
  await using project = await catalogProject();

  const { stdout, stderr, exitCode } = await project.run(["catalog", "report"]);

  expect(exitCode).toBe(0);
  expect(stdout).toContain("2 skills   5 queries that a skill should handle   judge: router (lexical)");
  expect(stdout).toContain("leases        3  100.0%  43.9–100.0    100.0%  0.0%");
  expect(stdout).not.toContain("Steals");
  expect(stdout.trimEnd().split("\n").at(-1)).toBe("catalog: 5 of 5 queries get their skill (100.0%)");
  expect(stderr).toBe(
    "no model configured: the router judges by words, without understanding the text (--judge-model asks a model)\n",
  );
  expect(existsSync(join(project.cwd, "eval-skills.db"))).toBe(false);
});

test("steals, shared triggers and tool names are reported with the words that did it", async () => {
  await using project = await catalogProject();
  project.put("bargains", {
    description: "Finds a bargain lease and checks it.",
    triggers: "check the lease; Contract Review",
  });
  for (const id of ["ledger", "totals"]) {
    const meta = { id, name: id, version: "1.0.0", description: `Adds up the ${id}.` };
    const schema = { type: "object", properties: {} };
    const tools = [{ name: "add_up", description: "Adds.", parameters: schema }];
    project.write(
      `skills/${id}/skill.json`,
      JSON.stringify({ schema_version: "ah32.skill.v1", meta, entry: { system_prompt: "SYSTEM.md" }, tools }),
    );
    project.write(`skills/${id}/SYSTEM.md`, "Add it up.");
    project.write(`skills/${id}/scripts/add_up.py`, "def add_up():\n    return 1\n");
  }

  const { document, exitCode } = await project.run(["catalog", "report", "--json"]);
  const { stdout } = await project.run(["catalog", "report"]);

  expect(exitCode).toBe(0);
  expect(document).toMatchObject({
    command: "catalog report",
    skills: 5,
    queries: 5,
    unanswered: 0,
    exitCode: 0,
  });
  expect(document.untested).toEqual(["bargains", "ledger", "totals"]);
  const [steal] = document.steals;
  expect(steal).toMatchObject({ from: "leases", to: "bargains", share: { of: 3 } });
  expect(steal.queries[0].because).toContain("trigger Contract Review");
  expect(document.collisions.triggers).toEqual([
    { name: "check the lease", skills: ["bargains", "leases"] },
    { name: "contract review", skills: ["bargains", "leases"] },
  ]);
  expect(document.collisions.tools).toEqual([{ name: "add_up", skills: ["ledger", "totals"] }]);
  expect(document.selfRouting[0].skillId).toBe("leases");
  expect(stdout).toContain("`bargains` takes");
  expect(stdout).toContain("add_up: `ledger`, `totals`");
});

test("an example of a manifest is a query, and does not find its own skill", async () => {
  await using project = await catalogProject();
  const meta = { id: "ledger", name: "ledger", version: "1.0.0", description: "Adds up." };
  const routing = { examples: ["zebra quagga okapi"] };
  project.write(
    "skills/ledger/skill.json",
    JSON.stringify({ schema_version: "ah32.skill.v1", meta, entry: { system_prompt: "SYSTEM.md" }, routing }),
  );
  project.write("skills/ledger/SYSTEM.md", "Add it up.");

  const { document } = await project.run(["catalog", "report", "--json"]);

  expect(document.selfRouting[0]).toMatchObject({ skillId: "ledger", queries: 1, none: { count: 1, of: 1 } });
});

test("--off-topic names requests of one's own; what they load is reported", async () => {
  await using project = await catalogProject();
  project.write("chat.txt", "\ufeffhow are you\n\nmake a deck of cards vanish\n how are you \n");
  project.write("empty.txt", "\n \n");

  const { document } = await project.run(["catalog", "report", "--off-topic", "chat.txt", "--json"]);
  const empty = await project.run(["catalog", "report", "--off-topic", "empty.txt"]);
  const none = await project.run(["catalog", "report", "--off-topic", "nope.txt"]);

  expect(document.offTopic).toMatchObject({
    ...{ judge: "router (lexical)", count: 1, of: 2, unanswered: 0 },
    queries: [{ query: "make a deck of cards vanish", chosen: "decks" }],
  });
  expect([empty.exitCode, none.exitCode]).toEqual([2, 2]);
  expect(empty.stderr).toContain("empty.txt: contains no requests");
});

test("skills that cannot be read or share an id are reported and take no part; filters leave others out", async () => {
  await using project = await catalogProject();
  project.write("skills/broken/SKILL.md", "---\nname: [\n---\n");
  project.put("decks", { description: "Another.", triggers: "other" }, "skills/z");

  const { document, exitCode } = await project.run(["catalog", "report", "--allow", "decks", "--json"]);

  expect([exitCode, document.exitCode]).toEqual([2, 2]);
  expect(document).toMatchObject({ skills: 2, eligible: 1, queries: 2 });
  expect(document.notLoaded).toEqual([
    { path: "skills/broken", code: "SKM02", reason: expect.stringContaining("skills/broken/SKILL.md:3") },
  ]);
  expect(document.duplicates).toEqual([{ id: "decks", paths: ["skills/decks", "skills/z/decks"] }]);
  expect(document.warnings).toEqual([
    `skills/broken not loaded: ${document.notLoaded[0].reason}`,
    "the id decks is there more than once: skills/decks counts, not skills/z/decks",
  ]);
});

test("a judge of all cards is asked about off-topic requests too; where it does not answer, that is exit 3", async () => {
  const expectedSkill = (query: string) => (query.includes("deck") ? "decks" : "leases");
  await using project = await catalogProject(apart, ({ query }) =>
    query.includes("penguins") ? 500 : `CHOICE=${expectedSkill(query)} REASON=It says so.`,
  );
  project.write("chat.txt", "how are you\n");
  const argv = [
    "catalog",
    "report",
    "--judge",
    "catalog",
    "--judge-model",
    "lab/judge",
    "--off-topic",
    "chat.txt",
  ];

  const { document, exitCode } = await project.run([...argv, "--json"]);
  const allowed = await project.run([...argv, "--max-invalid", "1"]);

  expect(exitCode).toBe(3);
  expect(document).toMatchObject({
    queries: 5,
    unanswered: 1,
    offTopic: { judge: "catalog", count: 1, of: 1 },
  });
  expect(document.judges).toMatchObject([{ kind: "catalog", model: "lab/judge" }]);
  expect(document.selfRouting).toMatchObject([
    { skillId: "leases", top1: { count: 3, of: 3 } },
    { skillId: "decks", top1: { count: 1, of: 1 } },
  ]);
  expect(allowed.exitCode).toBe(0);
  expect(allowed.stdout).toContain("1 without an answer");
});

test("a judge of one card at a time knows no first choice and no steal", async () => {
  await using project = await catalogProject(apart, () => "DECISION=NO REASON=Never.");

  const { document } = await project.run(["catalog", "report", "--judge-model", "lab/judge", "--json"]);

  expect(document.selfRouting[0]).toMatchObject({ top1: null, none: null, selected: { count: 0, of: 3 } });
  expect(document.steals).toEqual([]);
  expect(document.offTopic.judge).toBe("router (lexical)");
});
