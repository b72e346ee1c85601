import { execFileSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { readInside } from "./guarded-file.ts";
import { deleteInside, type GuardSeams, type OpenMode, openInside } from "./guarded-open.ts";

/** Beside the base `pdf` lie its evil sibling and a secret; in it everything that a path can lead to. */
function buildTree(root: string): string {
  const base = join(root, "pdf");
  for (const folder of ["pdf/docs/deep", "pdf-evil", "outside"])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(base, "a.md"), "text of a");
  writeFileSync(join(base, "v1..v2.md"), "versions");
  writeFileSync(join(base, "docs/b.md"), "text of b");
  writeFileSync(join(root, "pdf-evil/x.md"), "evil");
  writeFileSync(join(root, "outside/secret.md"), "secret");
  linkSync(join(root, "outside/secret.md"), join(base, "hard.md"));
  execFileSync("mkfifo", [join(base, "pipe")]);
  const links = {
    "link-in.md": "docs/b.md",
    "folder-in": "docs",
    "link-out.md": "../outside/secret.md",
    "link-absolute.md": join(root, "outside/secret.md"),
    "folder-out": "../outside",
    "link-sibling.md": "../pdf-evil/x.md",
    "link-by-link.md": "folder-out/secret.md",
    "dangling-in.md": "docs/nothing.md",
    "dangling-out.md": "../outside/nothing.md",
    "device.md": "/dev/zero",
    "loop.md": "loop.md",
    top: ".",
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(base, name));
  symlinkSync("pdf", join(root, "alias"));
  return base;
}

/** What came of opening a path: `ok` and where it leads, or code and reason. */
function openAndClose(base: string, path: string, mode: OpenMode, seams?: GuardSeams): string {
  const opened = openInside(base, path, mode, seams);
  if (opened.ok) closeSync(opened.fd);
  expect(opened.path.requested).toBe(path);
  if (opened.ok) expect(opened.path.inside).toBe(true);
  else expect(opened.path.inside).toBe(opened.code === "IOError");
  return opened.ok ? `ok ${opened.path.resolved}` : `${opened.code} ${opened.reason}`;
}

test("every path leads to a plain file of its base, or is refused with the code that is due", async () => {
  await using folder = await temporaryFolder();
  const base = buildTree(folder.path);
  const fate = (path: string) => openAndClose(base, path, "read");

  const rows: Record<string, string> = {
    "a.md": "ok a.md",
    "./docs//./b.md": "ok docs/b.md",
    "v1..v2.md": "ok v1..v2.md",
    "link-in.md": "ok docs/b.md",
    "folder-in/b.md": "ok docs/b.md",
    "top/top/a.md": "ok a.md",
    "": "PathTraversalBlocked lexical",
    ".": "PathTraversalBlocked lexical",
    "../pdf-evil/x.md": "PathTraversalBlocked lexical",
    "docs/../../outside/secret.md": "PathTraversalBlocked lexical",
    "..\\outside\\secret.md": "PathTraversalBlocked lexical",
    "/etc/passwd": "PathTraversalBlocked lexical",
    "a.md\0": "PathTraversalBlocked lexical",
    "link-out.md": "PathTraversalBlocked outside",
    "link-absolute.md": "PathTraversalBlocked outside",
    "folder-out/secret.md": "PathTraversalBlocked outside",
    "folder-out/nothing.md": "PathTraversalBlocked outside",
    "link-sibling.md": "PathTraversalBlocked outside",
    "link-by-link.md": "PathTraversalBlocked outside",
    "dangling-out.md": "PathTraversalBlocked outside",
    "device.md": "PathTraversalBlocked outside",
    "hard.md": "PathTraversalBlocked hard_link",
    pipe: "PathTraversalBlocked not_regular",
    "nothing.md": "IOError not_found",
    "nothing/at/all.md": "IOError not_found",
    "dangling-in.md": "IOError not_found",
    "a.md/b": "IOError not_found",
    "a.md/": "IOError not_found",
    [`${"x".repeat(300)}.md`]: "IOError not_found",
    "loop.md": "IOError failed",
    docs: "IOError is_folder",
    top: "IOError is_folder",
  };
  expect(Object.fromEntries(Object.keys(rows).map((path) => [path, fate(path)]))).toEqual(rows);
});

