/** The line of what a failed process wrote that says why it failed; empty where it wrote nothing. */
export function informativeLine(stderr: string): string {
  const lines = stderr.split(/\r?\n/).map((line) => line.trimEnd());
  for (const find of finders) {
    const found = find(lines);
    if (found !== null) return cutBetweenWords(found.trim());
  }
  return "";
}

type Finder = (lines: readonly string[]) => string | null;

/** How runtimes say why they died, the surest sign first. */
const finders: readonly Finder[] = [
  rustPanic,
  cppException,
  (lines) => last(lines, /^(?:FATAL ERROR|Fatal Python error|fatal error|panic): /),
  pythonException,
  underCaret,
  (lines) =>
    last(lines, /^Exception in thread "[^"]*" /)?.replace(/^Exception in thread "[^"]*" /, "") ?? null,
  (lines) => last(lines, /^(?:Uncaught )?[\w$.]*(?:Error|Exception)(?: \[\w+\])?(?:: |$)/),
  (lines) => lines.findLast((line) => line.trim() !== "" && !isAside(line)) ?? null,
];

/** `thread 'main' panicked at src/main.rs:2:5:` with the message on the next line, or in quotes on the same one. */
function rustPanic(lines: readonly string[]): string | null {
  const at = lines.findLastIndex((line) => /^thread '.*' (?:\(\d+\) )?panicked at /.test(line));
  if (at === -1) return null;
  const location = (lines[at] ?? "").replace(/^thread '.*' (?:\(\d+\) )?/, "");
  const message = location.endsWith(":") ? (lines[at + 1] ?? "") : "";
  return message === "" ? location : `${location} ${message}`;
}

function cppException(lines: readonly string[]): string | null {
  const at = lines.findLastIndex((line) => line.startsWith("terminate called"));
  if (at === -1) return null;
  const type = /instance of '(.*)'/.exec(lines[at] ?? "")?.[1];
  const what = /^ *what\(\): *(.*)$/.exec(lines[at + 1] ?? "")?.[1];
  return type !== undefined && what !== undefined ? `${type}: ${what}` : (lines[at] ?? null);
}

/** Frames are indented; the first line that is not names the exception. The members of a group come after it, behind bars. */
function pythonException(lines: readonly string[]): string | null {
  const at = lines.lastIndexOf("Traceback (most recent call last):");
  const groupAt = lines.findIndex((line) => /^ *\+ Exception Group Traceback /.test(line));
  if (groupAt > at)
    return (
      lines
        .slice(groupAt + 1)
        .find((line) => /^ *\| \S/.test(line))
        ?.replace(/^ *\| /, "") ?? null
    );
  return at === -1 ? null : (lines.slice(at + 1).find(isAtMargin) ?? null);
}

/** Node and Python point at the source before they say what is wrong with it. */
function underCaret(lines: readonly string[]): string | null {
  const at = lines.findLastIndex((line) => /^\s*[~^]+$/.test(line));
  return at === -1 ? null : (lines.slice(at + 1).find((line) => isAtMargin(line) && !isAside(line)) ?? null);
}

function isAtMargin(line: string): boolean {
  return /^\S/.test(line);
}

/** The lines around the message that matters: frames, notes on how to see more, the source of a syntax error of a shell. */
function isAside(line: string): boolean {
  if (line.endsWith("'") && /: line \d+: `/.test(line)) return true;
  return /^\s+at |^Node\.js v\d|^\(Use `node |^note: |^exit status \d+$|^[}\])]+$/.test(line);
}

function last(lines: readonly string[], sign: RegExp): string | null {
  return lines.findLast((line) => sign.test(line)) ?? null;
}

const maxChars = 500;

function cutBetweenWords(line: string): string {
  if (line.length <= maxChars) return line;
  const start = line.slice(0, maxChars - 2);
  const end = start.lastIndexOf(" ");
  // A single word that long, such as an encoded image, is cut anywhere, but never within a character.
  const whole = end > 0 ? start.slice(0, end) : start.replace(/[\ud800-\udbff]$/, "");
  return `${whole} …`;
}
