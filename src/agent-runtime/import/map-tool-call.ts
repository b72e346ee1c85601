import { posix } from "node:path";
import { type CallableTool, foreignPrefix } from "../../contract/agent-tools.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { listIn, mapIn, textIn } from "./read-values.ts";
import type { SkillFile, SkillLocator } from "./skill-locator.ts";
import type { TraceCall } from "./trace.ts";

/** What a call of another agent is in our words. */
export type MappedCall =
  | { kind: "select"; skills: readonly { name: string; sourceHint: string | null }[] }
  /** Instructions of a skill that are read. */
  | { kind: "body"; file: SkillFile }
  | { kind: "resource"; file: SkillFile; section?: string }
  | { kind: "script"; file: SkillFile; args: readonly string[] }
  | { kind: "tool"; tool: string; arguments: JsonObject };

/** At least one: a command line may read one file and run another. */
export function mapToolCall({ tool, arguments: given }: TraceCall, locator: SkillLocator): MappedCall[] {
  const name = tool.toLowerCase();
  const args = given ?? {};
  if (skillTools.has(name)) {
    const skill = findText(args, skillKeys);
    if (skill !== null) return [{ kind: "select", skills: [namedSkill(skill)] }];
  }
  if (name === "select_skills") {
    const skills = listIn(args.skills).flatMap((skill) => textIn(skill) ?? textIn(mapIn(skill).name) ?? []);
    if (skills.length > 0) return [{ kind: "select", skills: skills.map(namedSkill) }];
  }
  if (name === "load_resource" || name === "run_script") {
    const skill = textIn(args.skill) ?? textIn(mapIn(args.skill).name);
    const path = textIn(args.relative_path);
    if (skill !== null && path !== null) return [ownCall(name, { skill, path, inferred: false }, args)];
  }
  const ownTool = toolNames.get(name);
  if (ownTool === "read_file") {
    const path = findText(args, pathKeys);
    const file = path === null ? null : locator.locate(path);
    if (file !== null) return [mapReading(file)];
  }
  if (commandTools.has(name)) {
    const { mapped, hasMore } = mapCommand(
      readCommand(args),
      textIn(args.workdir) ?? textIn(args.cwd),
      locator,
    );
    // What else a line does must not vanish behind the file of a skill that it touches.
    if (mapped.length > 0) return hasMore ? [...mapped, foreignCall(tool, args)] : mapped;
  }
  return [ownTool === undefined ? foreignCall(tool, args) : { kind: "tool", tool: ownTool, arguments: args }];
}

function foreignCall(tool: string, args: JsonObject): MappedCall {
  return { kind: "tool", tool: `${foreignPrefix}${tool}`, arguments: args };
}

/** Whether a call reads a file and names it. */
export function namesReadFile({ tool, arguments: given }: TraceCall): boolean {
  return (
    toolNames.get(tool.toLowerCase()) === "read_file" && given !== null && findText(given, pathKeys) !== null
  );
}

const skillTools: ReadonlySet<string> = new Set(["skill", "load_skill", "use_skill", "activate_skill"]);
const skillKeys = ["skill", "command", "skill_name", "name"] as const;
const pathKeys = ["file_path", "path", "absolute_path", "target_file", "filename"] as const;
const toolNames: ReadonlyMap<string, CallableTool> = new Map([
  ["read", "read_file"],
  ["read_file", "read_file"],
  ["ls", "list_dir"],
  ["glob", "list_dir"],
  ["list_dir", "list_dir"],
  ["grep", "grep"],
  ["write", "write_file"],
  ["edit", "write_file"],
  ["multiedit", "write_file"],
  ["notebookedit", "write_file"],
  ["write_file", "write_file"],
  ["delete_file", "delete_file"],
  ["webfetch", "network_request"],
  ["websearch", "network_request"],
  ["network_request", "network_request"],
]);
const commandTools: ReadonlySet<string> = new Set([
  "bash",
  "shell",
  "shell_command",
  "local_shell",
  "container.exec",
  "exec_command",
  "execute_command",
  "run_shell_command",
  "run_terminal_cmd",
]);
const readers: ReadonlySet<string> = new Set(["cat", "head", "tail", "less", "more", "bat", "nl", "sed"]);
const runners =
  /^(?:python[\d.]*|node|bash|sh|zsh|deno|bun|ruby|perl|tsx|npx|uv|poetry|env|sudo|time|timeout|source|\.)$/;

