import { builtInTools } from "../../contract/built-in-tools.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import type { DeclaredTool } from "./declared-tools.ts";
import type { ToolFinding } from "./tool-finding.ts";

/** Reports which names cannot be those of tools, and hands on the tools that can be looked at further. */
export function* checkToolNames(tools: readonly DeclaredTool[]): Generator<ToolFinding, DeclaredTool[]> {
  const seen = new Set<string>();
  const sound: DeclaredTool[] = [];
  for (const tool of tools) {
    const { name, steps, isBare } = tool;
    const problem = seen.has(name) ? "is declared twice" : problemOf(name);
    seen.add(name);
    if (problem !== null)
      yield {
        code: "PTS04",
        at: { steps: isBare ? steps : [...steps, "name"] },
        message: `tool ${shownText(name)}: ${problem}`,
      };
    if (problem === null || problem === builtIn) sound.push(tool);
  }
  return sound;
}

const builtIn = "is the name of a built-in tool";

function problemOf(name: string): string | null {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name))
    return "must be 1 to 64 letters, digits and _, and not start with a digit";
  if (keywords.has(name)) return "is a Python keyword and cannot be a function name";
  return builtIns.has(name) ? builtIn : null;
}

const builtIns: ReadonlySet<string> = new Set(builtInTools);

const keywords: ReadonlySet<string> = new Set([
  ...["False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def"],
  ...["del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is"],
  ...["lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield"],
]);
