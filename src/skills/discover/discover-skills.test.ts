import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { describeFound } from "../describe-found.ts";
import { type Discovery, discoverSkills } from "./discover-skills.ts";
import { skillRoots } from "./skill-roots.ts";

/** A folder with these files, all empty but the last kind; a name that ends in `/` is a folder, `name=text` a file with text. */
async function tree(...names: string[]) {
  const folder = await temporaryFolder();
  for (const named of names) {
    const [name = "", text = ""] = named.split("=");
    const path = join(folder.path, name);
    mkdirSync(name.endsWith("/") ? path : dirname(path), { recursive: true });
    if (!name.endsWith("/")) writeFileSync(path, text);
  }
  const discover = (options: Partial<Discovery>) => discoverSkills({ cwd: folder.path, ...options });
  return {
    path: folder.path,
    link: (name: string, target: string) => symlinkSync(target, join(folder.path, name)),
    discover,
    /** What is found, as the user would name it. */
    find: async (...paths: string[]) => (await discover({ paths })).map(({ shown }) => shown),
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
}

describe("paths that were named", () => {
  test("a file is that skill: a file that makes a folder one means the folder, any other is its manifest", async () => {
    await using here = await tree("calc/skill.json", "calc/skill-v2.json", "writer/SKILL.md", "p/SYSTEM.txt");
    const named = async (path: string) =>
      (await here.discover({ paths: [path] })).map(({ shown, manifestFile }) => [shown, manifestFile]);

    expect(await named("calc/skill.json")).toEqual([["calc", undefined]]);
    expect(await named("calc/skill-v2.json")).toEqual([["calc", "skill-v2.json"]]);
    expect(await named("writer/SKILL.md")).toEqual([["writer", undefined]]);
    expect(await named("p/SYSTEM.txt")).toEqual([["p", undefined]]);
    expect(await here.find("calc/skill.json", "calc", "calc/skill-v2.json")).toHaveLength(2);
  });

  test.each([
    ["skill.json"],
    ["SKILL.md"],
    ["skill.md"],
    ["Skill.JSON"],
    ["SYSTEM.md"],
    ["SYSTEM.docx"],
    ["prompt.txt"],
    ["SKILL.docx"],
    ["meta.yml=description: x", "only.md"],
    ["meta.yml=summary: x\nprompt: b.md", "a.md", "b.md"],
  ])("a folder is a skill by %s, and nothing below it is looked at", async (...files) => {
    await using here = await tree(...files.map((file) => `s/x/${file}`), "s/x/deep/skill.json");

    expect(await here.find("s")).toEqual(["s/x"]);
    expect(await here.find("./s/x/")).toEqual(["s/x"]);
  });

  test.each([
    ["readme.md"],
    ["system.md"],
    ["meta.yml=description: x"],
    ["meta.yml=description: x", "a.md", "b.md"],
    ["meta.yml=owner: x", "a.md"],
    ["skill.json/"],
    ["SKILL.md/"],
  ])("a folder is none by %s, and is looked into", async (...files) => {
    await using here = await tree(...files.map((file) => `s/x/${file}`), "s/x/deep/skill.json");

    expect(await here.find("s")).toEqual(["s/x/deep"]);
  });

  test("a folder is scanned downwards, in code-unit order of the paths, and is named as typed", async () => {
    await using here = await tree(
      "s/b/SKILL.md",
      "s/a/deep/er/skill.json",
      "s/a-b/SYSTEM.md",
      "s/B/skill.json",
    );

    expect(await here.find("s")).toEqual(["s/B", "s/a-b", "s/a/deep/er", "s/b"]);
    expect(await here.discover({ paths: ["s/b"] })).toEqual([
      {
        dir: join(here.path, "s/b"),
        shown: "s/b",
        source: "project",
        rank: 1,
        root: join(here.path, "s/b"),
      },
    ]);
    expect(await here.discover({ paths: ["."], cwd: join(here.path, "s/b") })).toMatchObject([
      { shown: "." },
    ]);
    expect(await here.discover({ paths: [join(here.path, "s/b")], cwd: "/" })).toHaveLength(1);
    expect(await here.discover({ paths: [{ path: "s/b", source: "user" }] })).toMatchObject([
      { source: "user", rank: 1 },
    ]);
  });

  test.each([
    ["calc", /^did you mean skills\/calc\?$/],
    ["no/such", /^there may be skills in \.claude\/skills: pass that folder$/],
    ["app", /^folders that start with a dot are skipped: pass app\/\.agents\/skills$/],
  ])("where skills may be instead of at %s is reported", async (path, hint) => {
    await using here = await tree(
      "skills/calc/skill.json",
      ".claude/skills/a/SKILL.md",
      "app/.agents/skills/b/SKILL.md",
    );

    await expect(here.find(path)).rejects.toThrow(
      expect.objectContaining({ hint: expect.stringMatching(hint) }),
    );
  });

  test("a scan does not go into hidden folders, dependencies and caches, unless they were named", async () => {
    await using here = await tree(
      "s/.hidden/x/SKILL.md",
      "s/node_modules/dep/skill.json",
      "s/__pycache__/skill.json",
      "s/real/skill.json",
    );

    expect(await here.find("s")).toEqual(["s/real"]);
    expect(await here.find("s/.hidden", "s/node_modules")).toEqual(["s/.hidden/x", "s/node_modules/dep"]);
  });

  test("a scan looks six folders deep and no deeper, also behind a link that leads deep at first", async () => {
    await using here = await tree("s/1/2/3/4/5/6/skill.json", "s/x/2/3/4/5/6/7/skill.json", "s/z/k/SKILL.md");
    here.link("s/1/2/3/4/5/link", "../../../../../z");

    expect(await here.find("s")).toEqual(["s/1/2/3/4/5/6", "s/z/k"]);
  });

  test("links that lead back up end the scan, and each real folder is found once", async () => {
    await using here = await tree("s/calc/skill.json", "s/loop/", "elsewhere/writer/SKILL.md");
    here.link("s/loop/up", "..");
    here.link("s/self", "self");
    here.link("s/nowhere", "/does/not/exist");
    here.link("s/writer", "../elsewhere/writer");
    here.link("again", "s/calc");

    expect(await here.find("s")).toEqual(["s/calc", "s/writer"]);
    expect(await here.find("again", "s/calc", "s/calc/skill.json", "s")).toEqual(["again", "s/writer"]);
  });

  test("a folder that cannot be read is refused, or reported, and then hides no other", async () => {
    await using here = await tree("s/a/SKILL.md");
    mkdirSync(Buffer.concat([Buffer.from(join(here.path, "s/b")), Buffer.from([0xff])]));

    await expect(here.find("s")).rejects.toThrow("s/b\ufffd has a name that is not UTF-8");
    const found = await here.discover({ paths: ["s"], whenUnreadable: "keep" });

    expect(found.map(({ shown, unreadable }) => [shown, unreadable])).toEqual([
      ["s/a", undefined],
      ["s/b\ufffd", "has a name that is not UTF-8"],
    ]);
    const [, strange] = found;
    const { diagnostics } = await describeFound(strange as (typeof found)[number], "strict");
    expect(diagnostics.list()).toMatchObject([
      { code: "SKD06", file: ".", message: "s/b\ufffd: has a name that is not UTF-8" },
    ]);
  });

  test("skills come in the order they were named", async () => {
    await using here = await tree("b/skill.json", "a/skill.json");

    expect(await here.find("b", "a")).toEqual(["b", "a"]);
  });

  test("names with spaces, quotes, dollars and brackets are just names", async () => {
    await using here = await tree("s/$(touch x) [1]/skill.json", 's/it\'s "so"/skill.json');

    expect(await here.find("s")).toEqual(["s/$(touch x) [1]", 's/it\'s "so"']);
  });

  test.each<[string, string, string | null]>([
    ["a misspelt one, with the nearest neighbour", "./skills/clac", "did you mean skills/calc?"],
    [
      "several as one, with the right way",
      "skills,./skills/calc",
      "separate them with spaces: skills ./skills/calc",
    ],
    ["one in a folder that is not there, without a guess", "no/such/skill", null],
    ["one below a file", "skills/calc/skill.json/x", null],
    ["one with a NUL", "skills/\0", null],
    ["a folder without any skill", "empty", expect.stringContaining("eval-skills create")],
  ])("a path that leads to no skill is refused by name: %s", async (_, path, hint) => {
    await using here = await tree("skills/calc/skill.json", "empty/readme.md", "empty/sub/");

    await expect(here.find("skills/calc", path)).rejects.toThrow(
      expect.objectContaining({ code: "skill-not-found", exitCode: 2, path, hint }),
    );
  });

  test("a named folder without any skill can be kept, and is reported as none", async () => {
    await using here = await tree("empty/readme.md", "empty/sub/");

    const [found, ...more] = await here.discover({ paths: ["./empty"], whenNone: "keep" });

    expect([found?.shown, more]).toEqual(["empty", []]);
    const { skill, diagnostics } = await describeFound(found as NonNullable<typeof found>, "strict");
    expect(skill).toBeNull();
    expect(diagnostics.list()).toMatchObject([
      {
        code: "SKD01",
        severity: "error",
        kind: null,
        file: ".",
        message: "empty: no SKILL.md, skill.json or prompt file",
        hint: expect.stringContaining("create"),
      },
    ]);
  });

  test("a folder named SKILL.md is reported where there is no skill", async () => {
    await using here = await tree("s/SKILL.md/");
    const [found] = await here.discover({ paths: ["s"], whenNone: "keep" });

    const { diagnostics } = await describeFound(found as NonNullable<typeof found>, "strict");

    expect(diagnostics.list()).toMatchObject([{ code: "SKD01", hint: "SKILL.md is not a regular file" }]);
  });

  test("a SKILL.md that points outside its folder, or nowhere, is one that cannot be read", async () => {
    await using here = await tree("s/a/", "s/b/", "outside.md");
    here.link("s/a/SKILL.md", "../../outside.md");
    here.link("s/b/SKILL.md", "gone.md");

    const found = await here.discover({ paths: ["s"] });

    const reported = found.map(async (one) => (await describeFound(one, "lenient")).diagnostics.list());
    expect((await Promise.all(reported)).flat().map(({ code, message }) => `${code} ${message}`)).toEqual([
      "SKM01 SKILL.md: points outside the folder",
      "SKM01 SKILL.md: broken symlink",
    ]);
  });

  test("more folders than the cap are refused, not cut off in silence", async () => {
    await using here = await tree("s/calc/skill.json", "s/a/b/", "s/c/");

    expect(await here.discover({ paths: ["s"], maxFolders: 5 })).toHaveLength(1);
    await expect(here.discover({ paths: ["s"], maxFolders: 4 })).rejects.toThrow(
      expect.objectContaining({
        code: "skill-invalid",
        message: expect.stringContaining("more than 4 folders"),
      }),
    );
  });

  test.skipIf(process.getuid?.() === 0)("a folder that may not be read is refused by name", async () => {
    await using here = await tree("s/locked/skill.json");
    chmodSync(join(here.path, "s/locked"), 0o000);

    await expect(here.find("s")).rejects.toThrow(expect.objectContaining({ code: "skill-invalid" }));
    chmodSync(join(here.path, "s/locked"), 0o700);
  });
});

describe("roots", () => {
  const project = [".agent/skills", ".agents/skills", ".claude/skills"];
  const everywhere = [
    "product/e/SKILL.md",
    "home/.agents/skills/d/SKILL.md",
    "home/.agent/skills/c/SKILL.md",
    ".claude/skills/b/SKILL.md",
    ".agents/skills/a2/SKILL.md",
    ".agent/skills/a1/SKILL.md",
  ];

  test("the project's come first, then the user's where asked for, then those packaged with the product", async () => {
    await using here = await tree(...everywhere);
    const at = (path: string) => join(here.path, path);
    const options = { cwd: here.path, project, builtin: at("product") };
    const found = async (home?: string) =>
      (await here.discover({ roots: skillRoots({ ...options, home }) })).map(
        ({ rank, shown, source }) => `${rank} ${shown} ${source}`,
      );

    expect(await found(at("home"))).toEqual([
      "2 .agent/skills/a1 project",
      "3 .agents/skills/a2 project",
      "4 .claude/skills/b project",
      "5 home/.agent/skills/c user",
      "6 home/.agents/skills/d user",
      "7 product/e builtin",
    ]);
    expect(await found()).toEqual([
      "2 .agent/skills/a1 project",
      "3 .agents/skills/a2 project",
      "4 .claude/skills/b project",
      "7 product/e builtin",
    ]);
  });

  test("paths that are named replace all roots but the builtin", async () => {
    await using here = await tree(...everywhere, "mine/x/SKILL.md");
    const home = join(here.path, "home");
    const roots = skillRoots({ cwd: here.path, project, home, builtin: join(here.path, "product") });

    const found = await here.discover({ paths: ["mine"], roots });

    expect(found.map(({ rank, shown }) => `${rank} ${shown}`)).toEqual(["1 mine/x", "7 product/e"]);
  });

  test("only children of a root are skills; links to folders count, hidden ones do not, and one that is missing is empty", async () => {
    await using here = await tree(
      "r/SKILL.md",
      "r/b/SKILL.md",
      "r/a/deep/SKILL.md",
      "r/.c/SKILL.md",
      "r/node_modules/SKILL.md",
      "else/d/SKILL.md",
      "file",
    );
    here.link("r/d", "../else/d");
    const roots = skillRoots({ cwd: here.path, project: ["gone", "r", "file"], builtin: "/nowhere/at/all" });

    const found = await here.discover({ roots });

    expect(found.map(({ rank, shown, root }) => [rank, shown, root])).toEqual([
      [3, "r/b", join(here.path, "r")],
      [3, "r/d", join(here.path, "r")],
    ]);
  });

  test("a root that is a link to another counts once, with the higher rank", async () => {
    await using here = await tree(".agent/skills/x/SKILL.md", ".claude/");
    here.link(".claude/skills", "../.agent/skills");
    const roots = skillRoots({ cwd: here.path, project: [".agent/skills", ".claude/skills"] });

    expect(await here.discover({ roots })).toMatchObject([{ shown: ".agent/skills/x", rank: 2 }]);
  });
});
