import { statSync } from "node:fs";
import { resolve } from "node:path";
import { type ToolEnvelope, toolResultLine } from "../../contract/tool-result.ts";
import { openDocument } from "../../levels/conversation/open-document.ts";
import { callTool, type ToolCallEnd } from "../../operations/tools/call-tool.ts";
import { namedSkill } from "../../operations/tools/named-skill.ts";
import { inertJson } from "../../shared/json/inert-json.ts";
import { UserError } from "../../shared/user-error.ts";
import type { CommandIo } from "../io/command-io.ts";
import type { ExitCode } from "../io/exit-codes.ts";
import { jsonFileOrPipe } from "../io/json-argument.ts";
import { withTools } from "./tool-context.ts";
import type { ToolCallFlags } from "./tool-options.ts";

/** `tool call`: one call, as a conversation would make it. stdout has the line a model would read, and nothing else. */
export async function toolCallCommand(flags: ToolCallFlags, io: CommandIo): Promise<ExitCode> {
  const { tool, args = "{}", toolHost: mode = "fresh", timeout: timeoutMs = null } = flags;
  const given = await jsonFileOrPipe(args === "@-" ? "-" : args, "--args", io);
  const document = flags.document === undefined ? null : await readDocument(flags.document, io.cwd);
  return withTools(flags, io, async ({ containment, project, context }) => {
    const skill = await namedSkill(flags.skill, project);
    const call = { skill, tool, arguments: given, document, mode, timeoutMs, containment, cwd: io.cwd };
    return tellEnd(await callTool(call, context), tool, io);
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

function tellEnd(end: ToolCallEnd, tool: string, io: CommandIo): ExitCode {
  const { skill, envelope, problem, findings, injected, printed, latencyMs, containment, exitCode } = end;
  for (const line of printed.split("\n").filter((text) => text !== "")) io.note(`${tool} | ${line}`);
  if (!io.json) {
    for (const { name, chars, sha256 } of injected)
      io.note(`injected: ${name}, ${chars} characters, ${sha256}`);
    for (const finding of findings) io.note(`finding: ${finding}`);
    if (problem !== null) io.note(`no verdict: ${problem}`);
  }
  const document = { skill, tool, envelope, findings, injected, latencyMs, containment, exitCode };
  io.result(problem === null ? document : { ...document, problem }, lineOf(envelope, io));
  return exitCode;
}

/** A program is given the line as a model reads it; on a terminal what could move the cursor stands as an escape of JSON. */
function lineOf(envelope: ToolEnvelope | null, { stdout }: CommandIo): string {
  if (envelope === null) return "";
  return stdout.isTTY === true ? `TOOL_RESULT: ${inertJson(envelope)}` : toolResultLine(envelope);
}