/** A plugin prefixes the name of its skill: `office:pdf`. */
function namedSkill(text: string): { name: string; sourceHint: string | null } {
  const plain = text.replace(/^\//, "");
  const colon = plain.lastIndexOf(":");
  return colon === -1 || colon === plain.length - 1
    ? { name: plain, sourceHint: null }
    : { name: plain.slice(colon + 1), sourceHint: plain.slice(0, colon) };
}

function ownCall(name: "load_resource" | "run_script", file: SkillFile, args: JsonObject): MappedCall {
  if (name === "run_script")
    return {
      kind: "script",
      file,
      args: listIn(args.args).map((arg) => textIn(arg) ?? JSON.stringify(arg)),
    };
  const section = textIn(args.section_hint);
  return { kind: "resource", file, ...(section === null ? {} : { section }) };
}

function mapReading(file: SkillFile): MappedCall {
  return file.path.toLowerCase() === "skill.md" ? { kind: "body", file } : { kind: "resource", file };
}

function readCommand(args: JsonObject): string[][] {
  const command = args.command ?? args.cmd ?? args.script;
  if (typeof command === "string") return commandSegments(command);
  const words = listIn(command).filter((word) => typeof word === "string");
  const [shell, flag, line] = words;
  const isLine =
    words.length === 3 && /^(?:.*\/)?(?:ba|z)?sh$/.test(shell ?? "") && /^-l?c$/.test(flag ?? "");
  return isLine ? commandSegments(line ?? "") : [words];
}

/** What a line does with skills, and whether it does anything besides. */
function mapCommand(
  segments: readonly string[][],
  workdir: string | null,
  locator: SkillLocator,
): { mapped: MappedCall[]; hasMore: boolean } {
  const mapped: MappedCall[] = [];
  let hasMore = false;
  let from = workdir === null ? undefined : locator.absolute(workdir);
  for (const segment of segments) {
    const words = segment.slice(segment.findIndex((word) => !/^\w+=/.test(word)));
    const program = posix.basename(words[0] ?? "");
    if (program === "cd") {
      from = locator.absolute(words[1] ?? "", from);
      continue;
    }
    if (words.some(writesFile)) hasMore = true;
    const isScript = (word: string) => locator.locate(word, from)?.path.startsWith("scripts/") ?? false;
    const at = isScript(words[0] ?? "") ? 0 : runners.test(program) ? words.findIndex(isScript) : -1;
    const file = at === -1 ? null : locator.locate(words[at] ?? "", from);
    if (file !== null) mapped.push({ kind: "script", file, args: words.slice(at + 1) });
    else if (readers.has(program) && !words.some(writesFile)) {
      const read = words.slice(1).map((word) => ({ word, file: locator.locate(word, from) }));
      mapped.push(...read.flatMap((each) => (each.file === null ? [] : [mapReading(each.file)])));
      if (read.some((each) => each.file === null && isPath(each.word))) hasMore = true;
    } else hasMore = true;
  }
  return { mapped, hasMore };
}

/** A redirection, or the flag by which `sed` changes its files. */
function writesFile(word: string): boolean {
  return /^\d?>/.test(word) || /^(?:-i|--in-place)/.test(word);
}

function isPath(word: string): boolean {
  return word.includes("/");
}

function findText(args: JsonObject, keys: readonly string[]): string | null {
  for (const key of keys) {
    const text = textIn(args[key]);
    if (text !== null) return text;
  }
  return null;
}

const maxCommandLength = 65_536;

/** The simple commands in a line for a shell, word by word: what is between `;`, `&&`, `|` and line ends. Good enough to see what is run and read. */
export function commandSegments(line: string): string[][] {
  const segments: string[][] = [[]];
  let word: string | null = null;
  let quote = "";
  const endWord = (): void => {
    if (word !== null) segments.at(-1)?.push(word);
    word = null;
  };
  const text = line.slice(0, maxCommandLength);
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (quote !== "") {
      if (char === quote) quote = "";
      else if (char === "\\" && quote === '"') word = `${word ?? ""}${text.charAt(++at)}`;
      else word = `${word ?? ""}${char}`;
    } else if (char === "'" || char === '"') {
      quote = char;
      word ??= "";
    } else if (char === "\\") {
      const next = text.charAt(++at);
      if (next !== "\n") word = `${word ?? ""}${next}`;
    } else if (";&|\n()".includes(char)) {
      endWord();
      if (segments.at(-1)?.length !== 0) segments.push([]);
    } else if (/\s/.test(char)) endWord();
    else word = `${word ?? ""}${char}`;
  }
  endWord();
  return segments.filter(({ length }) => length > 0);
}
