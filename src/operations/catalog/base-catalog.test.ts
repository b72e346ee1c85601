import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { catalogProject, hasGit } from "../../../test/catalog-project.ts";
import { openBaseCatalog } from "./base-catalog.ts";

const context = { env: { PATH: process.env.PATH }, signal: new AbortController().signal };

test.skipIf(!hasGit())(
  "the files of a ref are written as they are stored: no filter runs, nothing leads out, nothing stays behind",
  async () => {
    await using project = await catalogProject();
    project.write(".gitattributes", "*.md filter=shout eol=crlf\n");
    project.write("skills/leases/数据.txt", "一\n");
    project.write("skills/leases/empty.txt", "");
    project.write("skills/leases/run.sh", "exit 0\n");
    chmodSync(join(project.cwd, "skills/leases/run.sh"), 0o755);
    const links = {
      "inside.md": "../decks/SKILL.md",
      "up.md": "../../eval-skills.config.yaml",
      "far.md": "/etc/passwd",
      "sly.md": "../decks/../../../x",
    };
    for (const [name, target] of Object.entries(links))
      symlinkSync(target, join(project.cwd, "skills/leases", name));
    project.commitAll();
    project.git("config", "filter.shout.smudge", `touch ${project.cwd}/smudged; cat`);
    project.remove("skills/leases");
    const status = project.git("status", "--porcelain");

    const base = await openBaseCatalog({ base: "HEAD", dir: "skills", cwd: project.cwd, ...context });
    const folder = join(base.dir, "leases");
    const names = readdirSync(folder).sort();
    const found = {
      skill: readFileSync(join(folder, "SKILL.md"), "utf8").startsWith("---\nname: leases\n"),
      data: readFileSync(join(folder, "数据.txt"), "utf8"),
      isRunnable: (lstatSync(join(folder, "run.sh")).mode & 0o100) !== 0,
      link: readlinkSync(join(folder, "inside.md")),
    };
    await base[Symbol.asyncDispose]();

    expect(names).toEqual(["SKILL.md", "empty.txt", "eval.yaml", "inside.md", "run.sh", "数据.txt"]);
    expect(found).toEqual({ skill: true, data: "一\n", isRunnable: true, link: "../decks/SKILL.md" });
    expect(base.warnings).toEqual([
      "3 entries of HEAD:skills left out: symlinks that point outside, submodules",
    ]);
    expect(base.showPaths(`${base.dir}/leases: wrong`)).toBe("HEAD:skills/leases: wrong");
    expect(existsSync(base.dir)).toBe(false);
    expect(existsSync(join(project.cwd, "smudged"))).toBe(false);
    expect(project.git("status", "--porcelain")).toBe(status);
  },
);

test.skipIf(!hasGit())("a tree that somebody forged cannot write outside of its folder", async () => {
  await using project = await catalogProject({});
  project.write("skills/keep.md", "kept\n");
  project.commitAll();
  const git = (input: string | Buffer, ...args: string[]) =>
    execFileSync("git", args, { cwd: project.cwd, input, encoding: "utf8" }).trim();
  const blob = git("../../escaped", "hash-object", "-w", "--stdin");
  const entry = (mode: string, name: string) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(blob, "hex")]);
  const forged = (entries: Buffer[]) =>
    git(Buffer.concat(entries), "hash-object", "-t", "tree", "-w", "--stdin", "--literally");
  const inner = forged([entry("100644", "..evil"), entry("100644", ".GIT"), entry("120000", "up")]);
  const tree = (name: string, oid: string) =>
    Buffer.concat([Buffer.from(`40000 ${name}\0`), Buffer.from(oid, "hex")]);
  const outer = forged([tree("..", inner), tree("up", inner), entry("120000", "up")]);
  const root = forged([tree("skills", outer)]);
  const commit = git(
    "",
    "-c",
    "user.name=a",
    "-c",
    "user.email=a@example.org",
    "commit-tree",
    root,
    "-m",
    "forged",
  );

  await using base = await openBaseCatalog({ base: commit, dir: "skills", cwd: project.cwd, ...context });

  expect(readdirSync(base.dir)).toEqual(["up"]);
  expect(readdirSync(join(base.dir, "up"))).toEqual(["..evil"]);
  expect(base.label).toBe(commit.slice(0, 7));
});

test.skipIf(!hasGit())(
  "what a partial clone does not have is not fetched, and the error says so",
  async () => {
    await using project = await catalogProject();
    project.commitAll();
    project.write("skills/leases/SKILL.md", "changed");
    project.git("commit", "--all", "--quiet", "--message", "more");
    project.git("config", "uploadpack.allowFilter", "true");
    const clone = join(project.cwd, "clone");
    project.git("clone", "--quiet", "--filter=blob:none", `file://${project.cwd}`, clone);

    const opening = openBaseCatalog({ base: "HEAD~1", dir: "skills", cwd: clone, ...context });
    await expect(opening).rejects.toMatchObject({
      code: "usage",
      message: expect.stringMatching(/^this partial clone does not have all files of HEAD~1 \(\w{7}\)/),
    });
  },
);

test.skipIf(!hasGit())(
  "fault row 60: a folder laid out as a bare repository is not a base, and what it configures does not run",
  async () => {
    await using project = await catalogProject();
    project.commitAll();
    const bare = join(project.cwd, "bare");
    project.git("clone", "--quiet", "--bare", project.cwd, bare);
    const config = (name: string, value: string) => project.git("--git-dir", bare, "config", name, value);
    config("core.repositoryFormatVersion", "1");
    config("extensions.partialClone", "origin");
    config("remote.origin.promisor", "true");
    config("protocol.ext.allow", "always");
    config("remote.origin.url", `ext::sh -c touch%20${project.cwd}/canary`);
    project.remove("bare/objects");
    project.write("bare/objects/info/keep", "");

    const opening = openBaseCatalog({ base: "a".repeat(40), dir: ".", cwd: bare, ...context });
    await expect(opening).rejects.toMatchObject({ message: expect.stringContaining("bare repository") });
    expect(existsSync(join(project.cwd, "canary"))).toBe(false);
  },
);
