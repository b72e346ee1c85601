import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { projectFileNames, type UserFolders, userConfigFile } from "../../config/config-files.ts";
import type { Diagnosis } from "../../contract/findings.ts";
import { type Git, gitIn } from "../../shared/files/git.ts";
import { UserError } from "../../shared/user-error.ts";
import { credentialIn } from "../../skills/secrets/credentials.ts";

export interface LoadedFiles {
  files: { project: string | null };
  warnings: readonly string[];
}

/** What `doctor` reports about a project's files: whether the configuration can be read, and exposed keys. */
export async function diagnoseProject(
  cwd: string,
  user: UserFolders,
  loadConfig: () => Promise<LoadedFiles>,
): Promise<Diagnosis[]> {
  return [await diagnoseConfig(loadConfig), ...(await diagnoseSecrets(cwd, user))];
}

async function diagnoseConfig(load: () => Promise<LoadedFiles>): Promise<Diagnosis> {
  try {
    const { files, warnings } = await load();
    const [warning] = warnings;
    if (warning !== undefined) return line("configuration", "note", warning);
    return line("configuration", "ok", files.project ?? "no config file, defaults apply");
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const message = error.hint === null ? error.message : `${error.message}; ${error.hint}`;
    return line("configuration", "bad", message, "fix the file; eval-skills schema config prints its schema");
  }
}

const maxBytes = 1_048_576;

/** Only strings shaped like a real credential count, and only in files that could be shared with the project. */
async function diagnoseSecrets(cwd: string, user: UserFolders): Promise<Diagnosis[]> {
  const found: Diagnosis[] = [];
  const git = gitIn({ cwd, env: user.env ?? {}, signal: AbortSignal.timeout(30_000) });
  for (const name of filesToRead(cwd)) {
    const kind = credentialAt(join(cwd, name));
    if (kind === null) continue;
    const isEnvironment = name.startsWith(".env");
    const state = await readGitState(name, git);
    if (isEnvironment && (state === "ignored" || state === "no repository")) continue;
    const message = `${name} contains ${kind}${state === "tracked" ? " and is tracked by git" : ""}`;
    found.push(
      isEnvironment
        ? line(
            "secrets",
            "bad",
            message,
            state === "tracked" ? `git rm --cached ${name}` : `echo ${name} >> .gitignore`,
          )
        : line(
            "secrets",
            "bad",
            message,
            "move it to an environment variable and name that in llm.apiKeyEnv or authTokenEnvKey",
          ),
    );
  }
  const own = userConfigFile(user);
  if (isOpenToOthers(own) && /apiKey\b/.test(readText(own)))
    found.push(line("secrets", "bad", `${own} contains a key and is readable by others`, `chmod 600 ${own}`));
  return found.length > 0
    ? found
    : [line("secrets", "ok", "none in the configuration or an unprotected .env file")];
}

function filesToRead(cwd: string): string[] {
  try {
    const names = readdirSync(cwd);
    return names.filter(
      (name) =>
        (projectFileNames as readonly string[]).includes(name) ||
        (/^\.env(?:\.|$)/.test(name) && !/example|sample|template|dist$/i.test(name)),
    );
  } catch {
    return [];
  }
}

function credentialAt(path: string): string | null {
  const { size, isFile } = readFileFacts(path);
  return isFile && size <= maxBytes ? credentialIn(Buffer.from(readText(path), "latin1")) : null;
}

function readText(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

function readFileFacts(path: string): { size: number; isFile: boolean; mode: number } {
  const found = statSync(path, { throwIfNoEntry: false });
  return { size: found?.size ?? 0, isFile: found?.isFile() ?? false, mode: found?.mode ?? 0 };
}

function isOpenToOthers(path: string): boolean {
  const { isFile, mode } = readFileFacts(path);
  return process.platform !== "win32" && isFile && (mode & 0o077) !== 0;
}

type GitState = "tracked" | "ignored" | "untracked" | "no repository";

/** Without git there is no repository to leak into. */
async function readGitState(name: string, git: Git | null): Promise<GitState> {
  const succeeds = async (...args: Parameters<Git["ask"]>[0]) => (await git?.ask(args))?.ok === true;
  if (!(await succeeds("rev-parse", "--is-inside-work-tree"))) return "no repository";
  if (await succeeds("ls-files", "--error-unmatch", "--", name)) return "tracked";
  return (await succeeds("check-ignore", "--quiet", "--", name)) ? "ignored" : "untracked";
}

function line(name: string, state: Diagnosis["state"], found: string, fix: string | null = null): Diagnosis {
  return { topic: "project", name, state, found, fix };
}
