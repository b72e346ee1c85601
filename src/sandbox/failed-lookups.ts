/** A name that a program did not find, or could not write to, as it says itself. */
export interface FailedLookup {
  name: string;
  as: "path" | "node-module" | "python-module" | "program" | "repository";
  wants: "read" | "write";
  /** The file that looked, as the program names it. */
  from: string | null;
}

/** Node writes a page of stack after the words that matter. */
const lastWordsChars = 8192;

/** All names in the last words of a program, the latest first. What is in them is a stranger's text: nothing here is true until somebody looked. */
export function failedLookups(words: string): FailedLookup[] {
  const text = words.slice(-lastWordsChars);
  const lines = text.split(/\r?\n/);
  return [
    ...pythonImports(text),
    ...parentsBeyondRoot(text),
    ...lines.toReversed().flatMap((line) => namesIn(line, text)),
  ];
}

function namesIn(line: string, text: string): FailedLookup[] {
  const nodeModule = /Cannot find (?:module|package) '([^']+)'(?: imported from (\S+))?/.exec(line);
  if (nodeModule?.[1] !== undefined) {
    const from = nodeModule[2] ?? /Require stack:\s*\n- (\S+)/.exec(text)?.[1] ?? null;
    const name = nodeModule[1].replace(/^file:\/\//, "");
    return [{ name, as: "node-module", wants: "read", from }];
  }
  if (/not a git repository/.test(line))
    return [{ name: ".git", as: "repository", wants: "read", from: null }];
  const wants = /Read-only file system|\bEROFS\b/i.test(line) || writing.test(line) ? "write" : "read";
  if (wants === "read" && !notFound.test(line)) return [];
  if (wants === "write" && !notFound.test(line) && !/Read-only file system|\bEROFS\b/i.test(line)) return [];
  return [...quoted(line), ...pathsIn(line), ...programsIn(line)].map(
    (name): FailedLookup => ({ name, as: name.includes("/") ? "path" : "program", wants, from: null }),
  );
}

/** How the C library, shells and runtimes say that something is not there, or not theirs. */
const notFound = new RegExp(
  [
    /No such file|\bENOENT\b|Directory nonexistent|NoSuchFileException|FileNotFoundException/,
    /Permission denied|\bEACCES\b|Operation not permitted|\bEPERM\b|AccessDeniedException/,
    /can(?:'|no)t open|cannot (?:access|create|touch|stat)|unable to access|: (?:command )?not found\b/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "i",
);

const writing =
  /cannot (?:create|touch|remove|move)|, (?:mkdir|mkdtemp|rename|unlink|copyfile|symlink|rmdir) '/i;

function quoted(line: string): string[] {
  return [...line.matchAll(/(?<!\w)'([^']+)'|"([^"]+)"|‘([^’]+)’/g)].map(([, ...found]) => found.join(""));
}

function pathsIn(line: string): string[] {
  return line
    .split(/[\s'"‘’`:;,()<>[\]{}=]+/)
    .map((word) => word.replace(/\.+$/, ""))
    .filter((word) => word.includes("/") && /[^/.]/.test(word));
}

/** A program looked for by its name: `sh: 1: ffmpeg: not found`, `spawn ffmpeg ENOENT`. */
function programsIn(line: string): string[] {
  const found = /(?:^|[\s:])([\w.+-]+): (?:command )?not found$|\bspawn ([\w.+-]+) ENOENT\b/.exec(line);
  return found === null ? [] : [found[1] ?? found[2] ?? ""];
}

const pythonFrame = /^ {2}File "([^"]+)", line \d+/gm;

function lastFrame(text: string): string | null {
  return (
    [...text.matchAll(pythonFrame)].map(([, file]) => file).findLast((file) => !file?.startsWith("<")) ?? null
  );
}

function pythonImports(text: string): FailedLookup[] {
  const missing = /^(?:ModuleNotFoundError|ImportError): No module named '?([\w.]+)'?$/m.exec(text)?.[1];
  const [, member, parent] =
    /^ImportError: cannot import name '(\w+)' from '([\w.]+)' \(unknown location\)$/m.exec(text) ?? [];
  const name = missing ?? (member === undefined ? null : `${parent}.${member}`);
  return name === null ? [] : [{ name, as: "python-module", wants: "read", from: lastFrame(text) }];
}

/** `Path(__file__).parents[2] / "shared"`, where inside there are not as many folders above the file. */
function parentsBeyondRoot(text: string): FailedLookup[] {
  if (!/^IndexError: \d+$/m.test(text)) return [];
  const found = [...text.matchAll(/^ {2}File "([^"]+)", line \d+.*\n(.*parents\[(\d{1,2})\](.*))$/gm)].at(-1);
  const [, from, , levels, rest] = found ?? [];
  if (from === undefined || rest === undefined) return [];
  const below = [...(/^(?:\s*\/\s*["'][^"']+["'])+/.exec(rest)?.[0] ?? "").matchAll(/["']([^"']+)["']/g)];
  const steps = [...Array<string>(Number(levels)).fill(".."), ...below.map(([, name]) => name)];
  return [{ name: `./${steps.join("/")}`, as: "path", wants: "read", from }];
}
