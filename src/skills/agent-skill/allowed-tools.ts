import { builtInTools } from "../../contract/built-in-tools.ts";
import type { Diagnostics } from "../../contract/diagnostics.ts";
import type { SkillControls } from "../../contract/skill.ts";
import { isMap, kindOfValue } from "../../shared/json/json-values.ts";
import { nearestSpelling } from "../../shared/text/nearest.ts";
import { shownText, visibleText } from "../../shared/text/visible-text.ts";
import type { AgentSkillFields } from "./read-fields.ts";

type AllowedTools = SkillControls["allowedTools"];

/** The tools a skill requests: `Bash(git:*) Read`. Null if it does not list any. */
export function readAllowedTools(
  { fields, locate }: AgentSkillFields,
  diagnostics: Diagnostics,
): AllowedTools {
  const written = fields["allowed-tools"];
  if (written === undefined) return null;
  const location = locate(["allowed-tools"]);
  const report = (problem: string, token: string, words = {}) =>
    diagnostics.add("SKM09", location, `allowed-tools: ${problem} "${shownText(token, 100)}"`, words);
  const { text, tokens, commaAfter, unbalanced } = toolTokens(written);
  const separated = { hint: separation(tokens) };
  if (typeof written !== "string") report(`${kindOfValue(written)} instead of the string`, text, separated);
  if (commaAfter !== null) report("a comma after", commaAfter, separated);
  if (unbalanced !== null)
    report("unbalanced parentheses in", unbalanced, { hint: "close each parenthesis" });
  for (const token of new Set(tokens)) {
    if (isKnown(token)) continue;
    const near = nearestSpelling(toolName(token), [...toolsByName.keys()]);
    report("unknown tool", token, {
      severity: "warning",
      hint: near === null ? "use a tool that the agent has" : `did you mean ${near}?`,
    });
  }
  return {
    tokens,
    mapped: [...new Set(tokens.flatMap((token) => toolsByName.get(toolName(token)) ?? []))],
    unmapped: tokens.filter((token) => !toolsByName.has(toolName(token))),
  };
}

/** The corrected list of tools, if it is short enough for a hint. */
function separation(tokens: readonly string[]): string {
  const text = visibleText(tokens.join(" "));
  return text === "" || text.length > 60 ? "separate tools with spaces" : `write allowed-tools: ${text}`;
}

/** Our tools by the names agents use for them. */
const toolsByName: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ["Read", ["read_file"]],
  ["LS", ["list_dir"]],
  ["Glob", ["list_dir"]],
  ["Grep", ["grep"]],
  ["Write", ["write_file"]],
  ["Edit", ["write_file"]],
  ["Bash", ["run_script", "run_command"]],
  ["WebFetch", ["network_request"]],
  ["WebSearch", ["network_request"]],
  ...builtInTools.map((name) => [name, [name]] as const),
]);

/** Tools that agents have and we do not: requesting one is not a mistake. */
const foreignTools: ReadonlySet<string> = new Set(
  (
    "Agent AskUserQuestion BashOutput Computer EnterPlanMode EnterWorktree ExitPlanMode ExitWorktree KillBash KillShell LSP " +
    "ListMcpResourcesTool Monitor MultiEdit NotebookEdit NotebookRead PowerShell ReadMcpResourceTool SendMessage Skill " +
    "SlashCommand Task TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate TodoRead TodoWrite ToolSearch Workflow"
  ).split(" "),
);

function isKnown(token: string): boolean {
  const tool = toolName(token);
  return toolsByName.has(tool) || foreignTools.has(tool) || /^mcp__\w|^\*$/.test(tool);
}

/** The name before the parenthesis. */
function toolName(token: string): string {
  const open = token.indexOf("(");
  return open === -1 ? token : token.slice(0, open);
}

/** The tools that a text or a list names, and how it fails to be words separated by spaces. */
interface ToolTokens {
  /** What is written, with spaces between the items of a list. */
  text: string;
  tokens: string[];
  /** The first token that a comma follows. */
  commaAfter: string | null;
  unbalanced: string | null;
}

/** Reads the value of `allowed-tools`: tokens end at white space and commas outside parentheses. */
export function toolTokens(written: unknown): ToolTokens {
  const text = listItems(written).join(" ");
  const found: ToolTokens = { text, tokens: [], commaAfter: null, unbalanced: null };
  let depth = 0;
  let token = "";
  let isUnbalanced = false;
  const end = () => {
    if (isUnbalanced || depth !== 0) found.unbalanced ??= token;
    if (token !== "") found.tokens.push(token);
    token = "";
    isUnbalanced = false;
  };
  for (const char of text) {
    if (depth === 0 && (char === "," || /\s/.test(char))) {
      if (char === ",") found.commaAfter ??= token || (found.tokens.at(-1) ?? "");
      end();
      continue;
    }
    if (char === "(") depth++;
    if (char === ")" && --depth < 0) {
      depth = 0;
      isUnbalanced = true;
    }
    token += char;
  }
  end();
  return found;
}

function listItems(written: unknown): string[] {
  if (Array.isArray(written)) return written.filter((item) => typeof item === "string");
  return isMap(written) ? [] : [String(written)];
}
