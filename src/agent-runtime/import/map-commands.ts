import { posix } from "node:path";
import type { JsonObject } from "../../shared/json/json.ts";
import { type MappedCall, mapReading } from "./mapped-call.ts";
import { listIn, textIn } from "./read-values.ts";
import type { ShellCommand } from "./shell-command.ts";
import { plainCommands, shellEffects } from "./shell-effects.ts";
import type { SkillLocator } from "./skill-locator.ts";

interface MappedCommands {
  mapped: MappedCall[];
  /** Whether these are all that it does: it reads and runs files of skills, each named in full. */
  isWhole: boolean;
  /** Whether no command is recorded. */
  isEmpty: boolean;
  /** Whether what else it does names skills. */
  mentionsSkills: boolean;
}

/** What a command line plainly does. Only with files of skills it is known that it does no more. */
export function mapCommands(args: JsonObject, locator: SkillLocator): MappedCommands {
  const workdir = textIn(args.workdir) ?? textIn(args.cwd);
  let from = workdir === null ? undefined : locator.absolute(workdir);
  const mapped: MappedCall[] = [];
  let isWhole = true;
  let mentionsSkills = false;
  const commands = readCommands(args);
  for (const command of commands) {
    const [program = "", target = ""] = command.words;
    if (program === "cd" && command.isLiteral && command.writes.length === 0) {
      from = locator.absolute(target, from);
      continue;
    }
    const { files, isAll } = skillFiles(command, locator, from);
    mapped.push(...files);
    for (const effect of shellEffects(command))
      mapped.push(
        effect.kind === "network"
          ? { kind: "tool", tool: "network_request", arguments: { url: effect.target } }
          : {
              kind: "tool",
              tool: effect.kind === "write" ? "write_file" : "delete_file",
              arguments: { path: effect.path },
            },
      );
    if (isAll && command.writes.length === 0) continue;
    isWhole = false;
    mentionsSkills ||= command.words.some((word) => /skill/i.test(word));
  }
  return { mapped, isWhole: isWhole && mapped.length > 0, isEmpty: commands.length === 0, mentionsSkills };
}

function readCommands(args: JsonObject): ShellCommand[] {
  const command = args.command ?? args.cmd ?? args.script ?? args.chars;
  if (typeof command === "string") return plainCommands(command);
  const words = listIn(command).filter((word) => typeof word === "string");
  // Handed over word by word: no shell reads it, unless it is one.
  return words.length === 0 ? [] : plainCommands(words.map(quoted).join(" "));
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The files of skills that a command runs or reads, and whether that is all it does. */
function skillFiles(
  { words, isLiteral }: ShellCommand,
  locator: SkillLocator,
  from: string | undefined,
): { files: MappedCall[]; isAll: boolean } {
  const [first = "", ...rest] = words;
  const program = posix.basename(first);
  const isScript = (word: string) => locator.locate(word, from)?.path.startsWith("scripts/") === true;
  const at = isScript(first) ? 0 : runners.test(program) ? words.findIndex(isScript) : -1;
  const script = at === -1 ? moduleOf(words, locator, from) : locator.locate(words[at] ?? "", from);
  if (script !== null)
    return {
      files: [{ kind: "script", file: script, args: words.slice(at === -1 ? 3 : at + 1) }],
      isAll: isLiteral && (at === 0 || (at === 1 && interpreters.test(program))),
    };
  if (!readers.has(program)) return { files: [], isAll: false };
  const found = rest.map((word) => ({ word, file: locator.locate(word, from) }));
  const files = found.flatMap(({ file }) => (file === null ? [] : [mapReading(file)]));
  const others = found.filter(({ word, file }) => file === null && !isFlag(program, word));
  return { files, isAll: isLiteral && files.length > 0 && others.length === 0 };
}

/** `python -m scripts.fill`, in the folder of a skill. */
function moduleOf(words: readonly string[], locator: SkillLocator, from: string | undefined) {
  const [program = "", flag, name = ""] = words;
  if (!/^python[\d.]*$/.test(posix.basename(program)) || flag !== "-m") return null;
  const file = from === undefined ? null : locator.locate(`${name.replaceAll(".", "/")}.py`, from);
  return file?.path.startsWith("scripts/") === true ? file : null;
}

const readers: ReadonlySet<string> = new Set(["cat", "head", "tail", "less", "more", "bat", "nl", "sed"]);
const interpreters = /^(?:python[\d.]*|node|bash|sh|zsh|deno|bun|ruby|perl|tsx)$/;
const runners = /^(?:python[\d.]*|node|bash|sh|zsh|deno|bun|ruby|perl|tsx|npx|uv|poetry|source|\.)$/;

/** Flags of readers, and the lines that `sed` prints; any other script of `sed` may write. */
function isFlag(program: string, word: string): boolean {
  if (program === "sed") return word === "-n" || /^\d*(?:,[\d$]+)?p$/.test(word);
  return /^-[A-Za-z]*\d*$/.test(word) || /^\d+$/.test(word);
}
