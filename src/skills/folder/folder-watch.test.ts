import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import type { Clock } from "../../shared/async/clock.ts";
import { digestFolder } from "./digest.ts";
import { type FolderWatch, watchFolder } from "./folder-watch.ts";

const options = { ignore: ["cache"], exclude: [] };

/** A clock that only moves when told to. By default all files look old to it. */
function heldClock(wallAheadMs = 60_000): Clock & { pass(ms: number): void } {
  let passedMs = 0;
  return {
    now: () => Date.now() + wallAheadMs,
    monotonic: () => passedMs,
    sleep: () => Promise.reject(new Error("nobody sleeps here")),
    pass: (ms) => {
      passedMs += ms;
    },
  };
}

async function watchedSkill(wallAheadMs?: number) {
  const folder = await temporaryFolder();
  const dir = join(folder.path, "skill");
  mkdirSync(join(dir, "scripts"), { recursive: true });
  writeFileSync(join(dir, "skill.json"), "{}");
  writeFileSync(join(dir, "scripts/main.py"), "print(1)");
  const clock = heldClock(wallAheadMs);
  const watch = watchFolder(dir, options, await digestFolder(dir, options), clock);
  /** One look, after the time in which looks share an answer. */
  async function look(): Promise<boolean> {
    clock.pass(11);
    return watch.isUnchanged();
  }
  return { dir, clock, watch, look, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

/** Whether the answer came without reading any file: then it is not a promise. */
function isImmediate(watch: FolderWatch): boolean {
  return typeof watch.isUnchanged() === "boolean";
}

test("a folder that nobody touches stays unchanged", async () => {
  await using skill = await watchedSkill();

  expect([await skill.look(), await skill.look(), await skill.look()]).toEqual([true, true, true]);
});

test("an edit before the first look is seen", async () => {
  await using skill = await watchedSkill();
  writeFileSync(join(skill.dir, "skill.json"), "[]");

  expect(await skill.look()).toBe(false);
});

test("settled files are compared by their stamps, without reading them", async () => {
  await using skill = await watchedSkill();
  await skill.look();

  skill.clock.pass(11);

  expect(isImmediate(skill.watch)).toBe(true);
});

test("an edit is seen at the next look", async () => {
  await using skill = await watchedSkill();
  await skill.look();

  writeFileSync(join(skill.dir, "scripts/main.py"), "print(22)");

  expect(await skill.look()).toBe(false);
});

test("an edit of equal size and equal modification time is seen", async () => {
  await using skill = await watchedSkill();
  const file = join(skill.dir, "scripts/main.py");
  utimesSync(file, 1000, 1000);
  expect(await skill.look()).toBe(true);

  writeFileSync(file, "print(2)");
  utimesSync(file, 1000, 1000);

  expect(statSync(file).mtimeMs).toBe(1_000_000);
  expect(await skill.look()).toBe(false);
});

test("a stamp younger than 100 ms is not trusted: the content is read again", async () => {
  await using skill = await watchedSkill(0);
  expect(await skill.look()).toBe(true);

  skill.clock.pass(11);

  expect(isImmediate(skill.watch)).toBe(false);
});

test("a stamp from the future is not trusted either", async () => {
  await using skill = await watchedSkill(-3_600_000);
  await skill.look();

  skill.clock.pass(11);

  expect(isImmediate(skill.watch)).toBe(false);
});

test("of many edits within one tick of the clock every one is seen", async () => {
  for (let n = 2; n < 10; n++) {
    await using skill = await watchedSkill(0);
    expect(await skill.look()).toBe(true);
    writeFileSync(join(skill.dir, "scripts/main.py"), `print(${n})`);
    expect(await skill.look()).toBe(false);
  }
});

test("once changed it stays changed, also when the old content comes back", async () => {
  await using skill = await watchedSkill();
  writeFileSync(join(skill.dir, "skill.json"), "[]");
  expect(await skill.look()).toBe(false);

  writeFileSync(join(skill.dir, "skill.json"), "{}");

  expect(await skill.look()).toBe(false);
});

test("touching a file or writing the same bytes again is not a change", async () => {
  await using skill = await watchedSkill();
  await skill.look();

  utimesSync(join(skill.dir, "skill.json"), 5, 5);
  writeFileSync(join(skill.dir, "scripts/main.py"), "print(1)");

  expect(await skill.look()).toBe(true);
  skill.clock.pass(11);
  expect(isImmediate(skill.watch)).toBe(true);
});

test.each<[string, (dir: string) => void]>([
  ["a new file", (dir) => writeFileSync(join(dir, "scripts/new.py"), "")],
  ["a new file in a new folder", (dir) => mkdirSync(join(dir, "x")) ?? writeFileSync(join(dir, "x/y"), "")],
  ["a removed file", (dir) => rmSync(join(dir, "scripts/main.py"))],
  ["a renamed file", (dir) => renameSync(join(dir, "skill.json"), join(dir, "skill.bak"))],
  ["a renamed folder", (dir) => renameSync(join(dir, "scripts"), join(dir, "script"))],
  ["a new link", (dir) => symlinkSync("skill.json", join(dir, "link"))],
  ["a link that leaves the folder", (dir) => symlinkSync("/etc", join(dir, "link"))],
  ["the whole folder gone", (dir) => rmSync(dir, { recursive: true })],
])("%s is a change", async (_, edit) => {
  await using skill = await watchedSkill();
  expect(await skill.look()).toBe(true);

  edit(skill.dir);

  expect(await skill.look()).toBe(false);
});

test("what the digest leaves out may come and go", async () => {
  await using skill = await watchedSkill();
  await skill.look();

  mkdirSync(join(skill.dir, "cache"));
  writeFileSync(join(skill.dir, "cache/answers"), "42");
  writeFileSync(join(skill.dir, "run.log"), "x");

  expect(await skill.look()).toBe(true);
});

test("looks less than 10 ms apart share one answer", async () => {
  await using skill = await watchedSkill();
  await skill.look();
  writeFileSync(join(skill.dir, "skill.json"), "[]");

  skill.clock.pass(9);
  expect(skill.watch.isUnchanged()).toBe(true);

  skill.clock.pass(1);
  expect(await skill.watch.isUnchanged()).toBe(false);
});

test("looks at the same time share one reading", async () => {
  await using skill = await watchedSkill();

  const first = skill.watch.isUnchanged();
  skill.clock.pass(11);

  expect(skill.watch.isUnchanged()).toBe(first);
  expect(await first).toBe(true);
});
