import { mkdtempSync, realpathSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { openOrClose } from "../../shared/async/open-or-close.ts";
import { type Git, gitIn } from "../../shared/files/git.ts";
import { fetchHint, findCommit, type GitCommit, isRefName } from "../../shared/files/git-commit.ts";
import { nearPath } from "../../shared/files/paths.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { UserError } from "../../shared/user-error.ts";
import { writeGitTree } from "./write-git-tree.ts";

export interface BaseRequest {
  /** A folder or a git ref. */
  base: string;
  /** The folder whose earlier state is wanted. */
  dir: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/** The state of a catalog that another is compared with. A temporary copy is removed when it is closed. */
export interface BaseCatalog extends AsyncDisposable {
  dir: string;
  /** The folder as it was named, or the ref with its commit. */
  label: string;
  /** Replaces paths of the temporary copy by what the user named. */
  showPaths(text: string): string;
  warnings: string[];
}

/** Finds the earlier state of a catalog: a folder, or what git has of the same folder at a ref. */
export async function openBaseCatalog(request: BaseRequest): Promise<BaseCatalog> {
  const { base, dir, cwd } = request;
  refuseMissing(dir, cwd);
  const isThere = isFolder(resolve(cwd, base));
  if (looksLikePath(base)) {
    if (isThere) return folderBase(base);
    throw noFolder(base, "pass the folder with the earlier skills, or a git ref such as origin/main");
  }
  const found = await findBase(request);
  if (found.ok && !isThere) return gitBase(request, found);
  if (found.ok)
    throw new UserError("usage", `--base ${base} is both a folder and a git ref`, {
      hint: `write ./${base} for the folder, refs/heads/${base} for the branch`,
    });
  if (isThere) return folderBase(base);
  throw found.error;
}

function folderBase(base: string): BaseCatalog {
  return {
    dir: base,
    label: base,
    showPaths: (text) => text,
    warnings: [],
    [Symbol.asyncDispose]: async () => {},
  };
}

type FoundBase = ({ ok: true; git: Git } & GitCommit) | { ok: false; error: UserError };

async function findBase({ base, dir, cwd, env, signal }: BaseRequest): Promise<FoundBase> {
  const refuse = (message: string, hint: string) => ({
    ok: false as const,
    error: new UserError("usage", message, { hint }),
  });
  const nameFolder = "pass a folder with the earlier skills instead: --base ./old-skills";
  if (!isRefName(base)) return refuse(`invalid --base: ${base}`, nameFolder);
  const git = gitIn({ cwd: resolve(cwd, dir), env, signal });
  if (git === null) return refuse(`no folder ${base}, and git is not installed to resolve a ref`, nameFolder);
  const found = await findCommit(git, base);
  if ("oid" in found) return { ok: true, git, ...found };
  if (found.isRepository)
    return refuse(`--base ${base} is neither a folder nor a known git commit`, fetchHint);
  return refuse(`--base ${base} is not a folder, and git failed in ${dir}: ${found.problem}`, nameFolder);
}

async function gitBase(
  { base, dir, cwd }: BaseRequest,
  { git, oid, prefix }: Extract<FoundBase, { ok: true }>,
): Promise<BaseCatalog> {
  const short = oid.slice(0, 7);
  const label = oid.startsWith(base) ? short : `${base} (${short})`;
  const listing = await git.ask(["ls-tree", "-r", "-z", "-l", "--full-tree", `${oid}:${prefix}`]);
  if (!listing.ok && /promisor|not allowed/.test(listing.problem)) throw notFetched(label);
  if (!listing.ok)
    throw new UserError("usage", `no folder ${prefix || dir} at ${label}`, {
      path: dir,
      hint: "it may have been renamed since; check out that commit elsewhere and pass its folder as --base",
    });
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "eval-skills-base-"));
  const close = () => rm(folder, { recursive: true, force: true });
  return openOrClose(close, async () => {
    // A folder that is a skill itself goes by its own name.
    const tree = join(folder, basename(resolve(cwd, dir)) || "skills");
    const leftOut = await writeGitTree(git, listing.stdout, tree);
    const shown = prefix === "" ? `${base}:.` : `${base}:${prefix}`;
    return {
      dir: tree,
      label,
      showPaths: (text) => text.replaceAll(tree, shown).replaceAll(nearPath(tree, cwd), shown),
      warnings:
        leftOut === 0
          ? []
          : [
              `${pluralize(leftOut, "entry", "entries")} of ${shown} left out: symlinks that point outside, submodules`,
            ],
      [Symbol.asyncDispose]: close,
    };
  });
}

/** In a partial clone git would fetch what is missing, from wherever the repository says. */
function notFetched(label: string): UserError {
  return new UserError(
    "usage",
    `this partial clone does not have all files of ${label}, and nothing is fetched`,
    {
      hint: "fetch them first, for example `git checkout` that commit once, or clone without --filter",
    },
  );
}

function refuseMissing(dir: string, cwd: string): void {
  if (isFolder(resolve(cwd, dir))) return;
  throw noFolder(dir, "pass your skills folder: eval-skills catalog diff ./skills --base main");
}

function noFolder(path: string, hint: string): UserError {
  return new UserError("skill-not-found", `folder not found: ${path}`, { path, hint });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** A ref can have slashes, but never begins like this. */
function looksLikePath(base: string): boolean {
  return /^(?:\.|\/|~)/.test(base);
}
