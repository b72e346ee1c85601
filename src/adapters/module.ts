import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { Adapter } from "../contract/outcome.ts";
import type { ModuleConfig } from "../contract/unit-skill.ts";
import { describeExit, silenceMessage } from "./answers.ts";
import { describeReply } from "./describe-reply.ts";
import { type Codec, type RpcLine, readRpcLine } from "./json-rpc.ts";
import type { ModuleEntry } from "./module-entry.ts";
import { persistentAdapter } from "./persistent.ts";
import type { Protocol, SubprocessOptions } from "./subprocess.ts";

// Why an answer of module-process.mjs is an error; any other code means that the module threw.
const notJsonCode = -32001;
const unusableCode = -32002;

/** Speaks with module-process.mjs: a line of it begins with a nonce that the module does not know; everything else is output of the module. */
function moduleCodec(nonce: string): Codec {
  return {
    greeting: `${nonce}\n`,
    request: (id, params, deadlineMs) => `${JSON.stringify({ id, params, deadlineMs })}\n`,
    read(line, id): RpcLine {
      if (line.subarray(0, nonce.length).equals(Buffer.from(nonce)))
        return readRpcLine(line.subarray(nonce.length), id);
      const read = readRpcLine(line, id);
      return read.kind === "stray" ? read : { kind: "stray", what: "text", text: line.toString("utf8") };
    },
  };
}

const moduleProcess = fileURLToPath(new URL("./module-process.mjs", import.meta.url));

/** Our program that runs a module of the skill's author, on this Node. */
export function moduleCommand(
  type: ModuleConfig["type"],
  { file, exportName }: ModuleEntry,
  node: string,
): Pick<SubprocessOptions, "argv" | "reads"> {
  const name = exportName === null ? [] : [exportName];
  return { argv: [node, moduleProcess, type, file, ...name], reads: [moduleProcess] };
}

/** A module in such a process, which is reused for the next call as long as it is healthy. */
export function moduleAdapter(options: SubprocessOptions): Adapter {
  return persistentAdapter(options, protocol);
}

/** How Node ends when nothing is left that could let a module finish loading. */
const neverLoadedCode = 13;

const protocol: Protocol = {
  openCodec: () => moduleCodec(randomBytes(16).toString("hex")),
  staysAfter: (reply) => reply.kind === "result" || (reply.kind === "error" && reply.code !== unusableCode),
  // The module gets the abort signal at the deadline; this is its time to release external resources.
  overdueMs: 100,
  toOutcome(reply, chatter, evidence, deadlineMs) {
    const outcome = describeReply(reply, chatter, evidence, deadlineMs);
    if (outcome.status === "timed-out") return { ...outcome, message: silenceMessage(deadlineMs) };
    if (outcome.status !== "failed") return outcome;
    if (reply.kind === "error") {
      const { message, code } = reply;
      if (code === notJsonCode) return { ...outcome, cause: "bad-response", message, statusCode: undefined };
      // The codes are those of our own process; one that could not load the module says nothing for it.
      const isUnusable = code === unusableCode;
      const fault = {
        ...outcome,
        cause: "module-error",
        message,
        statusCode: undefined,
        isFinal: isUnusable,
      } as const;
      return isUnusable ? { ...fault, isReported: false } : fault;
    }
    if (reply.kind !== "exited" || reply.exit.limit !== null) return outcome;
    // Whatever the exit code: a module has no reason to end its process.
    const hasLastWords = reply.exit.code !== 0 && chatter.stderrTail !== "";
    const why = reply.exit.code === neverLoadedCode ? ": a top-level await of the module can never end" : "";
    const message = hasLastWords ? outcome.message : `${describeExit(reply.exit)} without an answer${why}`;
    return { ...outcome, cause: "crash", message };
  },
};
