import { readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { importTrace, writeImportedRun } from "../../agent-runtime/import/import-trace.ts";
import type { ImportedRun } from "../../agent-runtime/import/trace.ts";
import { openRunLog } from "../../agent-runtime/log/open-run-log.ts";
import { plainFileIn } from "../../agent-runtime/log/plain-file-in.ts";
import { agentCatalog } from "../../cases/agent-catalog.ts";
import type { Config } from "../../contract/config.ts";
import type { TraceKind } from "../../contract/trace-kind.ts";
import type { SkillRoot } from "../../engine/skills/skill-root-folders.ts";
import { systemClock } from "../../shared/async/clock.ts";
import { UserError } from "../../shared/user-error.ts";

interface ImportRequest {
  /** Null where the content says it. */
  kind: TraceKind | null;
  /** Several requests become one run. */
  join: boolean;
  /** Absolute, and as the user named it. */
  file: string;
  shown: string;
  /** The folders of the skills the agent had. */
  roots: readonly SkillRoot[];
  /** Where the run directory is made. */
  out: string;
  /** Values that must not be written. */
  secrets: readonly string[];
  cwd: string;
}

export interface WrittenRun {
  dir: string;
  runId: string;
  run: ImportedRun;
}

/** Creates run directories from the transcript of another agent, one for each request in it. */
export async function importRuns(request: ImportRequest): Promise<WrittenRun[]> {
  const { kind, file, roots, out, cwd, join } = request;
  const bytes = readTrace(file, request.shown);
  const { skills } = await agentCatalog({ roots, profile: "lenient", cwd, exclude: [] });
  const companion = (path: string) => plainFileIn(dirname(file), path, maxTraceBytes);
  const runs = inFile(request.shown, () =>
    importTrace(kind, bytes, { skills: [...skills], join, companion }),
  );
  const written: WrittenRun[] = [];
  for (const run of runs) {
    await using log = openRunLog({
      runsDir: out,
      recording: "full",
      secrets: request.secrets,
      clock: systemClock,
      random: Math.random,
      hasWorkspace: false,
    });
    writeImportedRun(run, log);
    await log.synced();
    written.push({ dir: log.dir, runId: log.runId, run });
  }
  return written;
}

/** A transcript is read into memory as a whole. */
const maxTraceBytes = 256 * 1024 * 1024;

function readTrace(file: string, shown: string): Uint8Array {
  const found = statSync(file, { throwIfNoEntry: false });
  const refuse = (what: string) => new UserError("usage", `${shown} ${what}`, { path: shown });
  if (found === undefined) throw refuse("does not exist");
  if (!found.isFile()) throw refuse("is not a regular file");
  if (found.size > maxTraceBytes) throw refuse("is larger than 256 MiB");
  return readFileSync(file);
}

/** Names the transcript in its errors. */
function inFile<Result>(shown: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { code, message, hint } = error;
    throw new UserError(code, `${shown} ${message}`, { path: shown, hint: hint ?? undefined, cause: error });
  }
}

/** The values of all configured secrets that are set: keys of models, and variables passed to scripts. */
export function configuredSecrets({ llm, models, sandbox }: Config, env: NodeJS.ProcessEnv): string[] {
  const named = [
    llm.apiKeyEnv,
    ...Object.values(models).map(({ apiKeyEnv }) => apiKeyEnv),
    ...defaultKeys,
    ...sandbox.envKeys,
  ];
  const values = named.flatMap((name) => (typeof name === "string" ? (env[name] ?? []) : []));
  return [...new Set([...(llm.apiKey === undefined ? [] : [llm.apiKey]), ...values])];
}

/** The default key variables of providers. */
const defaultKeys = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"];
