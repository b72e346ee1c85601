import { nearestSpelling } from "../../shared/text/nearest.ts";
import type { PythonCallable } from "../../skills/python/python-module.ts";
import type { DeclaredTool, ToolFinding } from "./declared-tools.ts";
import { nearestScript } from "./needed-scripts.ts";
import type { ScriptReading } from "./tool-scripts.ts";

/** The function that a tool is, as its script was read. Reports why there is none; null if nothing is known about it. */
export function* findToolFunction(
  { name, script, steps, isBare }: DeclaredTool,
  reading: ScriptReading,
  otherScripts: readonly string[],
): Generator<ToolFinding, PythonCallable | null> {
  if (reading.state !== "read") {
    if (reading.state === "problem" && reading.problem === "missing")
      yield {
        code: "PTS02",
        at: { steps: isBare ? steps : [...steps, "name"] },
        message: `tool ${name}: ${script} missing`,
        ...didYouMean(nearestScript(script, otherScripts)),
      };
    else yield* unreadScript(name, script, reading);
    return null;
  }
  const { callables, mayHaveOtherNames } = reading.module;
  const found = callables.get(name);
  if (found === undefined && !mayHaveOtherNames)
    yield {
      code: "PTS02",
      at: { file: script },
      message: `tool ${name}: ${script} has no function ${name}`,
      ...renamed(name, callables),
    };
  if (found?.isAsync === true)
    yield {
      code: "PTS02",
      at: { file: script, line: found.line },
      message: `tool ${name}: ${script} has an async function ${name}, but tools are not awaited`,
      hint: "remove async, and use asyncio.run inside it if needed",
    };
  return found ?? null;
}

/** Why a tool cannot be called: Python cannot read its script. */
export function* unreadScript(tool: string, file: string, reading: ScriptReading): Generator<ToolFinding> {
  const finding = (problem: string, line?: number): ToolFinding => ({
    code: "PTS02",
    at: line === undefined ? { file } : { file, line },
    message: `tool ${tool}: ${file} ${problem}`,
  });
  if (reading.state === "faulty") {
    const { line, problem } = reading.fault;
    yield { ...finding(`does not parse, line ${line}: ${problem}`, line), hint: "fix the syntax" };
  } else if (reading.state === "unread")
    // Nothing is known to be wrong.
    yield { ...finding("is too long to check"), severity: "warning", hint: "split it into modules" };
  else if (reading.state === "problem" && reading.problem === "not UTF-8")
    yield { ...finding("is not UTF-8 and declares no other encoding"), hint: "save it as UTF-8" };
  else if (reading.state === "problem" && reading.problem === "not a regular file")
    yield finding("is not a regular file");
  // A link that leads out and a file that may not be read are findings about the folder.
}

const maxCompared = 200;

/** A function that is called almost like the tool, which is where one of the two was renamed. */
function renamed(tool: string, callables: ReadonlyMap<string, PythonCallable>): { hint?: string } {
  const near = nearestSpelling(tool, [...callables.keys()].slice(0, maxCompared));
  return near === null ? {} : { hint: `rename ${near} in line ${callables.get(near)?.line} to ${tool}` };
}

function didYouMean(near: string | null): { hint?: string } {
  return near === null ? {} : { hint: `did you mean ${near}?` };
}