test("a base may itself be a link, and one that is gone holds nothing", async () => {
  await using folder = await temporaryFolder();
  buildTree(folder.path);

  expect(openAndClose(join(folder.path, "alias"), "docs/b.md", "read")).toBe("ok docs/b.md");
  expect(openAndClose(join(folder.path, "alias"), "link-out.md", "read")).toBe(
    "PathTraversalBlocked outside",
  );
  expect(openAndClose(join(folder.path, "gone"), "a.md", "read")).toBe("IOError not_found");
});

test("no message names a path of the machine or carries what a terminal obeys", async () => {
  await using folder = await temporaryFolder();
  const base = buildTree(folder.path);

  for (const path of [
    "link-out.md",
    "hard.md",
    "pipe",
    "docs",
    "no\u202ething",
    "x".repeat(5000),
    "a\u001b[2J",
  ]) {
    const opened = openInside(base, path, "read");
    const message = opened.ok ? "" : opened.message;
    expect(message).not.toContain(folder.path);
    expect(message).toMatch(/^[\x20-\x7e…]{1,200}$/);
  }
});

test("folders are opened by the same rules, and the base by a point", async () => {
  await using folder = await temporaryFolder();
  const base = buildTree(folder.path);
  const rows: Record<string, string> = {
    ".": "ok .",
    "./": "ok .",
    docs: "ok docs",
    "docs/": "ok docs",
    "folder-in/deep": "ok docs/deep",
    top: "ok .",
    "": "PathTraversalBlocked lexical",
    "..": "PathTraversalBlocked lexical",
    "folder-out": "PathTraversalBlocked outside",
    pipe: "PathTraversalBlocked not_regular",
    "a.md": "IOError not_a_folder",
    nothing: "IOError not_found",
  };
  const fates = Object.keys(rows).map((path) => [path, openAndClose(base, path, "list")]);
  expect(Object.fromEntries(fates)).toEqual(rows);
});

/** How the path of a descriptor is found: by procfs where there is one, and as elsewhere. */
const ways: [string, GuardSeams][] = [
  ["by the descriptor", {}],
  ["without procfs", { findPath: () => null }],
];

test.each(ways)("what replaced a file after the check is refused, %s", async (_, way) => {
  await using folder = await temporaryFolder();
  const base = buildTree(folder.path);
  const swap = (change: () => void) =>
    openAndClose(base, "docs/b.md", "read", { ...way, afterCheck: change });

  expect(swap(() => {})).toBe("ok docs/b.md");

  const moved = () => {
    renameSync(join(base, "docs"), join(base, "was"));
    symlinkSync("../outside", join(base, "docs"));
    writeFileSync(join(folder.path, "outside/b.md"), "secret");
  };
  expect(swap(moved)).toBe("PathTraversalBlocked replaced");

  rmSync(join(base, "docs"));
  renameSync(join(base, "was"), join(base, "docs"));
  const file = join(base, "docs/b.md");
  expect(swap(() => linkSync(file, join(folder.path, "second")))).toBe("PathTraversalBlocked hard_link");
  rmSync(join(folder.path, "second"));

  const piped = () => {
    rmSync(file);
    execFileSync("mkfifo", [file]);
  };
  expect(swap(piped)).toBe("PathTraversalBlocked not_regular");
  rmSync(file);
  writeFileSync(file, "again");

  const linked = () => {
    rmSync(file);
    symlinkSync("../../outside/secret.md", file);
  };
  expect(swap(linked)).toBe("PathTraversalBlocked replaced");
});

test.each(ways)("a folder that was swapped gets no new file and loses none, %s", async (_, way) => {
  await using folder = await temporaryFolder();
  const base = buildTree(folder.path);
  const outside = join(folder.path, "outside");
  writeFileSync(join(outside, "b.md"), "theirs");
  const afterCheck = () => {
    renameSync(join(base, "docs"), join(base, "was"));
    symlinkSync("../outside", join(base, "docs"));
  };
  const undo = () => {
    rmSync(join(base, "docs"));
    renameSync(join(base, "was"), join(base, "docs"));
  };

  expect(openAndClose(base, "docs/new.md", "create", { ...way, afterCheck })).toBe(
    "PathTraversalBlocked replaced",
  );
  undo();
  expect(openAndClose(base, "docs/b.md", "overwrite", { ...way, afterCheck })).toBe(
    "PathTraversalBlocked replaced",
  );
  undo();
  expect(deleteInside(base, "docs/b.md", { ...way, afterCheck })).toMatchObject({
    code: "PathTraversalBlocked",
    reason: "replaced",
  });
  expect(readdirSync(outside).sort()).toEqual(["b.md", "secret.md"]);
  expect(readFileSync(join(outside, "b.md"), "utf8")).toBe("theirs");
});

