import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { hasGit } from "../../../test/catalog-project.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { findProgram } from "./find-program.ts";
import { type Git, gitIn } from "./git.ts";

const env = { PATH: process.env.PATH };

/** A folder with a repository whose configuration names programs that leave a canary. */
async function hostileRepository() {
  const folder = await temporaryFolder();
  const root = join(folder.path, "clone");
  const canary = join(folder.path, "canary");
  mkdirSync(root);
  const git = (...args: string[]) =>
    execFileSync("git", args, {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...env,
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_CONFIG_SYSTEM: "/dev/null",
        ...{ GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@example.org" },
        ...{ GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@example.org" },
      },
    }).trim();
  const program = (path: string, name: string) => {
    const file = join(root, path);
    writeFileSync(file, `#!/bin/sh\necho ${name} >> ${canary}\nexit 1\n`);
    chmodSync(file, 0o755);
    return file;
  };
  git("init", "--quiet", "--initial-branch=main");
  writeFileSync(join(root, "a.txt"), "a\n");
  writeFileSync(join(root, ".gitattributes"), "* filter=evil diff=evil\n");
  git("add", "--all");
  git("commit", "--quiet", "--message", "all");
  return {
    ...folder,
    root,
    canary,
    git,
    program,
    /** The content of `a.txt` is gone, so that git would fetch it from its promisor. */
    losesContent() {
      const oid = git("rev-parse", "HEAD:a.txt");
      rmSync(join(root, ".git/objects", oid.slice(0, 2), oid.slice(2)));
    },
    configure(settings: Record<string, string>) {
      for (const [name, value] of Object.entries(settings)) git("config", name, value);
    },
  };
}

/** Every question that we ever ask git. */
async function askEverything(git: Git | null): Promise<void> {
  if (git === null) throw new Error("git is not there");
  await git.ask(["rev-parse", "--show-prefix"]);
  await git.ask(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  await git.ask(["rev-parse", "--is-inside-work-tree"]);
  const listing = await git.ask(["ls-tree", "-r", "-z", "-l", "--full-tree", "HEAD:"]);
  await git.ask(["rev-parse", "--show-toplevel"]);
  await git.ask(["ls-tree", "-r", "-z", "--full-tree", "HEAD"]);
  await git.ask(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
  await git.ask(["ls-files", "--error-unmatch", "--", "a.txt"]);
  await git.ask(["check-ignore", "--quiet", "--", "a.txt"]);
  const oids = listing.ok ? (listing.stdout.toString("latin1").match(/[0-9a-f]{40}/g) ?? []) : [];
  const all = [...oids, "HEAD:a.txt", "0123456789012345678901234567890123456789"];
  for await (const _ of git.stream(["cat-file", "--batch"], all.map((oid) => `${oid}\n`).join("")));
}

/** What a repository may name: each entry starts a program in the git that a user types. */
function hostileSettings(program: (path: string, name: string) => string): Record<string, string> {
  const at = (name: string) => program(`.git/evil-${name}`, name);
  return {
    "core.fsmonitor": at("fsmonitor"),
    "core.sshCommand": at("ssh"),
    "core.gitProxy": at("proxy"),
    "core.askPass": at("askpass"),
    "core.pager": at("pager"),
    "core.editor": at("editor"),
    "core.hooksPath": join(at("hooks"), ".."),
    "core.alternateRefsCommand": at("alternates"),
    "credential.helper": at("credential"),
    "diff.external": at("diff"),
    "diff.evil.textconv": at("textconv"),
    "diff.evil.command": at("command"),
    "filter.evil.smudge": at("smudge"),
    "filter.evil.process": at("process"),
    "gpg.program": at("gpg"),
    "alias.ls-tree": `!${at("alias")}`,
    "core.repositoryFormatVersion": "1",
    "extensions.partialClone": "evil",
    "remote.evil.promisor": "true",
    "protocol.ext.allow": "always",
    "protocol.allow": "always",
  };
}

const addresses = (program: (path: string, name: string) => string): [string, Record<string, string>][] => [
  ["ext::", { "remote.evil.url": `ext::${program(".git/ext", "ext")} %S` }],
  ["ssh", { "remote.evil.url": "ssh://127.0.0.1/x" }],
  ["a path", { "remote.evil.url": "/nowhere", "remote.evil.uploadpack": program(".git/pack", "pack") }],
  ["a helper", { "remote.evil.url": "x", "remote.evil.vcs": "ext" }],
];

/** A git that knows none of the newer settings, as older versions do not. */
function oldGit(folder: string): NodeJS.ProcessEnv {
  const bin = join(folder, "old-bin");
  mkdirSync(bin);
  const script = `#!/bin/sh
unset GIT_NO_LAZY_FETCH
for word do
  shift
  case $word in safe.*) set -- "$@" x.y=z ;; *) set -- "$@" "$word" ;; esac
done
exec ${findProgram("git", env)} "$@"
`;
  writeFileSync(join(bin, "git"), script, { mode: 0o755 });
  return { PATH: `${bin}${delimiter}${env.PATH}` };
}

test.skipIf(!hasGit())(
  "fault row 60: no program that a repository names is started by git, and nothing is fetched",
  async () => {
    await using repository = await hostileRepository();
    const { root, canary, program } = repository;
    repository.configure(hostileSettings(program));
    repository.losesContent();
    const old = oldGit(repository.path);
    for (const [, settings] of addresses(program)) {
      repository.configure(settings);
      for (const environment of [env, old]) await askEverything(gitIn({ cwd: root, env: environment }));
    }
    expect(existsSync(canary)).toBe(false);
    // The trap is real: git itself, asked for the same, springs it.
    repository.configure({ "remote.evil.url": `ext::${join(root, ".git/ext")} %S` });
    expect(() => repository.git("cat-file", "-p", "HEAD:a.txt")).toThrow("remote repository");
    expect(existsSync(canary)).toBe(true);
  },
);

test.skipIf(!hasGit())(
  "fault row 60: a folder laid out as a bare repository is not read, by no version of git, from nowhere inside",
  async () => {
    await using repository = await hostileRepository();
    const { root, canary, program } = repository;
    repository.configure({
      ...hostileSettings(program),
      ...addresses(program)[0]?.[1],
      "core.bare": "true",
    });
    repository.losesContent();
    const bare = join(repository.path, "bare");
    execFileSync("mv", [join(root, ".git"), bare]);
    mkdirSync(join(bare, "skills"));
    mkdirSync(join(bare, ".git"));
    for (const environment of [env, oldGit(repository.path)])
      for (const cwd of [bare, join(bare, "skills")]) {
        const git = gitIn({ cwd, env: environment });
        await askEverything(git);
        expect(await git?.ask(["rev-parse", "HEAD"])).toEqual({
          ok: false,
          problem: `${realpathSync(bare)} is laid out as a bare repository, which is not read`,
        });
      }
    expect(existsSync(canary)).toBe(false);
  },
);

test.skipIf(!hasGit())("a git that the repository brings along is not the one that is asked", async () => {
  await using repository = await hostileRepository();
  const { root, canary, program } = repository;
  mkdirSync(join(root, "node_modules/.bin"), { recursive: true });
  program("node_modules/.bin/git", "git");
  const bins = [join(root, "node_modules/.bin"), "node_modules/.bin", "."];
  const git = gitIn({ cwd: root, env: { PATH: [...bins, env.PATH].join(delimiter) } });

  expect(await git?.ask(["rev-parse", "--is-inside-work-tree"])).toMatchObject({ ok: true });
  expect(existsSync(canary)).toBe(false);
  expect(gitIn({ cwd: root, env: { PATH: bins.join(delimiter) } })).toBeNull();
});
