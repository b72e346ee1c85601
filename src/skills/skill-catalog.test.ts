import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { systemClock } from "../shared/async/clock.ts";
import { discoverSkills } from "./discover/discover-skills.ts";
import { skillRoots } from "./discover/skill-roots.ts";
import { digestFolder } from "./folder/digest.ts";
import { openCatalog, type SkillSnapshot } from "./skill-catalog.ts";

const page = (name: string, description = "Sorts lists. Use when a list is out of order.") =>
  `---\nname: ${name}\ndescription: ${description}\n---\nSort it.\n`;

const unit = (more: object = {}) =>
  JSON.stringify({
    id: "calc",
    name: "Calculator",
    version: "1.0.0",
    description: "Adds numbers",
    adapterType: "subprocess",
    entrypoint: "cat",
    ...more,
  });

/** A project with these files and a catalog over its roots. To its clock all files look old, so that stamps are trusted. */
async function project(files: Record<string, string>, paths: string[] = []) {
  const folder = await temporaryFolder();
  const at = (path: string) => join(folder.path, path);
  const write = (path: string, content: string) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), content);
  };
  for (const [path, content] of Object.entries(files)) write(path, content);
  const roots = skillRoots({
    cwd: folder.path,
    project: [".agent/skills", ".agents/skills", ".claude/skills"],
    home: at("home"),
    builtin: at("product"),
  });
  const clock = { ...systemClock, now: () => Date.now() + 60_000 };
  const discover = () => discoverSkills({ paths, roots, cwd: folder.path });
  const catalog = openCatalog({ discover, clock });
  return { at, write, discover, catalog, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] };
}

const skillId = ({ skill }: SkillSnapshot) => skill.id;

