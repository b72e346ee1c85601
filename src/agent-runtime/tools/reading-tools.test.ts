import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import type { AgentSkill } from "../../contract/agent-parts.ts";
import { grepTool } from "./grep.ts";
import { listDirTool, readFileTool } from "./read-files.ts";
import { resolveToolPath, type ToolLocation, type ToolReading } from "./tool-reading.ts";

const hiding = { isHidden: (path: string) => /^(eval\.yaml|evals(\/.*)?)$/.test(path) };

/** A workspace and the folder of a skill with these files, and a way to each. */
async function makeFolders(files: Record<string, string | Buffer>) {
  const folder = await temporaryFolder();
  const workspace = join(folder.path, "workspace");
  const skill = { name: "pdf", dir: join(folder.path, "pdf") } as AgentSkill;
  for (const each of [workspace, skill.dir]) mkdirSync(each);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true });
    writeFileSync(join(folder.path, path), content);
  }
  function at(path: string): ToolLocation {
    const location = resolveToolPath(path, { workspace, selected: [skill] });
    if (!location.ok) throw new Error(location.error.message);
    return location;
  }
  return {
    root: folder.path,
    workspace,
    skill: skill.dir,
    at,
    read: (path: string) => readFileTool(at(path), hiding),
    list: (path: string) => listDirTool(at(path), hiding),
    grep: (path: string, pattern: string, mode: "content" | "files" = "content") =>
      grepTool(at(path), { pattern, mode }, hiding),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

function shown(reading: ToolReading): string {
  return reading.ok ? reading.text : [reading.error.code, reading.error.reason].filter(Boolean).join(" ");
}

test("a path means the workspace, or a skill that is selected", () => {
  const skill = { name: "pdf", dir: "/skills/pdf" } as AgentSkill;
  const resolve = (path: string) => resolveToolPath(path, { workspace: "/work", selected: [skill] });

  expect(resolve("a/b.md")).toMatchObject({ ok: true, base: "/work", path: "a/b.md", skill: null });
  expect(resolve("skill:pdf/a.md")).toMatchObject({ ok: true, base: "/skills/pdf", path: "a.md", skill });
  expect(resolve("skill:pdf")).toMatchObject({ ok: true, base: "/skills/pdf", path: "." });
  for (const path of ["skill:other/a.md", "skill:", "skill:pdf-evil/x", "skill:/etc/passwd"])
    expect(resolve(path)).toMatchObject({
      ok: false,
      error: { code: "SkillNotSelected" },
      path: { inside: false },
    });
});

test("read_file shows a text, or its beginning with the whole to be stored", async () => {
  const long = "line of text\n".repeat(2000);
  await using folders = await makeFolders({ "workspace/a.py": "print()", "pdf/long.md": long });

  expect(folders.read("a.py")).toMatchObject({
    ok: true,
    text: "print()",
    whole: undefined,
    facts: { bytes: 7, chars_returned: 7, truncated: false },
    path: { requested: "a.py", resolved: "a.py", inside: true },
  });
  const cut = folders.read("skill:pdf/./long.md");
  expect(cut).toMatchObject({
    ok: true,
    facts: { bytes: long.length, truncated: true },
    path: { requested: "skill:pdf/./long.md", resolved: "skill:pdf/long.md" },
  });
  expect(cut.ok && Buffer.from(cut.whole ?? []).toString() === long).toBe(true);
  expect(shown(cut)).toMatch(/line of text\n\n\[\.\.\.truncated\.\.\.] 11999 of 26000 characters are shown$/);
});

test("what read_file refuses has code and reason, and nothing was opened unless it had to be", async () => {
  await using folders = await makeFolders({
    "workspace/nul": "\0",
    "workspace/large": Buffer.alloc(1_000_001, "x"),
    "workspace/eval.yaml": "the user's own",
    "pdf/eval.yaml": "cases: []",
    "pdf/evals/a.md": "42",
    secret: "secret",
  });
  symlinkSync("../secret", join(folders.workspace, "link"));
  linkSync(join(folders.root, "secret"), join(folders.workspace, "hard"));
  execFileSync("mkfifo", [join(folders.workspace, "pipe")]);
  const rows: Record<string, [string, boolean]> = {
    nul: ["IOError not_text", true],
    large: ["FileTooLarge", true],
    nothing: ["IOError not_found", false],
    "skill:pdf/eval.yaml": ["IOError not_found", false],
    "skill:pdf/evals/a.md": ["IOError not_found", false],
    "skill:pdf/evals": ["IOError not_found", false],
    link: ["PathTraversalBlocked outside", false],
    hard: ["PathTraversalBlocked hard_link", false],
    pipe: ["PathTraversalBlocked not_regular", false],
    ".": ["PathTraversalBlocked lexical", false],
    "skill:pdf": ["PathTraversalBlocked lexical", false],
    "skill:pdf/../secret": ["PathTraversalBlocked lexical", false],
    "skill:pdf//etc/passwd": ["PathTraversalBlocked lexical", false],
  };
  const fates = Object.keys(rows).map((path) => {
    const reading = folders.read(path);
    return [path, [shown(reading), !reading.ok && reading.started]];
  });
  expect(Object.fromEntries(fates)).toEqual(rows);
  expect(shown(folders.read("eval.yaml"))).toBe("the user's own");
});

test("list_dir names files and folders by code units, without dot names and what is hidden", async () => {
  await using folders = await makeFolders({
    "pdf/b.md": "",
    "pdf/B.md": "",
    "pdf/é.md": "",
    "pdf/docs/x": "",
    "pdf/.env": "",
    "pdf/eval.yaml": "",
    "pdf/evals/a.md": "",
    "pdf/two\nlines": "",
    "workspace/evals/a.md": "",
    "outside/x": "",
  });
  symlinkSync("docs", join(folders.skill, "link-in"));
  symlinkSync("../outside", join(folders.skill, "link-out"));
  symlinkSync("evals", join(folders.skill, "link-hidden"));
  symlinkSync("evals/a.md", join(folders.skill, "link-hidden.md"));

  expect(shown(folders.list("skill:pdf")).split("\n")).toEqual([
    "B.md",
    "b.md",
    "docs/",
    "link-in/",
    "link-out",
    "two\\nlines",
    "é.md",
  ]);
  expect(shown(folders.list("skill:pdf/docs/"))).toBe("x");
  expect(folders.list(".")).toMatchObject({
    text: "evals/",
    facts: { entries: 1, truncated: false },
    path: { resolved: "." },
  });
  expect(shown(folders.list("skill:pdf/evals"))).toBe("IOError not_found");
  expect(shown(folders.list("skill:pdf/link-hidden"))).toBe("IOError not_found");
  expect(shown(folders.list("skill:pdf/link-out"))).toBe("PathTraversalBlocked outside");
  expect(shown(folders.list("skill:pdf/b.md"))).toBe("IOError not_a_folder");
  expect(shown(folders.list(".."))).toBe("PathTraversalBlocked lexical");
});

test("of many names the first 500 are listed, and an empty folder says so", async () => {
  await using folders = await makeFolders({});
  mkdirSync(join(folders.workspace, "many"));
  mkdirSync(join(folders.workspace, "none"));
  for (let n = 0; n < 501; n++) writeFileSync(join(folders.workspace, `many/${1000 + n}`), "");

  const many = folders.list("many");
  expect(many).toMatchObject({ facts: { entries: 500, truncated: true } });
  expect(shown(many).split("\n").slice(-2)).toEqual(["1499", "[...truncated...] 500 of 501 names are shown"]);
  expect(shown(folders.list("none"))).toBe("(empty)");
});

test("grep finds lines in the text files of a folder, and neither binaries, links, dot names nor what is hidden", async () => {
  await using folders = await makeFolders({
    "pdf/b/deep.md": "x\r\nCANARY 2\r\n",
    "pdf/a.md": `CANARY ${"é".repeat(400)}\nno\nCANARY 1`,
    "pdf/a-b.md": "a canary",
    "pdf/.hidden/x.md": "CANARY",
    "pdf/evals/x.md": "CANARY",
    "pdf/binary": "CANARY\0",
    "pdf/large": `CANARY${"x".repeat(1_000_000)}`,
    "outside/secret.md": "CANARY",
  });
  symlinkSync("../outside", join(folders.skill, "folder"));
  symlinkSync("a.md", join(folders.skill, "second.md"));
  linkSync(join(folders.root, "outside/secret.md"), join(folders.skill, "hard.md"));

  const content = await folders.grep("skill:pdf", "^CANARY");
  expect(shown(content).split("\n")).toEqual([
    `skill:pdf/a.md:1: CANARY ${"é".repeat(292)}…`,
    "skill:pdf/a.md:3: CANARY 1",
    "skill:pdf/b/deep.md:2: CANARY 2",
  ]);
  expect(content).toMatchObject({ facts: { hits: 3, files: 3, skipped: 3, truncated: false } });
  expect(shown(await folders.grep("skill:pdf/.", "(?:c|C)(?:anary|ANARY)", "files")).split("\n")).toEqual([
    "skill:pdf/a-b.md",
    "skill:pdf/a.md",
    "skill:pdf/b/deep.md",
  ]);
  expect(shown(await folders.grep("skill:pdf/b/deep.md", String.raw`\p{Lu}{6} \d$`))).toBe(
    "skill:pdf/b/deep.md:2: CANARY 2",
  );
  expect(shown(await folders.grep("skill:pdf/second.md", "1$"))).toBe("skill:pdf/a.md:3: CANARY 1");
  expect(shown(await folders.grep(".", "x"))).toBe("no match");
  expect(shown(await folders.grep("skill:pdf/evals", "x"))).toBe("IOError not_found");
  expect(shown(await folders.grep("skill:pdf/folder", "x"))).toBe("PathTraversalBlocked outside");
  expect(shown(await folders.grep("../outside", "x"))).toBe("PathTraversalBlocked lexical");
});

test("grep shows 200 hits and says that there are more", async () => {
  await using folders = await makeFolders({ "workspace/a": "x\n".repeat(201) });

  const reading = await folders.grep("a", "x");
  expect(reading).toMatchObject({ facts: { hits: 200, truncated: true } });
  expect(shown(reading).split("\n").slice(-2)).toEqual([
    "a:200: x",
    "[...truncated...] there are more than 200 hits",
  ]);
  expect(await folders.grep("a", "x", "files")).toMatchObject({
    text: "a",
    facts: { hits: 1, truncated: false },
  });
});

test("grep stops a pattern that never comes back, and refuses one that is none", async () => {
  await using folders = await makeFolders({ "workspace/a": `${"a".repeat(50)}!` });

  expect(shown(await folders.grep("a", "^(a+)+$"))).toBe("Timeout");
  expect(await folders.grep("a", "(")).toMatchObject({
    started: false,
    error: { code: "InvalidAction", reason: "bad_pattern" },
  });
  expect(shown(await folders.grep("a", String.raw`\-|a\!`))).toBe(`a:1: ${"a".repeat(50)}!`);
});
