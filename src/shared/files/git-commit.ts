import type { Git } from "./git.ts";

/** A commit that a user named. */
export interface GitCommit {
  oid: string;
  /** Where the folder that git was asked in lies in its repository, `/`-separated; empty for the top. */
  prefix: string;
}

/** Why there is none: git cannot work in the folder, or knows no such commit. */
export interface NoCommit {
  isRepository: boolean;
  problem: string;
}

/** Whether a text can be handed to git as a ref at all: it is no option, and it fits on a line. */
export function isRefName(text: string): boolean {
  return text !== "" && !text.startsWith("-") && !/\p{Cc}/u.test(text);
}

/** The commit that a ref leads to. */
export async function findCommit(git: Git, ref: string): Promise<GitCommit | NoCommit> {
  const prefix = await git.ask(["rev-parse", "--show-prefix"]);
  if (!prefix.ok) return { isRepository: false, problem: prefix.problem };
  const commit = await git.ask(["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]);
  if (!commit.ok) return { isRepository: true, problem: commit.problem };
  return {
    oid: commit.stdout.toString("latin1").trim(),
    prefix: prefix.stdout.toString("utf8").replace(/\n$/, "").replace(/\/$/, ""),
  };
}

/** What helps where a ref is not known: CI servers fetch one commit only. */
export const fetchHint =
  "fetch it first, for example `git fetch origin main`; in GitHub Actions, check out with `fetch-depth: 0`";
