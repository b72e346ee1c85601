import { constants } from "node:os";
import type { SkillFault } from "../contract/cause.ts";
import type { Evidence, Outcome } from "../contract/outcome.ts";
import type { SkillExit } from "../contract/sandbox.ts";
import type { ToolConfig } from "../contract/unit-skill.ts";
import type { Json, JsonObject } from "../shared/json/json.ts";
import { shorten } from "../shared/text/visible-text.ts";
import { isNestedDeeper } from "./answers.ts";
import { describeReply } from "./describe-reply.ts";
import { type Chatter, chatterEvidence } from "./process-reader.ts";
import type { Reply } from "./process-session.ts";
import type { HostReply } from "./tool-codec.ts";

interface CalledTool extends Pick<ToolConfig, "function" | "script"> {
  /** The folder of the skill; its path is removed from messages. */
  dir: string;
  /** Warnings about a call that was made anyway. */
  findings: readonly string[];
}

/** The outcome of a tool call, with the codes that a conversation shows. */
export function describeToolOutcome(
  tool: CalledTool,
  reply: Reply,
  chatter: Chatter,
  evidence: Evidence,
  deadlineMs: number,
): Outcome {
  const seen: Evidence = { ...evidence, ...chatterEvidence(chatter) };
  const warned: Evidence = tool.findings.length === 0 ? seen : { ...seen, warnings: tool.findings };
  const fail = (cause: SkillFault, message: string) => failure(cause, message, warned);
  switch (reply.kind) {
    case "result": {
      const hostReply = reply.output as unknown as HostReply;
      if (!hostReply.ok)
        return {
          ...fail(...describeFault(hostReply, tool)),
          ...(hostReply.refusal === true && { isRefusal: true }),
        };
      // The host measures results; one that a tool wrote past it is measured here.
      if (isNestedDeeper(hostReply.data, maxDepth))
        return fail("result-too-large", `nested deeper than ${maxDepth} levels`);
      const bytes = Buffer.byteLength(JSON.stringify(hostReply.data));
      if (bytes > maxBytes) return fail("result-too-large", `${bytes} bytes, limit ${maxBytes}`);
      const findings = resultFindings(hostReply.data as JsonObject, bytes);
      const warnings = [...tool.findings, ...reply.warnings, ...findings];
      return {
        ...seen,
        status: "answered",
        output: hostReply.data,
        ...(warnings.length > 0 && { warnings }),
      };
    }
    case "bad":
    case "error":
      return fail("bad-result", reply.kind === "bad" ? reply.problem : reply.message);
    case "flooded":
      return { ...fail("result-too-large", `more than ${reply.bytes} bytes`), bytesSeen: reply.bytes };
    case "silent": {
      const message = `${tool.function} did not answer within ${deadlineMs} ms`;
      return { ...warned, latencyMs: deadlineMs, status: "timed-out", message };
    }
    case "exited": {
      const { exit } = reply;
      if (exit.refusal !== undefined) return describeReply(reply, chatter, evidence, deadlineMs);
      if (exit.limit === null) {
        const statusCode = exitNumber(exit);
        return { ...fail("tool-crashed", `exit ${statusCode}`), statusCode };
      }
      // The same call meets the same limit again.
      return { ...fail("tool-crashed", `stopped at the ${exit.limit.replace("-", " ")}`), isFinal: true };
    }
    case "not-started":
      return describeReply(reply, chatter, evidence, deadlineMs);
    default:
      return reply satisfies never;
  }
}

const maxBytes = 65_536;
const maxDepth = 64;

/** The exception of a tool as Python would print it, with the paths that our messages leave out. */
export function whatItRaised(reply: Reply, script: string): string {
  const hostReply = reply.kind === "result" ? (reply.output as unknown as HostReply) : null;
  if (hostReply === null || hostReply.ok) return "";
  return `  File "/skill/${script}", line 1\n${hostReply.type}: ${hostReply.message}`;
}

type Failure = Extract<Outcome, { status: "failed" }>;

const maxMessageChars = 500;

/** A cause and a sentence. In a conversation they are shown as one text, which is what the limit is for. */
export function failure(cause: SkillFault, message: string, seen: Evidence): Failure {
  const text = message.replace(/\s+/g, " ").trim();
  return { ...seen, status: "failed", cause, message: shorten(text, maxMessageChars - `${cause}: `.length) };
}

function describeFault(
  { kind, type, message }: Extract<HostReply, { ok: false }>,
  tool: CalledTool,
): [SkillFault, string] {
  const raised = message === "" ? type : `${type}: ${withoutPaths(message, tool.dir)}`;
  switch (kind) {
    case "import":
      return ["tool-failed", `${tool.script} cannot be imported: ${raised}`];
    case "exception":
    case "exit":
      return ["tool-failed", raised];
    case "no-function":
      return ["tool-missing", `${tool.script} has no function ${tool.function}`];
    case "not-object":
      return ["bad-result", message];
    case "not-json":
      return ["bad-result", `not JSON: ${type === "" ? message : raised}`];
    case "too-large":
      return ["result-too-large", message];
    default:
      return ["bad-result", `the host answered ${JSON.stringify(kind satisfies never)}`];
  }
}

/** As a shell counts it, so that it is the same with and without a sandbox. */
function exitNumber({ code, signal }: SkillExit): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

const largeBytes = 8192;

/** Warnings about a result that is expensive to read; it is delivered anyway. */
function resultFindings(data: JsonObject, bytes: number): string[] {
  const findings: string[] = [];
  if (data.ok === false)
    findings.push("swallowed-error: the result says ok: false; raise an exception instead");
  else if (isFilled(data.error))
    findings.push("swallowed-error: the result contains an error; raise an exception instead");
  if (bytes > largeBytes)
    findings.push(`large-result: ${bytes} bytes; return positions instead of passages, below ${largeBytes}`);
  return findings;
}

function isFilled(value: Json | undefined): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** The text of a tool without paths of this machine: files of the skill are named relative to its folder. */
function withoutPaths(text: string, dir: string): string {
  return text
    .replaceAll(`${dir}/`, "")
    .replaceAll(dir, ".")
    .replace(sandboxSkillFolder, "")
    .replace(machinePath, (path) => path.slice(path.lastIndexOf("/") + 1) || "a folder");
}

/** The folder of a skill, as seen in the sandbox. */
const sandboxSkillFolder = /(?<![\w./:-])\/skill\//g;

/** Absolute paths, which are shortened to their last name. */
const machinePath =
  /(?<![\w./:-])\/(?:bin|dev|etc|home|lib|lib64|media|mnt|nix|opt|private|proc|root|run|srv|sys|tmp|Users|usr|var|work|Volumes)(?![\w.-])(?:\/[^\s"'`<>|:;,()[\]{}]*)?/g;
