import type { AgentError } from "../../contract/agent-error.ts";
import type { StoredText } from "../../contract/agent-log.ts";
import type { SkillExit } from "../../contract/sandbox.ts";
import type { ProgramEnd, ProgramRun, StreamHead } from "./run-to-end.ts";
import { plainObservation, refusedWork, type ToolWork, takeBeginning } from "./tool-work.ts";

/** Of each stream, in the observation. */
const excerptChars = 4000;

/** The result of a script, for the model and for the audit; both streams are stored whole. */
export function scriptWork(
  { end, stdout, stderr }: ProgramRun,
  limits: { deadlineMs: number; maxBytes: number },
  keep: (stream: string, bytes: Buffer) => StoredText,
  /** What the sandbox hid from it, if it failed for that. */
  hidden: string | null = null,
): ToolWork {
  const refusal = findRefusal(end);
  if (refusal !== null)
    return refusedWork(hidden === null ? refusal : { code: "SandboxHid", message: hidden });
  const error = hidden === null ? scriptError(end, limits) : scriptHindered(end, hidden);
  const isBrokenOff = end.kind !== "exited";
  const out = readOutput("stdout", stdout, isBrokenOff, keep);
  const err = readOutput("stderr", stderr, isBrokenOff, keep);
  const summary = [error?.message ?? "exit code 0", ...out.block, ...err.block].join("\n");
  const whole = out.isCut ? out.stored : err.isCut ? err.stored : null;
  const ended = {
    exit_code: end.kind === "exited" ? end.exit.code : null,
    ...(end.kind === "timeout" && { timeout: true }),
  };
  return {
    started: true,
    ...(error !== null && { error }),
    result: { ...ended, stdout_chars: out.chars, stderr_chars: err.chars },
    observation:
      whole === null ? plainObservation(summary) : { summary, storage_ref: whole.ref, sha256: whole.sha256 },
    ended: {
      ...ended,
      ...(out.stored !== null && { stdout_ref: out.stored.ref }),
      ...(err.stored !== null && { stderr_ref: err.stored.ref }),
    },
    hashes: {
      ...(out.stored !== null && { stdout_sha256: out.stored.sha256 }),
      ...(err.stored !== null && { stderr_sha256: err.stored.sha256 }),
    },
  };
}

/** One stream: its beginning under its name for the model, and where all of it is. */
function readOutput(
  name: string,
  stream: StreamHead,
  isBrokenOff: boolean,
  keep: (stream: string, bytes: Buffer) => StoredText,
) {
  const text = stream.text(isBrokenOff);
  const excerpt = takeBeginning(text, excerptChars);
  return {
    chars: text.length,
    isCut: excerpt.isCut,
    block: text === "" ? [] : [`--- ${name}`, excerpt.text],
    stored: text === "" ? null : keep(name, stream.bytes()),
  };
}

/** Why nothing ran, where nothing did. */
function findRefusal(end: ProgramEnd): AgentError | null {
  if (end.kind === "not-started") {
    const message = `the script could not be started: ${end.problem}`;
    return { code: "IOError", message, reason: "not_started" };
  }
  const refusal = end.kind === "exited" ? end.exit.refusal : undefined;
  return refusal === undefined ? null : { code: "SandboxUnavailable", message: refusal };
}

function scriptHindered(end: ProgramEnd, hidden: string): AgentError {
  const words = end.kind === "exited" ? `exit code ${end.exit.code}` : end.kind;
  return { code: "SandboxHid", message: `${hidden} (${words})` };
}

function scriptError(
  end: ProgramEnd,
  { deadlineMs, maxBytes }: { deadlineMs: number; maxBytes: number },
): AgentError | null {
  if (end.kind === "timeout") {
    const message = `still running after ${deadlineMs} ms; it was ended with all it had started`;
    return { code: "Timeout", message };
  }
  if (end.kind === "flooded") {
    const message = `wrote more than ${maxBytes} bytes to ${end.stream}; it was ended`;
    return { code: "OutputLimit", message };
  }
  return end.kind === "exited" ? exitError(end.exit) : null;
}

function exitError({ code, signal, limit }: SkillExit): AgentError | null {
  if (code === 0 && limit === null) return null;
  const words = code === null ? `ended by ${signal ?? "a signal"}` : `exit code ${code}`;
  if (limit === null) return { code: "ExitNonZero", message: words, details: { exit_code: code } };
  return { code: "ExitNonZero", message: `${words} (${limit})`, reason: limit, details: { exit_code: code } };
}
