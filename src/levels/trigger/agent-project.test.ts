import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { agentProject } from "./agent-project.ts";

const { signal } = new AbortController();

function write(root: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

test("a project holds the whole catalog under its installed names, and nothing that tells the answers", async () => {
  await using folder = await temporaryFolder();
  write(folder.path, {
    "pdf-tools/SKILL.md": "pdf",
    "pdf-tools/scripts/run.sh": "#!/bin/sh",
    "pdf-tools/eval.yaml": "triggering:\n  should_match: [a]\n  import: [more/asked.json, ./extra.json]\n",
    "pdf-tools/more/asked.json": "[]",
    "pdf-tools/more/kept.json": "{}",
    "pdf-tools/extra.json": "[]",
    "pdf-tools/trigger-set.json": "[]",
    "pdf-tools/evals/evals.json": "{}",
    "pdf-tools/tests/basic.eval.json": "{}",
    "pdf-tools/tests/helper.py": "",
    "pdf-tools/deep/odd.eval.json": "{}",
    "pdf-tools/.eval.jsonl": "",
    "pdf-tools/recorded/x.json": "reply",
    [`pdf-tools/${"0a".repeat(32)}.json`]: "reply",
    "pdf-tools/node_modules/x/index.js": "",
    "docs/skill.json": "{}",
    "docs/eval.yaml": "a: [broken",
  });
  const project = agentProject({
    skills: [{ dir: join(folder.path, "pdf-tools") }, { dir: join(folder.path, "docs"), name: "documents" }],
    hidden: [join(folder.path, "pdf-tools/recorded"), "/nowhere"],
  });

  await using one = await project(signal);

  expect(filesIn(one.path)).toEqual([
    ".claude/skills/documents/skill.json",
    ".claude/skills/pdf-tools/SKILL.md",
    ".claude/skills/pdf-tools/more/kept.json",
    ".claude/skills/pdf-tools/scripts/run.sh",
  ]);
});

test("each question has a project of its own, of copies, gone when it is over", async () => {
  await using folder = await temporaryFolder();
  write(folder.path, { "a/SKILL.md": "as it was" });
  const project = agentProject({ skills: [{ dir: join(folder.path, "a") }], hidden: [] });
  const one = await project(signal);
  const other = await project(signal);

  writeFileSync(join(one.path, ".claude/skills/a/SKILL.md"), "written over");
  mkdirSync(join(one.path, "locked"), { mode: 0o500 });

  expect(other.path).not.toBe(one.path);
  expect(readFileSync(join(other.path, ".claude/skills/a/SKILL.md"), "utf8")).toBe("as it was");
  expect(readFileSync(join(folder.path, "a/SKILL.md"), "utf8")).toBe("as it was");
  expect(statSync(one.path).mode & 0o77).toBe(0);
  await Promise.all([one[Symbol.asyncDispose](), other[Symbol.asyncDispose]()]);
  expect(existsSync(one.path)).toBe(false);
  expect(existsSync(other.path)).toBe(false);
});

test("links that stay inside are links there too; those that lead out, or to the originals, are left out", async () => {
  await using folder = await temporaryFolder();
  write(folder.path, { secret: "s", "a/SKILL.md": "x", "a/docs/guide.md": "g" });
  const skill = join(folder.path, "a");
  symlinkSync("docs/guide.md", join(skill, "inside"));
  symlinkSync("../secret", join(skill, "out"));
  symlinkSync(join(skill, "SKILL.md"), join(skill, "absolute"));
  symlinkSync("..", join(skill, "docs/up"));
  symlinkSync("docs/up/../secret", join(skill, "hidden-way-out"));

  await using project = await agentProject({ skills: [{ dir: skill }], hidden: [] })(signal);

  const copy = join(project.path, ".claude/skills/a");
  expect(readdirSync(copy).sort()).toEqual(["SKILL.md", "docs", "inside"]);
  expect(readFileSync(join(copy, "inside"), "utf8")).toBe("g");
});

test("an interruption leaves nothing behind", async () => {
  await using folder = await temporaryFolder();
  await using temp = await temporaryFolder();
  write(folder.path, { "a/SKILL.md": "x", "b/SKILL.md": "x" });
  const skills = ["a", "b"].map((name) => ({ dir: join(folder.path, name) }));
  const stop = new AbortController();
  const before = process.env.TMPDIR;
  process.env.TMPDIR = temp.path;
  try {
    const made = agentProject({ skills, hidden: [] })(stop.signal);
    stop.abort(new Error("enough"));
    await expect(made).rejects.toThrow("enough");
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  expect(readdirSync(temp.path)).toEqual([]);
});

test("a folder that holds several skills is installed once", async () => {
  await using folder = await temporaryFolder();
  write(folder.path, { "a/SKILL.md": "x" });
  const skill = { dir: join(folder.path, "a") };

  await using project = await agentProject({ skills: [skill, skill], hidden: [] })(signal);

  expect(filesIn(project.path)).toEqual([".claude/skills/a/SKILL.md"]);
});

test("names that cannot stand beside each other are refused before anything is asked", () => {
  const skills = [{ dir: "/x/one/pdf" }, { dir: "/x/two/PDF" }];

  expect(() => agentProject({ skills, hidden: [] })).toThrow("would both be installed as PDF");
  expect(() => agentProject({ skills: [{ dir: "/x/one", name: "../up" }], hidden: [] })).toThrow(
    "cannot be the name of a folder",
  );
});
