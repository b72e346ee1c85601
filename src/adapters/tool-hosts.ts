import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CallLimits, Evidence, Outcome } from "../contract/outcome.ts";
import type { Sandbox } from "../contract/sandbox.ts";
import {
  type HostedTool,
  type ToolHostMode,
  type ToolHosts,
  type ToolOutcome,
  type ToolRequest,
  toolDeadlineMs,
} from "../contract/tool-host.ts";
import { WaitingLine } from "../shared/async/waiting-line.ts";
import { sha256 } from "../shared/json/canonical-json.ts";
import type { JsonObject } from "../shared/json/json.ts";
import { findPython } from "./find-reachable.ts";
import { perCallAdapter } from "./subprocess.ts";
import { argumentChecks } from "./tool-arguments.ts";
import { toolCodec } from "./tool-codec.ts";
import { type HostCall, toolHostPool } from "./tool-host-pool.ts";
import { injectDocument } from "./tool-injection.ts";
import { describeToolOutcome, failure, whatItRaised } from "./tool-outcome.ts";
import { unlessHidden } from "./unless-hidden.ts";

export interface ToolHostsOptions {
  mode: ToolHostMode;
  sandbox: Sandbox;
  env: NodeJS.ProcessEnv;
  /** Variables of the runner that are passed on to tools. */
  envKeys: readonly string[];
  /** Additional variables. */
  variables?: Readonly<Record<string, string>> | undefined;
  maxOutputBytes: number;
  /** How many calls there may be at once; further ones wait their turn, which no deadline counts. */
  slots?: number | undefined;
  /** Reports what the user should know before the first call. */
  warn?: ((warning: string) => void) | undefined;
}

export interface OpenToolHosts extends ToolHosts {
  /** Imports the script of a tool and finds its function, without calling it. */
  load(tool: HostedTool, limits: CallLimits): Promise<ToolOutcome>;
  /** Checks before the first call that these tools can be called; else throws a `UserError`. */
  prepare(tools: readonly [HostedTool, ...HostedTool[]]): Promise<{ python: string }>;
}

const toolHost = fileURLToPath(new URL("./tool-host.py", import.meta.url));

/** Calls declared tools of skills, on behalf of a task, a model or a person. */
export function openToolHosts(options: ToolHostsOptions): OpenToolHosts {
  const { sandbox, maxOutputBytes } = options;
  const pool = options.mode === "persistent" ? toolHostPool({ sandbox, maxOutputBytes }) : null;
  const words = [toolHost, ...(pool === null ? [] : ["persistent"])];
  const env = toolVariables(options);
  const findCheck = argumentChecks();
  const whenFree = inTurn(options.slots ?? Number.POSITIVE_INFINITY);
  let found: Promise<string> | null = null;

  /** All tools share one interpreter: it is looked up once, for the first caller. */
  function pythonFor({ skill: { id, dir }, name }: HostedTool): Promise<string> {
    found ??= findPython({ id: `${id}#${name}`, dir, manifest: join(dir, "skill.json") }, options);
    return found;
  }

  async function call(request: ToolRequest, limits: CallLimits): Promise<ToolOutcome> {
    limits.signal.throwIfAborted();
    const { tool, document } = request;
    const given = injectDocument(tool.parameters, request.arguments, document);
    request.started?.(given.injected);
    const seen = {
      latencyMs: 0,
      ...(given.findings.length > 0 && { warnings: given.findings }),
      ...(given.injected.length > 0 && { injected: given.injected }),
    };
    const checked = findCheck(tool)(given.arguments);
    if (!checked.ok) return failure("bad-arguments", checked.problem, seen);
    if (!isThere(tool)) return missing(tool, seen);
    const findings = [...given.findings, ...checked.findings];
    const shown = given.reads === null ? null : { path: given.reads, text: document?.text ?? "" };
    const outcome = await ask(tool, checked.arguments, { findings, shown }, limits);
    return given.injected.length === 0 ? outcome : { ...outcome, injected: given.injected };
  }

  async function ask(
    tool: HostedTool,
    given: JsonObject | null,
    { findings, shown }: { findings: readonly string[]; shown: { path: string; text: string } | null },
    limits: CallLimits,
  ): Promise<Outcome> {
    const { skill, script, name } = tool;
    const python = await pythonFor(tool);
    const called = { script, function: name, dir: skill.dir, findings };
    const command: HostCall["command"] = {
      argv: [python, "-I", "-B", ...words],
      cwd: skill.dir,
      folder: skill.dir,
      env,
      reads: shown === null ? [toolHost] : [toolHost, shown.path],
      version: shown === null ? skill.digest : `${skill.digest} ${sha256(shown.text)}`,
      ...(skill.network === "none" && { network: skill.network }),
    };
    const hostCall: HostCall = {
      ...{ skill, command },
      request: { script, function: name, arguments: given },
      limits: { ...limits, deadlineMs: Math.min(limits.deadlineMs, tool.timeoutMs ?? toolDeadlineMs) },
      toOutcome(reply, ...ended) {
        const outcome = describeToolOutcome(called, reply, ...ended);
        return unlessHidden(outcome, sandbox, command, whatItRaised(reply, script));
      },
    };
    return whenFree(() => execute(hostCall), limits.signal);
  }

  function execute(hostCall: HostCall): Promise<Outcome> {
    if (pool !== null) return pool.call(hostCall);
    const { command, request, limits, toOutcome } = hostCall;
    const host = perCallAdapter({ ...command, sandbox, maxOutputBytes }, { openCodec: toolCodec, toOutcome });
    return host.call({ ...request }, limits);
  }

  return {
    call,
    async load(tool, limits) {
      limits.signal.throwIfAborted();
      if (!isThere(tool)) return missing(tool, { latencyMs: 0 });
      return ask(tool, null, { findings: [], shown: null }, limits);
    },
    async prepare(tools) {
      for (const tool of tools) findCheck(tool);
      return { python: await pythonFor(tools[0]) };
    },
    async [Symbol.asyncDispose]() {
      await pool?.[Symbol.asyncDispose]();
    },
  };
}

function isThere({ skill, script }: HostedTool): boolean {
  return existsSync(join(skill.dir, script));
}

function missing({ script }: HostedTool, seen: Evidence): Outcome {
  return failure("tool-missing", `${script} is missing`, seen);
}

function toolVariables({ env, envKeys, variables = {} }: ToolHostsOptions): Record<string, string> {
  const handed = envKeys.flatMap((key) => (env[key] === undefined ? [] : [[key, env[key]]]));
  return { ...variables, ...Object.fromEntries(handed) };
}

/** Limits how many calls run at once; further ones wait in order, or until they are aborted. */
function inTurn(slots: number): <Value>(work: () => Promise<Value>, signal: AbortSignal) => Promise<Value> {
  const line = new WaitingLine();
  let free = slots;
  return async (work, signal) => {
    if (free > 0) free--;
    else await line.wait(signal);
    try {
      return await work();
    } finally {
      // The next waiting call takes over the slot.
      if (line.isEmpty) free++;
      else line.admit();
    }
  };
}
