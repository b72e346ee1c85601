import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { findManifests } from "./find-manifests.ts";

/** A folder with these files, all empty; a name that ends in `/` is a folder. */
async function tree(...names: string[]) {
  const folder = await temporaryFolder();
  for (const name of names) {
    const path = join(folder.path, name);
    mkdirSync(name.endsWith("/") ? path : dirname(path), { recursive: true });
    if (!name.endsWith("/")) writeFileSync(path, "");
  }
  return {
    path: folder.path,
    link: (name: string, target: string) => symlinkSync(target, join(folder.path, name)),
    /** What is found, relative to the tree. */
    find: (...paths: string[]) =>
      findManifests(paths, folder.path).map((manifest) => relative(folder.path, manifest)),
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
}

test("a file is that skill, whatever its name", async () => {
  await using here = await tree("calc/skill.json", "calc/skill-v2.json");

  expect(here.find("calc/skill.json")).toEqual(["calc/skill.json"]);
  expect(here.find("calc/skill-v2.json")).toEqual(["calc/skill-v2.json"]);
});

test("a folder with a skill.json is that skill, and nothing below it is looked at", async () => {
  await using here = await tree("calc/skill.json", "calc/examples/other/skill.json");

  expect(here.find("calc")).toEqual(["calc/skill.json"]);
  expect(here.find("./calc/")).toEqual(["calc/skill.json"]);
});

test("any other folder is scanned downwards, in the order of the paths", async () => {
  await using here = await tree(
    "s/b/skill.json",
    "s/a/deep/er/skill.json",
    "s/a-b/skill.json",
    "s/B/skill.json",
  );

  expect(here.find("s")).toEqual([
    "s/B/skill.json",
    "s/a-b/skill.json",
    "s/a/deep/er/skill.json",
    "s/b/skill.json",
  ]);
});

test("an absolute path does not depend on the current folder", async () => {
  await using here = await tree("calc/skill.json");

  expect(findManifests([join(here.path, "calc")], "/")).toEqual([join(here.path, "calc/skill.json")]);
});

test.each(["s/.hidden/skill.json", "s/node_modules/dep/skill.json", "s/__pycache__/skill.json"])(
  "a scan does not go into %s",
  async (name) => {
    await using here = await tree(name, "s/real/skill.json");

    expect(here.find("s")).toEqual(["s/real/skill.json"]);
  },
);

test("a hidden folder that is named is scanned", async () => {
  await using here = await tree(".claude/skills/calc/skill.json");

  expect(here.find(".claude/skills")).toEqual([".claude/skills/calc/skill.json"]);
});

test("a scan looks six folders deep and no deeper", async () => {
  await using here = await tree("s/1/2/3/4/5/6/skill.json", "s/x/2/3/4/5/6/7/skill.json");

  expect(here.find("s")).toEqual(["s/1/2/3/4/5/6/skill.json"]);
});

test("links that lead back up end the scan, not the program", async () => {
  await using here = await tree("s/calc/skill.json", "s/loop/");
  here.link("s/loop/up", "..");
  here.link("s/self", "self");
  here.link("s/nowhere", "/does/not/exist");

  expect(here.find("s")).toEqual(["s/calc/skill.json"]);
});

test("a skill behind a link is found", async () => {
  await using here = await tree("elsewhere/calc/skill.json", "s/");
  here.link("s/calc", "../elsewhere/calc");

  expect(here.find("s")).toEqual(["s/calc/skill.json"]);
});

test("a skill reached twice counts once, by the first path that reached it", async () => {
  await using here = await tree("s/calc/skill.json");
  here.link("link", "s/calc");
  here.link("s/again", "calc");

  expect(here.find("s/calc", "s/calc/skill.json", "link", "s")).toHaveLength(1);
  expect(here.find("link", "s/calc")).toEqual(["link/skill.json"]);
  expect(here.find("s/calc", "link")).toEqual(["s/calc/skill.json"]);
});

test("skills come in the order they were named", async () => {
  await using here = await tree("b/skill.json", "a/skill.json");

  expect(here.find("b", "a")).toEqual(["b/skill.json", "a/skill.json"]);
});

test("a path that is not there is refused by name, with the nearest neighbour", async () => {
  await using here = await tree("skills/calc/skill.json");

  expect(() => here.find("./skills/clac")).toThrow(
    expect.objectContaining({
      code: "skill-not-found",
      path: "./skills/clac",
      message: expect.stringContaining("./skills/clac"),
      hint: "did you mean skills/calc?",
    }),
  );
});

test("paths with commas between them are told to stand apart", async () => {
  await using here = await tree("a/skill.json", "b/skill.json", "c,d/skill.json");

  expect(() => here.find("a,./b")).toThrow(
    expect.objectContaining({ code: "skill-not-found", hint: "separate them by spaces: a ./b" }),
  );
  expect(here.find("c,d")).toEqual(["c,d/skill.json"]);
});

test("a path in a folder that is not there is refused without a guess", async () => {
  await using here = await tree();

  expect(() => here.find("no/such/skill")).toThrow(
    expect.objectContaining({ code: "skill-not-found", hint: null }),
  );
});

test("a folder without any skill is refused by name", async () => {
  await using here = await tree("empty/readme.md", "empty/sub/");

  expect(() => here.find("empty")).toThrow(
    expect.objectContaining({ code: "skill-not-found", path: "empty", exitCode: 2 }),
  );
});

test("one wrong path among right ones is refused all the same", async () => {
  await using here = await tree("calc/skill.json");

  expect(() => here.find("calc", "nope")).toThrow(expect.objectContaining({ path: "nope" }));
});

test("a SKILL.md without a skill.json says what is missing", async () => {
  await using here = await tree("writer/SKILL.md");

  expect(() => here.find("writer")).toThrow(
    expect.objectContaining({
      code: "skill-invalid",
      message: expect.stringContaining("SKILL.md but no skill.json"),
    }),
  );
});

test("a SKILL.md with a skill.json beside it is found", async () => {
  await using here = await tree("writer/SKILL.md", "writer/skill.json");

  expect(here.find("writer")).toEqual(["writer/skill.json"]);
});

test("a folder named skill.json is no manifest", async () => {
  await using here = await tree("s/skill.json/", "s/calc/skill.json");

  expect(here.find("s")).toEqual(["s/calc/skill.json"]);
});

test("names with spaces, quotes, dollars and brackets are just names", async () => {
  await using here = await tree("s/$(touch x) [1]/skill.json", 's/it\'s "so"/skill.json');

  expect(here.find("s")).toEqual(["s/$(touch x) [1]/skill.json", 's/it\'s "so"/skill.json']);
});

test.skipIf(process.getuid?.() === 0)("a folder that may not be read is refused by name", async () => {
  await using here = await tree("s/locked/skill.json");
  chmodSync(join(here.path, "s/locked"), 0o000);

  expect(() => here.find("s")).toThrow(expect.objectContaining({ code: "skill-invalid" }));
  chmodSync(join(here.path, "s/locked"), 0o700);
});

test("more folders than the cap are refused, not cut off in silence", async () => {
  await using here = await tree("s/calc/skill.json", "s/a/b/", "s/c/");

  expect(findManifests(["s"], here.path, 5)).toHaveLength(1);
  expect(() => findManifests(["s"], here.path, 4)).toThrow(
    expect.objectContaining({
      code: "skill-invalid",
      message: expect.stringContaining("more than 4 folders"),
    }),
  );
});
