import { nearestSpelling } from "../../base/nearest.ts";
import type { PythonCallable } from "../python/python-module.ts";
import type { DeclaredTool } from "./declared-tools.ts";
import { nearestScript } from "./nearest-script.ts";
import type { ToolFinding } from "./tool-finding.ts";
import type { ScriptReading } from "./tool-scripts.ts";

/** The function that a tool is, as its script was read. Tells why there is none; null where nothing can be said about it. */
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
      message: `tool ${name}: ${script} has an async function ${name}, and tools are not awaited`,
      hint: "remove async; asyncio.run inside it runs what is",
    };
  return found ?? null;
}

/** Why a tool cannot be called that needs a script: no Python reads it. */
export function* unreadScript(tool: string, file: string, reading: ScriptReading): Generator<ToolFinding> {
  const tell = (problem: string, line?: number): ToolFinding => ({
    code: "PTS02",
    at: line === undefined ? { file } : { file, line },
    message: `tool ${tool}: ${file} ${problem}`,
  });
  if (reading.state === "faulty") {
    const { line, problem } = reading.fault;
    yield { ...tell(`does not parse, line ${line}: ${problem}`, line), hint: "correct the syntax" };
  } else if (reading.state === "unread")
    // Nothing is known to be wrong.
    yield { ...tell("is too long to be examined"), severity: "warning", hint: "divide it into modules" };
  else if (reading.state === "problem" && reading.problem === "not UTF-8")
    yield { ...tell("is not UTF-8 and names no other encoding"), hint: "save it as UTF-8" };
  else if (reading.state === "problem" && reading.problem === "no plain file") yield tell("is no plain file");
  // A link that leads out and a file that may not be read are findings about the folder.
}

const mostCompared = 200;

/** A function that is called almost like the tool, which is where one of the two was renamed. */
function renamed(tool: string, callables: ReadonlyMap<string, PythonCallable>): { hint?: string } {
  const near = nearestSpelling(tool, [...callables.keys()].slice(0, mostCompared));
  return near === null ? {} : { hint: `rename ${near} in line ${callables.get(near)?.line} to ${tool}` };
}

function didYouMean(near: string | null): { hint?: string } {
  return near === null ? {} : { hint: `did you mean ${near}?` };
}
