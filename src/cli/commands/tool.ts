import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Containment } from "../../contract/containment.ts";
import type { Options } from "../../contract/option-table.ts";
import { type ToolEnvelope, toolResultLine } from "../../contract/tool-result.ts";
import type { containmentRows } from "../../engine/common-options.ts";
import { Interrupted } from "../../engine/interrupted.ts";
import {
  type ContainmentOptions,
  commonOutput,
  containmentOptions,
  givenSchemas,
} from "../../engine/request.ts";
import { makeRunContext } from "../../engine/run-context.ts";
import { openDocument } from "../../levels/conversation/open-document.ts";
import { callTool, type ToolCallEnd } from "../../operations/tools/call-tool.ts";
import { checkTools, type ToolCheckContext } from "../../operations/tools/check-tools.ts";
import { namedSkill, namedTool, type ProjectSkills } from "../../operations/tools/named-skill.ts";
import { describeContainment } from "../../report/view/run-facts.ts";
import { inertJson } from "../../shared/text/visible-text.ts";
import { UserError } from "../../shared/user-error.ts";
import { type CommandIo, type ExitCode, exitCodeOfSignal } from "../io/command-io.ts";
import { listenForInterrupt } from "../io/interrupt.ts";
import { jsonFileOrPipe } from "../io/json-argument.ts";
import { loadRunConfig } from "../io/load-command-config.ts";
import { toolCheckLines } from "../output/tool-check-lines.ts";
import type { ToolCallFlags, ToolCheckFlags } from "./tool-options.ts";

/** `tool call`: one call, as a conversation would make it. stdout has the line a model would read, and nothing else. */
export async function toolCallCommand(flags: ToolCallFlags, io: CommandIo): Promise<ExitCode> {
  const { tool, args = "{}", toolHost: mode = "fresh", timeout: timeoutMs = null } = flags;
  const given = await jsonFileOrPipe(args === "@-" ? "-" : args, "--args", io);
  const document = flags.document === undefined ? null : await readDocument(flags.document, io.cwd);
  return withTools(flags, io, async ({ containment, project, context }) => {
    const skill = await namedSkill(flags.skill, project);
    const call = { skill, tool, arguments: given, document, mode, timeoutMs, containment, cwd: io.cwd };
    return reportEnd(await callTool(call, context), tool, io);
  });
}

const suffixes = /\.(?:md|txt|docx)$/i;

async function readDocument(path: string, cwd: string) {
  if (!suffixes.test(path))
    throw new UserError("usage", `--document ${path}: expected a .md, .txt or .docx file`, { path });
  const absolute = resolve(cwd, path);
  if (statSync(absolute, { throwIfNoEntry: false })?.isFile() !== true)
    throw new UserError("usage", `--document ${path} is not a file`, { path });
  return openDocument(absolute);
}

function reportEnd(end: ToolCallEnd, tool: string, io: CommandIo): ExitCode {
  const { skill, envelope, problem, findings, injected, printed, latencyMs, containment, exitCode } = end;
  for (const line of printed.split("\n").filter((text) => text !== "")) io.note(`${tool} | ${line}`);
  if (!io.json) {
    for (const { name, chars, sha256 } of injected)
      io.note(`injected: ${name}, ${chars} characters, ${sha256}`);
    for (const finding of findings) io.note(`finding: ${finding}`);
    if (problem !== null) io.note(`no verdict: ${problem}`);
  }
  const document = { skill, tool, envelope, findings, injected, latencyMs, containment, exitCode };
  io.result(problem === null ? document : { ...document, problem }, resultLine(envelope, io));
  return exitCode;
}

/** Programs get the line exactly as a model reads it; on a terminal, control characters are JSON escapes. */
function resultLine(envelope: ToolEnvelope | null, { stdout }: CommandIo): string {
  if (envelope === null) return "";
  return stdout.isTTY === true ? `TOOL_RESULT: ${inertJson(envelope)}` : toolResultLine(envelope);
}

/** `tool check`: the checks that every declared tool must pass. */
export async function toolCheckCommand(flags: ToolCheckFlags, io: CommandIo): Promise<ExitCode> {
  const { cwd } = io;
  const schemas = givenSchemas(flags.schema, cwd);
  return withTools(flags, io, async ({ containment, concurrency, project, context }) => {
    const paths: string[] = [];
    for (const word of flags.skills) paths.push(await namedTool(word, project));
    const request = { paths, schemas, timeoutMs: flags.timeout ?? null, concurrency, containment, cwd };
    const report = await checkTools(request, context);
    io.result(report, toolCheckLines(report, io));
    return report.exitCode;
  });
}

/** What tool commands need from the configuration and the process. */
export interface ToolCommand {
  containment: ContainmentOptions;
  concurrency: number;
  project: ProjectSkills;
  context: ToolCheckContext;
}

/** Runs a tool command until it is done or interrupted. */
export async function withTools(
  { sandbox }: Pick<Options<typeof containmentRows>, "sandbox">,
  io: CommandIo,
  work: (command: ToolCommand) => Promise<ExitCode>,
): Promise<ExitCode> {
  const loaded = await loadRunConfig(io);
  const { config, env } = loaded;
  const { cwd, warn } = io;
  const output = commonOutput({ evalLog: null }, loaded, cwd);
  const { exclude } = makeRunContext({ ...loaded, env, cwd, output });
  using interrupt = listenForInterrupt();
  try {
    return await work({
      containment: containmentOptions(sandbox, loaded),
      concurrency: config.concurrency,
      project: { roots: config.skills.roots, cwd, note: once(io.note) },
      context: {
        env,
        exclude,
        permissions: loaded.permissions,
        warn,
        signal: interrupt.signal,
        onContainment(containment: Containment) {
          if (containment.level !== "strict") warn(describeContainment(containment));
        },
      },
    });
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    const exitCode = exitCodeOfSignal[error.signal];
    io.note("interrupted: all tools were stopped, nothing was saved");
    if (io.json) io.result({ state: "interrupted", exitCode }, "");
    return exitCode;
  }
}

/** Two tools of one skill would print the same note twice. */
function once(note: (text: string) => void): (text: string) => void {
  const noted = new Set<string>();
  return (text) => {
    if (!noted.has(text)) note(text);
    noted.add(text);
  };
}