test("a file is created where there is none, in a folder that is there", async () => {
  await using folder = await temporaryFolder();
  const base = buildTree(folder.path);
  const rows: Record<string, string> = {
    "new.md": "ok new.md",
    "./docs/new.md": "ok docs/new.md",
    "folder-in/more.md": "ok docs/more.md",
    "a.md": "IOError exists",
    docs: "IOError is_folder",
    "new/": "IOError is_folder",
    "new/.": "IOError is_folder",
    "nothing/new.md": "IOError not_found",
    "a.md/new.md": "IOError not_a_folder",
    "dangling-in.md": "IOError exists",
    "../new.md": "PathTraversalBlocked lexical",
    "dangling-out.md": "PathTraversalBlocked outside",
    "link-out.md": "PathTraversalBlocked outside",
    "folder-out/new.md": "PathTraversalBlocked outside",
    pipe: "PathTraversalBlocked not_regular",
  };
  const fates = Object.keys(rows).map((path) => [path, openAndClose(base, path, "create")]);
  expect(Object.fromEntries(fates)).toEqual(rows);
  expect(existsSync(join(folder.path, "outside/nothing.md"))).toBe(false);
});

test("overwriting empties only a file that passed, and appending keeps what is there", async () => {
  await using folder = await temporaryFolder();
  const base = buildTree(folder.path);
  const write = (path: string, mode: OpenMode) => {
    const opened = openInside(base, path, mode);
    if (!opened.ok) return opened.code;
    writeSync(opened.fd, "!");
    closeSync(opened.fd);
    return readFileSync(join(base, path), "utf8");
  };

  expect(write("a.md", "append")).toBe("text of a!");
  expect(write("a.md", "overwrite")).toBe("!");
  expect(write("hard.md", "overwrite")).toBe("PathTraversalBlocked");
  expect(write("link-out.md", "append")).toBe("PathTraversalBlocked");
  expect(write("pipe", "overwrite")).toBe("PathTraversalBlocked");
  expect(write("nothing.md", "overwrite")).toBe("IOError");
  expect(readFileSync(join(folder.path, "outside/secret.md"), "utf8")).toBe("secret");
});

test("only a plain file with one name is deleted", async () => {
  await using folder = await temporaryFolder();
  const base = buildTree(folder.path);
  const fate = (path: string) => {
    const deleted = deleteInside(base, path);
    return deleted.ok ? `ok ${deleted.path.resolved}` : `${deleted.code} ${deleted.reason}`;
  };
  const before = readdirSync(base).sort();

  expect(fate("docs")).toBe("IOError is_folder");
  expect(fate("nothing.md")).toBe("IOError not_found");
  for (const link of [
    "link-in.md",
    "link-out.md",
    "hard.md",
    "pipe",
    "folder-out/secret.md",
    "../pdf-evil/x.md",
  ])
    expect(fate(link)).toMatch(/^PathTraversalBlocked /);
  expect(readdirSync(base).sort()).toEqual(before);

  expect(fate("a.md")).toBe("ok a.md");
  expect(fate("folder-in/b.md")).toBe("ok docs/b.md");
  expect(existsSync(join(base, "docs/b.md"))).toBe(false);
});

test("a file is read up to its cap and not beyond", async () => {
  await using folder = await temporaryFolder();
  writeFileSync(join(folder.path, "nine"), "123456789");
  writeFileSync(join(folder.path, "none"), "");

  expect(readInside(folder.path, "nine", 9)).toMatchObject({ ok: true, bytes: Buffer.from("123456789") });
  expect(readInside(folder.path, "nine", 8)).toMatchObject({ ok: false, code: "FileTooLarge" });
  expect(readInside(folder.path, "none", 0)).toMatchObject({ ok: true, bytes: Buffer.alloc(0) });
});
