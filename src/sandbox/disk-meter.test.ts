import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { folderMeter } from "./disk-meter.ts";

const mebibyte = 1_048_576;

test("adds up what the files take, at every depth, and sees them grow and go", async () => {
  await using folder = await temporaryFolder();
  using meter = folderMeter(folder.path);
  expect(meter.look()).toBe(0);

  mkdirSync(join(folder.path, "a/b"), { recursive: true });
  writeFileSync(join(folder.path, "one"), Buffer.alloc(mebibyte, "x"));
  writeFileSync(join(folder.path, "a/b/two"), Buffer.alloc(mebibyte, "x"));
  expect(meter.look()).toBeGreaterThanOrEqual(2 * mebibyte);

  rmSync(join(folder.path, "a"), { recursive: true });
  expect(meter.look()).toBeLessThan(2 * mebibyte);
});

test("counts no hole in a file, and nothing behind a link", async () => {
  await using elsewhere = await temporaryFolder();
  writeFileSync(join(elsewhere.path, "large"), Buffer.alloc(mebibyte, "x"));
  await using folder = await temporaryFolder();
  symlinkSync(elsewhere.path, join(folder.path, "link"));
  writeFileSync(join(folder.path, "hole"), "");
  truncateSync(join(folder.path, "hole"), 1024 * mebibyte);

  using meter = folderMeter(folder.path);

  expect(meter.look()).toBeLessThan(mebibyte);
});

test("measures a folder with many files over several looks, and tells early what is there already", async () => {
  await using folder = await temporaryFolder();
  for (let count = 0; count < 1200; count++) writeFileSync(join(folder.path, `${count}`), "x");
  using meter = folderMeter(folder.path);

  const looks = [meter.look(), meter.look(), meter.look(), meter.look()];

  expect(looks[0]).toBeGreaterThan(0);
  expect(looks[1]).toBeGreaterThan(looks[0] as number);
  expect(looks[2]).toBeGreaterThan(looks[1] as number);
  expect(looks[3]).toBe(looks[2]);
});

test("counts the place of a file without content", async () => {
  await using folder = await temporaryFolder();
  for (let count = 0; count < 100; count++) writeFileSync(join(folder.path, `${count}`), "");
  using meter = folderMeter(folder.path);

  expect(meter.look()).toBe(100 * 1024);
});

test("fault row 82: what is nested deeper than the longest path cannot be counted, and so is too much", async () => {
  await using folder = await temporaryFolder();
  const script = "for n in $(seq 30); do mkdir $1 && cd $1 2>/dev/null || break; done";
  execFileSync("/bin/sh", ["-c", script, "sh", "x".repeat(200)], { cwd: folder.path });
  using meter = folderMeter(folder.path);

  expect(meter.look()).toBe(Number.POSITIVE_INFINITY);
  execFileSync("rm", ["-rf", folder.path]);
});

test.skipIf(process.getuid?.() === 0)("fault row 82: nor can what is closed to its own user", async () => {
  await using folder = await temporaryFolder();
  mkdirSync(join(folder.path, "closed"), { mode: 0 });
  using meter = folderMeter(folder.path);

  expect(meter.look()).toBe(Number.POSITIVE_INFINITY);
});

test("a folder that is not there takes nothing", () => {
  using meter = folderMeter("/no/such/folder");
  expect(meter.look()).toBe(0);
});
