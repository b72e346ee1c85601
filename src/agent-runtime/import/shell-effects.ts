import { posix } from "node:path";
import { type ShellCommand, shellCommands } from "./shell-command.ts";

/** What a command line plainly does. That it does nothing else is never known. */
export type ShellEffect = { kind: "write" | "delete"; path: string } | { kind: "network"; target: string };

const maxDepth = 4;

/** The commands of a line, with those inside of `bash -lc '…'`, `sudo …` and the like in their place. */
export function plainCommands(line: string, depth = 0): ShellCommand[] {
  return shellCommands(line).flatMap((command) => unwrap(command, depth));
}

function unwrap(command: ShellCommand, depth: number): ShellCommand[] {
  const words = withoutAssignments(command.words);
  const isLiteral = command.isLiteral && words.length === command.words.length;
  const [program = "", ...rest] = words;
  const name = posix.basename(program);
  if (depth < maxDepth && shells.has(name)) {
    const flag = rest.findIndex((word) => /^-[a-z]*c$/.test(word));
    const line = flag === -1 ? undefined : rest[flag + 1];
    if (line !== undefined) return [...plainCommands(line, depth + 1), ...written(command.writes)];
  }
  if (depth < maxDepth && name === "eval")
    return [...plainCommands(rest.join(" "), depth + 1), ...written(command.writes)];
  if (depth < maxDepth && wrappers.has(name)) {
    const inner = rest.findIndex(
      (word, at) => !word.startsWith("-") && !/^\d+[smh]?$/.test(word) && !isOptionValue(rest, at),
    );
    if (inner !== -1)
      return unwrap({ words: rest.slice(inner), writes: command.writes, isLiteral: false }, depth + 1);
  }
  return [{ words, writes: command.writes, isLiteral }];
}

function written(writes: readonly string[]): ShellCommand[] {
  return writes.length === 0 ? [] : [{ words: [], writes, isLiteral: false }];
}

function withoutAssignments(words: readonly string[]): readonly string[] {
  const first = words.findIndex((word) => !/^\w+=/.test(word));
  return first === -1 ? [] : words.slice(first);
}

/** `-u root`, `-I {}`: what follows a flag of one letter that takes a value. */
function isOptionValue(words: readonly string[], at: number): boolean {
  return /^-[uInPLC]$/.test(words[at - 1] ?? "");
}

/** What one command plainly does. */
export function shellEffects({ words, writes }: ShellCommand): ShellEffect[] {
  const effects: ShellEffect[] = writes.map((path) => ({ kind: "write", path }));
  const [program = "", ...rest] = words;
  const name = posix.basename(program);
  const plain = rest.filter((word) => !word.startsWith("-"));
  const last = plain.at(-1);
  const write = (paths: readonly (string | undefined)[]) =>
    effects.push(
      ...paths.flatMap((path): ShellEffect[] => (path === undefined ? [] : [{ kind: "write", path }])),
    );
  const remove = (paths: readonly string[]) =>
    effects.push(...paths.map((path): ShellEffect => ({ kind: "delete", path })));
  const reach = (target: string | undefined) => effects.push({ kind: "network", target: target ?? name });

  if (["rm", "unlink", "rmdir", "shred"].includes(name)) remove(plain);
  else if (["tee", "touch", "truncate"].includes(name)) write(plain);
  else if (["cp", "install", "ln"].includes(name) && plain.length > 1) write([last]);
  else if (name === "mv" && plain.length > 1) {
    remove(plain.slice(0, -1));
    write([last]);
  } else if (name === "dd") write(rest.filter((word) => word.startsWith("of=")).map((word) => word.slice(3)));
  else if (
    (name === "sed" || name === "perl") &&
    rest.some((word) => /^(?:-[a-zA-Z]*i|--in-place)/.test(word))
  )
    write(plain.slice(-1));
  else if (name === "find" && rest.includes("-delete")) remove(plain.slice(0, 1));
  else if (["apply_patch", "patch"].includes(name)) write([last ?? "a patch"]);
  else if (
    ["curl", "wget", "nc", "ncat", "netcat", "telnet", "ssh", "scp", "sftp", "ftp", "ping"].includes(name)
  ) {
    reach(plain.find((word) => /[.:/]/.test(word)) ?? plain[0]);
    const flag = rest.findIndex((word) => /^(?:-[a-zA-Z]*[oO]|--output|--output-document)$/.test(word));
    if (name === "wget" || flag !== -1) write([rest[flag + 1] ?? last]);
  } else if (name === "rsync" && rest.some((word) => word.includes(":"))) reach(last);
  else if (isDownload(name, rest)) reach([name, ...rest.slice(0, 3)].join(" "));
  if (name === "git" && (rest[0] === "rm" || rest[0] === "clean")) remove(plain.slice(1));
  return effects;
}

/** Package managers and git, where they talk to a server. */
function isDownload(name: string, rest: readonly string[]): boolean {
  const [verb = ""] = rest.filter((word) => !word.startsWith("-"));
  if (/^python[\d.]*$/.test(name) && rest[0] === "-m")
    return rest[1] === "pip" && isDownload("pip", rest.slice(2));
  const verbs = Object.hasOwn(downloads, name) ? downloads[name] : undefined;
  return verbs?.includes(verb) === true;
}

const downloads: Readonly<Record<string, readonly string[]>> = {
  git: ["clone", "fetch", "pull", "push", "ls-remote"],
  npm: ["install", "i", "ci", "add", "publish", "view"],
  pnpm: ["install", "i", "add", "publish"],
  yarn: ["install", "add", "publish"],
  pip: ["install", "download"],
  pip3: ["install", "download"],
  apt: ["install", "update", "upgrade"],
  "apt-get": ["install", "update", "upgrade"],
  brew: ["install", "update", "upgrade"],
  cargo: ["install", "publish", "fetch"],
  go: ["get", "install"],
};

const shells: ReadonlySet<string> = new Set(["sh", "bash", "zsh", "dash", "ksh"]);
const wrappers: ReadonlySet<string> = new Set([
  "sudo",
  "env",
  "time",
  "timeout",
  "nohup",
  "exec",
  "command",
  "nice",
  "xargs",
  "stdbuf",
  "doas",
]);
