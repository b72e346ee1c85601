import type * as z from "zod";
import type { AgentError } from "../../contract/agent-error.ts";
import type { ToolCall } from "../../contract/agent-parts.ts";
import type { PathAudit } from "../../contract/agent-record.ts";
import { blockedPath } from "../../shared/files/path-guard.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { zodProblem } from "../../shared/json/zod-problem.ts";
import { errorOfPath, type ToolOrder, type ToolWork } from "./tool-work.ts";

/** Why a call is not made, known from its parameters alone. */
export interface Refused {
  ok: false;
  error: AgentError;
  path?: PathAudit | undefined;
}

/** A call whose parameters are valid: what happens once it is approved. */
export interface PreparedCall {
  ok: true;
  work: () => ToolWork | Promise<ToolWork>;
}

/** Reads the parameters of a call. Looks at no file and for no name: it is not approved yet. */
export type Preparation = (call: ToolCall, params: JsonObject, signal: AbortSignal) => PreparedCall | Refused;

/** A tool: what it takes, how its parameters are checked, and what it does. */
export function defineTool<Arguments, Ready>(
  schema: z.ZodType<Arguments>,
  check: (args: Arguments, call: ToolCall) => { ok: true; ready: Ready } | Refused,
  work: (order: ToolOrder<Ready>) => ToolWork | Promise<ToolWork>,
): Preparation {
  return (call, params, signal) => {
    const read = schema.safeParse(params);
    if (!read.success) {
      const { message } = zodProblem(read.error, params);
      return { ok: false, error: { code: "InvalidAction", message: `${call.tool}: ${message}` } };
    }
    const checked = check(read.data, call);
    if (!checked.ok) return checked;
    const { callId, selected, remainingMs } = call;
    const order = { callId, args: checked.ready, selected, remainingMs, signal };
    return { ok: true, work: () => work(order) };
  };
}

/** The arguments as they are, unless there is something wrong with a path among them. */
export function unlessBlocked<Arguments extends { path: string }>(
  args: Arguments,
  problem: string | null,
): { ok: true; ready: Arguments } | Refused {
  if (problem === null) return { ok: true, ready: args };
  const refusal = blockedPath(args.path, "lexical", problem);
  return { ok: false, error: errorOfPath(refusal), path: { ...refusal.path } };
}