describe("hot reload", () => {
  const where = ".agent/skills/sorter";

  test("a catalog that nobody edits is the same object at the next use", async () => {
    await using workspace = await project({ [`${where}/SKILL.md`]: page("sorter") });

    const first = await workspace.catalog.current();

    expect(first.skills.map(skillId)).toEqual(["sorter"]);
    expect(first.skills[0]?.skill).toMatchObject({
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      files: [{ path: "SKILL.md", bytes: page("sorter").length }],
      source: "project",
    });
    expect(await workspace.catalog.current()).toBe(first);
  });

  test.each([
    ["instructions", "SKILL.md", page("sorter", "Sorts lists. Use when a LIST is out of order.")],
    ["a script", "scripts/sort.py", "print(2)"],
    ["a schema", "schemas/out.schema.json", "{ }"],
  ])("%s saved with equal size and equal time are seen at the next use", async (_, file, content) => {
    await using workspace = await project({
      [`${where}/SKILL.md`]: page("sorter"),
      [`${where}/scripts/sort.py`]: "print(1)",
      [`${where}/schemas/out.schema.json`]: "{\n}",
      ".agent/skills/other/SKILL.md": page("other"),
    });
    const path = workspace.at(`${where}/${file}`);
    utimesSync(path, 1000, 1000);
    const before = await workspace.catalog.current();
    const { size } = statSync(path);

    writeFileSync(path, content);
    utimesSync(path, 1000, 1000);

    expect(statSync(path)).toMatchObject({ size, mtimeMs: 1_000_000 });
    const after = await workspace.catalog.current();
    expect(after.find("sorter")).not.toBe(before.find("sorter"));
    expect(after.find("sorter")?.skill.digest).not.toBe(before.find("sorter")?.skill.digest);
    expect(after.find("other")).toBe(before.find("other"));
  });

  test("what a changed manifest says is read anew, and a snapshot handed out earlier stays as it was", async () => {
    await using workspace = await project({ [`${where}/SKILL.md`]: page("sorter", "Old. Use when old.") });
    const before = await workspace.catalog.current();
    const copy = structuredClone(before.skills);

    workspace.write(`${where}/SKILL.md`, page("sorter", "New. Use when new."));
    workspace.write(`${where}/scripts/new.py`, "");

    const after = await workspace.catalog.current();
    expect(after.skills[0]?.skill).toMatchObject({
      description: "New. Use when new.",
      scripts: ["scripts/new.py"],
    });
    expect(before.skills).toEqual(copy);
  });

  test("new, renamed and removed folders are seen", async () => {
    await using workspace = await project({ [`${where}/SKILL.md`]: page("sorter") });
    await workspace.catalog.current();

    workspace.write(".claude/skills/writer/SKILL.md", page("writer"));
    expect((await workspace.catalog.current()).skills.map(skillId)).toEqual(["sorter", "writer"]);

    renameSync(workspace.at(where), workspace.at(".agents"));
    expect((await workspace.catalog.current()).skills.map(skillId)).toEqual(["writer"]);

    rmSync(workspace.at(".claude"), { recursive: true });
    expect((await workspace.catalog.current()).skills).toEqual([]);
  });

  test("an edit that breaks a skill takes it out and says why; fixing it brings it back", async () => {
    await using workspace = await project({
      [`${where}/SKILL.md`]: page("sorter"),
      ".agents/skills/calc/skill.json": unit(),
    });
    expect((await workspace.catalog.current()).skills.map(skillId)).toEqual(["sorter", "calc"]);

    workspace.write(".agents/skills/calc/skill.json", "{");
    const broken = await workspace.catalog.current();

    expect(broken.skills.map(skillId)).toEqual(["sorter"]);
    expect(broken.find("calc")).toBeNull();
    expect(broken.broken).toMatchObject([
      { found: { shown: ".agents/skills/calc" }, diagnostics: [{ code: "SKD02", severity: "error" }] },
    ]);
    workspace.write(".agents/skills/calc/skill.json", unit());
    expect((await workspace.catalog.current()).find("calc")).not.toBeNull();
  });

  test("a link that leaves takes a skill out with SKD06, until it is gone", async () => {
    await using workspace = await project({ [`${where}/SKILL.md`]: page("sorter") });
    await workspace.catalog.current();

    symlinkSync("/etc", workspace.at(`${where}/out`));
    const { skills, broken } = await workspace.catalog.current();

    expect(skills).toEqual([]);
    expect(broken[0]?.diagnostics).toMatchObject([{ code: "SKD06", file: "out" }]);
    rmSync(workspace.at(`${where}/out`));
    expect((await workspace.catalog.current()).skills.map(skillId)).toEqual(["sorter"]);
  });

  test("what a skill leaves out of its digest may change, but never its manifest and scripts unseen", async () => {
    const ignoring = (description: string) =>
      unit({ description, metadata: { digestIgnore: ["cache", "*.json", "scripts"] } });
    await using workspace = await project({
      ".agent/skills/calc/skill.json": ignoring("Adds two"),
      ".agent/skills/calc/calc.py": "",
      ".agent/skills/calc/scripts/x.py": "1",
    });
    const first = (await workspace.catalog.current()).find("calc");
    expect(first?.skill.files.map(({ path }) => path)).toEqual(["calc.py"]);

    workspace.write(".agent/skills/calc/cache/answers", "42");
    expect((await workspace.catalog.current()).find("calc")).toBe(first);

    workspace.write(".agent/skills/calc/skill.json", ignoring("Adds six"));
    const second = (await workspace.catalog.current()).find("calc");
    expect(second?.skill).toMatchObject({ description: "Adds six", digest: first?.skill.digest });

    workspace.write(".agent/skills/calc/scripts/x.py", "2");
    expect((await workspace.catalog.current()).find("calc")).not.toBe(second);
  });

  test("what a skill says and its digest belong together, also when somebody saves in between", async () => {
    await using workspace = await project({ [`${where}/SKILL.md`]: page("sorter", "Old. Use when old.") });
    let looks = 0;
    const now = () => {
      // The first look was before the files were read, the second makes sure that they are still the same.
      if (++looks === 2) workspace.write(`${where}/SKILL.md`, page("sorter", "New. Use when new."));
      return Date.now();
    };
    const catalog = openCatalog({ discover: workspace.discover, clock: { ...systemClock, now } });

    const { skills } = await catalog.current();

    const { digest } = await digestFolder(workspace.at(where), { ignore: [], exclude: [] });
    expect(looks).toBeGreaterThan(2);
    expect(skills[0]?.skill).toMatchObject({ description: "New. Use when new.", digest });
  });

  test("who asks while others look gets what was saved before asking", async () => {
    await using workspace = await project({ [`${where}/SKILL.md`]: page("sorter", "Old. Use when old.") });
    await workspace.catalog.current();

    const looking = workspace.catalog.current();
    await Promise.resolve();
    workspace.write(`${where}/SKILL.md`, page("sorter", "New. Use when new."));
    const [, latest, together] = await Promise.all([
      looking,
      workspace.catalog.current(),
      workspace.catalog.current(),
    ]);

    expect(latest.skills[0]?.skill.description).toBe("New. Use when new.");
    expect(together).toBe(latest);
  });
});

