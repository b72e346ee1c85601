import { execFileSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { copyWholeFile, writeWholeFile } from "./whole-file.ts";

test("a file is written whole, over what was there", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "report.json");
  writeFileSync(path, "old and longer");
  writeWholeFile(path, "new");
  expect(readFileSync(path, "utf8")).toBe("new");
  expect(readdirSync(folder.path)).toEqual(["report.json"]);
});

test("pieces become one file, however many there are", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "large");
  function* pieces() {
    for (let piece = 0; piece < 50_000; piece++) yield `line ${piece} ü\n`;
  }
  writeWholeFile(path, pieces());
  expect(readFileSync(path, "utf8")).toBe([...pieces()].join(""));
});

test("when making it fails the old file is untouched, and nothing else is there", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "report.json");
  writeFileSync(path, "old");
  function* pieces() {
    yield "x".repeat(100_000);
    throw new Error("no more");
  }
  expect(() => writeWholeFile(path, pieces())).toThrow("no more");
  expect(readFileSync(path, "utf8")).toBe("old");
  expect(readdirSync(folder.path)).toEqual(["report.json"]);
});

test("a folder in its place is left, and so is nothing beside it", async () => {
  await using folder = await temporaryFolder();
  mkdirSync(join(folder.path, "report.json", "inside"), { recursive: true });
  expect(() => writeWholeFile(join(folder.path, "report.json"), "x")).toThrow();
  expect(readdirSync(folder.path)).toEqual(["report.json"]);
});

test("a pipe or a device in its place is left as it is", async () => {
  await using folder = await temporaryFolder();
  const pipe = join(folder.path, "pipe");
  execFileSync("mkfifo", [pipe]);
  expect(() => writeWholeFile(pipe, "x")).toThrow("it is not a regular file");
  expect(() => copyWholeFile(import.meta.filename, pipe)).toThrow("it is not a regular file");
  expect(lstatSync(pipe).isFIFO()).toBe(true);
  expect(readdirSync(folder.path)).toEqual(["pipe"]);
});

test("a link is replaced: what it leads to may not be ours", async () => {
  await using folder = await temporaryFolder();
  const [link, file] = [join(folder.path, "link"), join(folder.path, "elsewhere")];
  writeFileSync(file, "old");
  symlinkSync(file, link);
  writeWholeFile(link, "new");
  expect([readFileSync(link, "utf8"), readFileSync(file, "utf8")]).toEqual(["new", "old"]);
});

test("a file for the user alone is never readable by others, not even for a moment", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "secret");
  writeWholeFile(path, "x", { mode: 0o600 });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a copy is made in the same way", async () => {
  await using folder = await temporaryFolder();
  const [from, to] = [join(folder.path, "a"), join(folder.path, "b")];
  writeFileSync(from, "content");
  writeFileSync(to, "old");
  copyWholeFile(from, to);
  expect(readFileSync(to, "utf8")).toBe("content");
  expect(() => copyWholeFile(join(folder.path, "missing"), to)).toThrow(/ENOENT/);
  expect(readdirSync(folder.path).sort()).toEqual(["a", "b"]);
});
