import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runToEnd } from "../../agent-runtime/tools/run-to-end.ts";
import type { CaseCheck } from "../../contract/agent-case.ts";
import { type CheckEnd, checksFile } from "../../contract/case-check.ts";
import type { LoadedAgentCase } from "../../contract/loaded-case.ts";
import type { Sandbox, SkillCommand } from "../../contract/sandbox.ts";
import { findInterpreter } from "../../shared/files/find-interpreter.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { checkDigest } from "./grade/check-digest.ts";

interface ChecksContext {
  sandbox: Sandbox;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/**
 * Lets the programs of a case judge what a run left, and keeps what they say in the run directory: a grader runs nothing. Each gets
 * a copy, so that no check can change what another one sees.
 */
export async function runChecks(loaded: LoadedAgentCase, dir: string, context: ChecksContext): Promise<void> {
  const { checks } = loaded.case.expect;
  if (checks.length === 0) return;
  const ends: CheckEnd[] = [];
  for (const check of checks) ends.push(await runCheck(check, loaded, dir, context));
  await writeFile(join(dir, checksFile), `${JSON.stringify(ends)}\n`, { mode: 0o600 });
}

const defaultTimeoutMs = 30_000;
const maxBytes = 1_048_576;
const maxOutputLength = 2000;

async function runCheck(
  check: CaseCheck,
  loaded: LoadedAgentCase,
  dir: string,
  { sandbox, env, signal }: ChecksContext,
): Promise<CheckEnd> {
  const asked = checkDigest(check, loaded.checkFiles);
  const copy = await mkdtemp(join(tmpdir(), "eval-skills-check-"));
  try {
    await cp(dir, copy, { recursive: true, verbatimSymlinks: true });
    const argv = await commandOf(check, loaded, copy, { env, sandbox });
    if (typeof argv === "string") return { asked, status: "none", message: argv, output: "" };
    const command: SkillCommand & { deadlineMs: number } = {
      ...{ argv, folder: copy, cwd: join(copy, "sandbox", check.cwd ?? ""), reads: [loaded.dir] },
      ...{ env: { EVAL_SKILLS_CASE_DIR: loaded.dir }, deadlineMs: check.timeout_ms ?? defaultTimeoutMs },
      ...{ seesEvalMaterial: true, network: "none" },
    };
    const { end, stdout, stderr } = await runToEnd(sandbox, command, maxBytes, signal);
    const texts = [stdout.text(true), stderr.text(true)] as const;
    const output = texts
      .filter((text) => text !== "")
      .join("\n")
      .slice(-maxOutputLength);
    return { asked, ...judgeEnd(check, end, texts), output };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** Program and arguments; a text says why there is none. */
async function commandOf(
  check: CaseCheck,
  { checkFiles }: LoadedAgentCase,
  copy: string,
  { env, sandbox }: Pick<ChecksContext, "env" | "sandbox">,
): Promise<readonly [string, ...string[]] | string> {
  if (check.module !== undefined)
    return [process.execPath, "--input-type=module", "-e", askModule, checkFiles[check.module] ?? "", copy];
  const [program = "", ...args] = (check.run ?? []).map((word) => checkFiles[word] ?? word);
  const found = await findInterpreter(program, copy, env, sandbox.canReach);
  return found.path === null ? `${shownText(program)} was not found` : [found.path, ...args];
}

/** Imports a grader and hands it the run directory, its only input. */
const askModule = `
const [, file, runDir] = process.argv;
const { pathToFileURL } = await import("node:url");
const { default: grade } = await import(pathToFileURL(file).href);
const verdict = await grade({ runDir });
process.stdout.write("\\n" + JSON.stringify(verdict ?? null) + "\\n");
`;

type Ended = Awaited<ReturnType<typeof runToEnd>>["end"];

function judgeEnd(
  { exit: wanted = 0, stdout_contains: words, module }: CaseCheck,
  end: Ended,
  [stdout, stderr]: readonly [string, string],
): Pick<CheckEnd, "status" | "message"> {
  const none = (message: string) => ({ status: "none", message }) as const;
  const fail = (message: string) => ({ status: "fail", message }) as const;
  if (end.kind === "not-started") return none(`it could not be started: ${end.problem}`);
  if (end.kind === "timeout") return fail("it did not end in time");
  if (end.kind === "flooded") return fail(`it wrote more than ${maxBytes} bytes to ${end.stream}`);
  const { code, signal, limit, refusal } = end.exit;
  if (refusal !== undefined) return none(refusal);
  const lastWords = shownText(stderr.trim().split("\n").at(-1) ?? "", 300);
  if (code !== wanted) {
    const how = limit ?? (code === null ? `ended by ${signal}` : `exit code ${code}`);
    return fail(`${how}, expected ${wanted}${lastWords === "" ? "" : `: ${lastWords}`}`);
  }
  if (words !== undefined && !stdout.includes(words))
    return fail(`its output lacks ${shownText(JSON.stringify(words))}`);
  const verdict = verdictIn(stdout);
  if (verdict === null)
    return module === undefined
      ? { status: "pass", message: "" }
      : none("it gave no verdict: {pass: true} or {pass: false, reason}");
  return verdict.pass ? { status: "pass", message: "" } : fail(verdict.reason ?? "its verdict is no");
}

/** The last line of what it wrote, or all of it, where that is `{"pass": …}`. */
function verdictIn(stdout: string): { pass: boolean; reason: string | null } | null {
  const text = stdout.trim();
  for (const candidate of [text, text.split("\n").at(-1) ?? ""]) {
    try {
      const value: unknown = JSON.parse(candidate);
      if (!isMap(value) || typeof value.pass !== "boolean") continue;
      return {
        pass: value.pass,
        reason: typeof value.reason === "string" ? shownText(value.reason, 500) : null,
      };
    } catch {
      // not a verdict
    }
  }
  return null;
}