describe("several skills of one id", () => {
  const everywhere = [
    "home/.agents/skills/x",
    "product/x",
    ".claude/skills/x",
    ".agents/skills/x",
    "home/.agent/skills/x",
    ".agent/skills/x",
  ];

  test("the highest rank is used, the others say who hides them and can be pinned by source", async () => {
    await using workspace = await project(
      Object.fromEntries(everywhere.map((dir) => [`${dir}/SKILL.md`, page("x")])),
    );

    const snapshot = await workspace.catalog.current();

    expect(snapshot.skills.map(({ found }) => [found.shown, found.rank])).toEqual([[".agent/skills/x", 2]]);
    expect(
      snapshot.hidden.map(({ found, skill }) => [
        found.shown,
        found.rank,
        ...skill.diagnostics.map(({ code, file, message }) => `${code} ${file} ${message}`),
      ]),
    ).toEqual([
      [".agents/skills/x", 3, "SKD05 SKILL.md x (project) is shadowed by .agent/skills/x"],
      [".claude/skills/x", 4, "SKD05 SKILL.md x (project) is shadowed by .agent/skills/x"],
      ["home/.agent/skills/x", 5, "SKD05 SKILL.md x (user) is shadowed by .agent/skills/x"],
      ["home/.agents/skills/x", 6, "SKD05 SKILL.md x (user) is shadowed by .agent/skills/x"],
      ["product/x", 7, "SKD05 SKILL.md x (builtin) is shadowed by .agent/skills/x"],
    ]);
    expect(snapshot.conflicts).toMatchObject([{ name: "x", winner: ".agent/skills/x", rule: "rank" }]);
    expect(snapshot.find("x")?.found.shown).toBe(".agent/skills/x");
    expect(snapshot.find("x", "project")?.found.shown).toBe(".agent/skills/x");
    expect(snapshot.find("x", "user")?.found.shown).toBe("home/.agent/skills/x");
    expect(snapshot.find("x", "builtin")?.found.shown).toBe("product/x");
    expect(snapshot.find("y")).toBeNull();
  });

  test("twice in one root, the first by path is used and the later one says so", async () => {
    const duplicates = { "s/b/skill.json": unit(), "s/a/skill.json": unit() };
    await using workspace = await project(duplicates, ["s"]);

    const { skills, hidden, conflicts } = await workspace.catalog.current();

    expect(skills.map(({ found }) => found.shown)).toEqual(["s/a"]);
    expect(hidden[0]?.skill.diagnostics).toMatchObject([
      { code: "SKD04", severity: "error", file: "skill.json", message: 'duplicate id "calc" in s/a and s/b' },
    ]);
    expect(conflicts).toEqual([{ name: "calc", winner: "s/a", losers: ["s/b"], rule: "path" }]);
  });

  test("an alias finds a skill, but never replaces an id", async () => {
    await using workspace = await project({
      ".agent/skills/calc/skill.json": unit(),
      ".agent/skills/calc/SKILL.md": page("adder"),
    });
    const alone = await workspace.catalog.current();
    expect(alone.find("adder")?.skill.id).toBe("calc");

    workspace.write(".claude/skills/adder/SKILL.md", page("adder"));

    expect((await workspace.catalog.current()).find("adder")?.skill.id).toBe("adder");
  });
});
