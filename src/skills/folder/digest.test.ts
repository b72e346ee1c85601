import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { digestFolder } from "./digest.ts";
import { readPlainFile } from "./plain-file.ts";
import type { WalkOptions } from "./walk-folder.ts";

const everything: WalkOptions = { ignore: [], exclude: [] };

function hex(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

function write(folder: string, files: Record<string, string>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

async function hashFolder(folder: string): Promise<string> {
  return (await digestFolder(folder, everything)).digest;
}

async function listPaths(folder: string, options = everything): Promise<string[]> {
  return (await digestFolder(folder, options)).files.map((file) => file.path);
}

test("an empty folder has the digest of no bytes", async () => {
  await using folder = await temporaryFolder();

  expect(await digestFolder(folder.path, everything)).toEqual({
    digest: "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    files: [],
  });
});

test("one file gives the digest of one line: path, size and content hash", async () => {
  await using folder = await temporaryFolder();
  write(folder.path, { "a.txt": "hello" });

  const { digest, files } = await digestFolder(folder.path, everything);

  const content = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
  expect(files).toEqual([{ path: "a.txt", bytes: 5, sha256: content }]);
  expect(digest).toBe(`sha256:${hex(`a.txt\x005\x00${content}\n`)}`);
  expect(digest).toBe("sha256:4aab7dd57802ce86ce6a7827b05084baa93121ea98be31869b17939d04c07c23");
});

test("a small skill with a link has the digest that a shell works out", async () => {
  await using folder = await temporaryFolder();
  write(folder.path, { z: "", "a/é.txt": "x", "SKILL.md": "---\n" });
  symlinkSync("a/é.txt", join(folder.path, "b"));

  const { digest, files } = await digestFolder(folder.path, everything);

  // A=$(printf -- '---\n' | sha256sum | cut -c-64); B=$(printf x | sha256sum | cut -c-64)
  // L=$(printf 'link:a/é.txt' | sha256sum | cut -c-64); Z=$(printf '' | sha256sum | cut -c-64)
  // printf "SKILL.md\0004\000$A\na/é.txt\0001\000$B\nb\00013\000$L\nz\0000\000$Z\n" | sha256sum
  expect(files).toEqual([
    {
      path: "SKILL.md",
      bytes: 4,
      sha256: "f52d711103d50a437830c6fbcd04fb4bab49a0f82f6d26d1c791c6e8488dd090",
    },
    {
      path: "a/é.txt",
      bytes: 1,
      sha256: "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881",
    },
    { path: "b", bytes: 13, sha256: "aaeda1a6b8c4e2c2b358e5620f7d78f8da4c73595782497a3f4c16817aeed472" },
    { path: "z", bytes: 0, sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
  ]);
  expect(digest).toBe("sha256:d013c60fb65158836bdc51aa077795c1c5edc4b985a850d842784e0896dffde7");
});

test("lines are in code-unit order of the whole path, not in the order of a locale or of folders", async () => {
  await using folder = await temporaryFolder();
  const names = ["a/b", "a-b", "B", "b", "\u{1f600}", "\uff5e", "é"];
  write(folder.path, Object.fromEntries(names.map((name) => [name, name])));

  const { digest, files } = await digestFolder(folder.path, everything);

  expect(files.map((file) => file.path)).toEqual(["B", "a-b", "a/b", "b", "é", "\u{1f600}", "\uff5e"]);
  const lines = files.map(({ path }) => `${path}\0${Buffer.byteLength(path)}\0${hex(path)}\n`).join("");
  expect(digest).toBe(`sha256:${hex(lines)}`);
  expect(digest).toBe("sha256:23e4199d80dfadb6b1e6aefcf6ba82b831faa675fb54b3b9df18efb396f372d7");
});

test("times, modes and the order of making files change nothing", async () => {
  await using folder = await temporaryFolder();
  const [one, two] = [join(folder.path, "one"), join(folder.path, "two")];
  write(one, { "skill.json": "{}", "src/a.py": "a", "src/b.py": "b" });
  write(two, { "src/b.py": "b", "src/a.py": "a", "skill.json": "{}" });
  chmodSync(join(two, "src/a.py"), 0o755);
  utimesSync(join(two, "src/b.py"), 1, 1);

  expect(await hashFolder(two)).toBe(await hashFolder(one));
});

test("a copy has the digest of its origin", async () => {
  await using folder = await temporaryFolder();
  write(join(folder.path, "origin"), { "skill.json": "{}", "deep/er/x": "x" });
  cpSync(join(folder.path, "origin"), join(folder.path, "copy"), { recursive: true });

  expect(await hashFolder(join(folder.path, "copy"))).toBe(await hashFolder(join(folder.path, "origin")));
});

test("empty folders do not count", async () => {
  await using folder = await temporaryFolder();
  write(folder.path, { a: "a" });
  const before = await hashFolder(folder.path);

  mkdirSync(join(folder.path, "empty/inner"), { recursive: true });

  expect(await hashFolder(folder.path)).toBe(before);
});

test("renaming a file changes the digest", async () => {
  await using folder = await temporaryFolder();
  write(folder.path, { a: "same" });
  const before = await hashFolder(folder.path);

  renameSync(join(folder.path, "a"), join(folder.path, "b"));

  expect(await hashFolder(folder.path)).not.toBe(before);
});

test("moving a byte from the name to the content changes the digest", async () => {
  await using folder = await temporaryFolder();
  write(join(folder.path, "one"), { ab: "c" });
  write(join(folder.path, "two"), { a: "bc" });

  expect(await hashFolder(join(folder.path, "two"))).not.toBe(await hashFolder(join(folder.path, "one")));
});

test("moving a file's content into its neighbour changes the digest", async () => {
  await using folder = await temporaryFolder();
  write(join(folder.path, "one"), { a: "xy", b: "" });
  write(join(folder.path, "two"), { a: "x", b: "y" });

  expect(await hashFolder(join(folder.path, "two"))).not.toBe(await hashFolder(join(folder.path, "one")));
});

test("an edit of equal size and equal time changes the digest", async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, "skill.py");
  writeFileSync(file, "print(1)");
  utimesSync(file, 1000, 1000);
  const before = await hashFolder(folder.path);

  writeFileSync(file, "print(2)");
  utimesSync(file, 1000, 1000);

  expect(await hashFolder(folder.path)).not.toBe(before);
});

test("a large file is hashed like a small one", async () => {
  await using folder = await temporaryFolder();
  const content = Buffer.alloc(3 * 1024 * 1024 + 7, "abcdefg");
  writeFileSync(join(folder.path, "model.bin"), content);

  const { files } = await digestFolder(folder.path, everything);

  expect(files).toEqual([{ path: "model.bin", bytes: content.length, sha256: hex(content) }]);
});

test("a link inside the folder counts as a file that names its target", async () => {
  await using folder = await temporaryFolder();
  write(folder.path, { "docs/guide.md": "x" });
  symlinkSync("docs/guide.md", join(folder.path, "README.md"));

  const { files } = await digestFolder(folder.path, everything);

  expect(files[0]).toEqual({ path: "README.md", bytes: 18, sha256: hex("link:docs/guide.md") });
});

test("a link to a folder inside is not walked, so a loop does no harm", async () => {
  await using folder = await temporaryFolder();
  write(folder.path, { "a/file": "x" });
  symlinkSync("..", join(folder.path, "a/loop"));

  expect(await listPaths(folder.path)).toEqual(["a/file", "a/loop"]);
});

test("a link to nothing inside the folder is kept as a link", async () => {
  await using folder = await temporaryFolder();
  symlinkSync("later.txt", join(folder.path, "link"));

  expect(await listPaths(folder.path)).toEqual(["link"]);
});

test.each([
  ["upwards", "../elsewhere"],
  ["to an absolute path", "/etc/passwd"],
  ["to nothing outside", "../../nowhere/at/all"],
  ["through a folder it left out", "node_modules/out"],
  ["to a neighbour whose name begins like its own", "../skill-evil/file"],
])("fault row 44: a link leading %s is refused, and the error names it", async (_, target) => {
  await using folder = await temporaryFolder();
  const skill = join(folder.path, "skill");
  write(folder.path, { "skill/a": "a", elsewhere: "secret", "skill/node_modules/.keep": "" });
  symlinkSync("../../elsewhere", join(skill, "node_modules/out"));
  symlinkSync(target, join(skill, "link"));

  await expect(hashFolder(skill)).rejects.toMatchObject({
    name: "UserError",
    code: "path-outside-skill",
    path: expect.stringContaining("link"),
  });
});

test("fault row 44: a link whose way out hides behind another link is refused", async () => {
  await using folder = await temporaryFolder();
  const skill = join(folder.path, "skill");
  mkdirSync(join(skill, "deep"), { recursive: true });
  symlinkSync("..", join(skill, "deep/top"));
  symlinkSync("deep/top/../elsewhere", join(skill, "link"));

  await expect(hashFolder(skill)).rejects.toMatchObject({ code: "path-outside-skill" });
});

test("a folder reached through a link is the folder itself", async () => {
  await using folder = await temporaryFolder();
  write(folder.path, { "real/a": "a" });
  symlinkSync("a", join(folder.path, "real/b"));
  symlinkSync("real", join(folder.path, "alias"));

  expect(await hashFolder(join(folder.path, "alias"))).toBe(await hashFolder(join(folder.path, "real")));
});

test("fault row 44: a named pipe is refused instead of waited for", async () => {
  await using folder = await temporaryFolder();
  execFileSync("mkfifo", [join(folder.path, "pipe")]);

  await expect(hashFolder(folder.path)).rejects.toMatchObject({
    code: "skill-invalid",
    message: expect.stringContaining("pipe is not a regular file"),
  });
});

test.skipIf(process.getuid?.() !== 0)("fault row 44: a device is refused instead of read", async () => {
  await using folder = await temporaryFolder();
  const device = join(folder.path, "zero");
  // Some containers give root no right to make devices; then there is none to fear either.
  if (spawnSync("mknod", [device, "c", "1", "5"]).status !== 0) return;

  await expect(hashFolder(folder.path)).rejects.toMatchObject({ code: "skill-invalid" });
});

test("fault row 44: a file replaced after it was checked is judged when it is open", async () => {
  await using folder = await temporaryFolder();
  write(folder.path, { "skill/inner/file": "ours", "outside/file": "secret" });
  const file = join(folder.path, "skill/inner/file");
  expect(readPlainFile(file).toString()).toBe("ours");

  renameSync(join(folder.path, "skill/inner"), join(folder.path, "skill/was"));
  symlinkSync("../outside", join(folder.path, "skill/inner"));
  expect(() => readPlainFile(file)).toThrow("was replaced while being read");

  rmSync(join(folder.path, "skill/inner"));
  mkdirSync(join(folder.path, "skill/inner"));
  symlinkSync("../../outside/file", file);
  expect(() => readPlainFile(file)).toThrow("ELOOP");

  rmSync(file);
  execFileSync("mkfifo", [file]);
  expect(() => readPlainFile(file)).toThrow("was replaced while being read");
});

test("a folder that is not there is refused by name", async () => {
  await expect(hashFolder("/nowhere/at/all")).rejects.toMatchObject({
    code: "skill-invalid",
    message: "/nowhere/at/all cannot be read (ENOENT)",
  });
});

test("version control, dependencies, caches and logs are left out, at every depth", async () => {
  await using folder = await temporaryFolder();
  const leftOut = [".git/HEAD", ".hg/x", ".svn/x", "node_modules/x/index.js", ".venv/x", "venv/x", "x.pyc"];
  const more = ["__pycache__/x", ".DS_Store", "run.log", ".eval.jsonl", "deep/node_modules/x", "deep/a.log"];
  write(folder.path, Object.fromEntries([...leftOut, ...more, "a", "deep/b"].map((path) => [path, "x"])));

  expect(await listPaths(folder.path)).toEqual(["a", "deep/b"]);
});

test("what only sounds like a log counts: hidden files, tests, a folder with code", async () => {
  await using folder = await temporaryFolder();
  const paths = [".env", "code.log/skill.py", "git", "log", "tests/basic.eval.json"];
  write(folder.path, Object.fromEntries(paths.map((path) => [path, "x"])));

  expect(await listPaths(folder.path)).toEqual(paths);
});

test("ignore patterns leave out what a skill writes into its folder", async () => {
  await using folder = await temporaryFolder();
  write(folder.path, { a: "", "cache/x/y": "", "deep/b.tmp": "", "deep/b.txt": "" });

  expect(await listPaths(folder.path, { ignore: ["cache", "**/*.tmp"], exclude: [] })).toEqual([
    "a",
    "deep/b.txt",
  ]);
});

test("patterns that would take long to hold against every path are refused", async () => {
  await using folder = await temporaryFolder();
  const ignore = Array.from({ length: 50 }, () => "a*".repeat(50));

  await expect(listPaths(folder.path, { ignore, exclude: [] })).rejects.toMatchObject({
    code: "skill-invalid",
    message: expect.stringContaining("digestIgnore"),
  });
});

test("the store and the output folder are left out, but never the whole skill", async () => {
  await using folder = await temporaryFolder();
  write(folder.path, { a: "", "runs.db": "", "reports/r.json": "", "other/runs.db": "" });
  const exclude = [
    join(folder.path, "runs.db"),
    join(folder.path, "reports"),
    folder.path,
    dirname(folder.path),
  ];

  expect(await listPaths(folder.path, { ignore: [], exclude })).toEqual(["a", "other/runs.db"]);
});

test("more than 10,000 files are refused", { timeout: 60_000 }, async () => {
  await using folder = await temporaryFolder();
  for (let n = 0; n < 10_000; n++) writeFileSync(join(folder.path, `${n}`), "");
  expect(await listPaths(folder.path)).toHaveLength(10_000);

  writeFileSync(join(folder.path, "one-more"), "");

  await expect(hashFolder(folder.path)).rejects.toMatchObject({
    code: "skill-invalid",
    message: expect.stringContaining("10,000 files"),
  });
});

test("more than 256 MiB are refused before a byte is read", async () => {
  await using folder = await temporaryFolder();
  write(folder.path, { large: "", small: "x" });
  truncateSync(join(folder.path, "large"), 256 * 1024 * 1024);

  await expect(hashFolder(folder.path)).rejects.toMatchObject({
    code: "skill-invalid",
    message: expect.stringContaining("256 MiB"),
  });
});

test("files that are left out may come and go while a skill is looked at", async () => {
  await using folder = await temporaryFolder();
  write(folder.path, { "skill.json": "{}" });
  const program = `
    const { rmSync, writeFileSync } = require("node:fs");
    console.log("ready");
    for (let n = 0; ; n++) {
      const file = \`\${n % 50}.\${n % 2 ? "log" : "tmp"}\`;
      writeFileSync(file, "");
      rmSync(file);
    }`;
  const busy = spawn(process.execPath, ["-e", program], { cwd: folder.path });
  try {
    await once(busy.stdout, "data");
    const options = { ignore: ["*.tmp"], exclude: [] };
    for (const until = performance.now() + 500; performance.now() < until; )
      expect(await listPaths(folder.path, options)).toEqual(["skill.json"]);
  } finally {
    busy.kill("SIGKILL");
    await once(busy, "exit");
  }
});
