export interface JsonFault {
  /** 1-based. */
  line: number;
  column: number;
  problem: string;
}

type Wanted = "value" | "value or ]" | "key" | "key or }" | ":" | ", or ]" | ", or }" | "end";

/** Where JSON text stops being JSON, or names a key twice; null when it does not. For messages: `JSON.parse` often does not say where. */
export function findJsonFault(text: string): JsonFault | null {
  const open: (Set<string> | null)[] = [];
  let wanted: Wanted = "value";
  let at = skipSpace(text, 0);
  let commaAt: number | null = null; // of the word before, where that is a comma
  const fault = (problem: string, position = at): JsonFault => ({
    ...lineAndColumn(text, position),
    problem,
  });
  while (at < text.length) {
    const word = readToken(text, at);
    if (word === null) return fault(strangeWord(text, at, wanted));
    const next = follow(wanted, word, open);
    if (next === null && commaAt !== null && word === closing[wanted])
      return fault(`trailing comma before ${word}`, commaAt);
    if (next === null && word === "," && (commaAt !== null || freeOfComma.has(wanted)))
      return fault("unexpected comma");
    if (next === null && lacksComma(wanted, word)) return fault(`missing comma before ${word.slice(0, 20)}`);
    if (next === null) return fault(`expected ${wanted}, found ${word.slice(0, 20)}`);
    if (next === "twice") return fault(`duplicate key ${word}`);
    wanted = next;
    commaAt = word === "," ? at : null;
    at = skipSpace(text, at + word.length);
  }
  if (at === text.length && text.trim() === "") return fault("the file is empty");
  return wanted === "end" ? null : fault(`expected ${wanted}, found the end of the file`);
}

/** Another member or item, where only the comma before it was forgotten. */
function lacksComma(wanted: Wanted, word: string): boolean {
  return (wanted === ", or ]" || wanted === ", or }") && !"]}:".includes(word);
}

/** Enough to find the place. A file that is one long word may be a secret that a link of a clone leads to. */
const quotedChars = 12;

/** What people write who think of other languages. */
function strangeWord(text: string, at: number, wanted: Wanted): string {
  const rest = text.slice(at, at + 200);
  if (/^(?:\/[/*]|#)/.test(rest)) return "comments are not allowed in JSON";
  if (rest.startsWith("'")) return "strings need double quotes";
  if (/^"[^"]*(?:\n|$)/.test(rest) && rest.length < 200) return "unterminated string";
  const bare = /^[\w$.+-]{1,40}/.exec(rest)?.[0] ?? rest.slice(0, quotedChars);
  if (wanted.startsWith("key") && /^[\w$]/.test(bare)) return `unquoted key ${bare}`;
  return `unexpected ${JSON.stringify(bare.length > quotedChars ? `${bare.slice(0, quotedChars)}…` : bare)}`;
}

/** What would be valid here without the comma before it. */
const closing: Partial<Record<Wanted, string>> = { value: "]", key: "}" };

/** Where nothing is missing, so that a comma can only be one too many. */
const freeOfComma: ReadonlySet<Wanted> = new Set<Wanted>(["value or ]", "key or }", "end"]);

const space = /[ \t\r\n]*/y;
const anyToken =
  /[{}[\],:]|"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/uy;

function skipSpace(text: string, at: number): number {
  space.lastIndex = at;
  return at + (space.exec(text)?.[0].length ?? 0);
}

function readToken(text: string, at: number): string | null {
  anyToken.lastIndex = at;
  return anyToken.exec(text)?.[0] ?? null;
}

/** What may follow this token, or null when the token is not allowed here. */
function follow(wanted: Wanted, word: string, open: (Set<string> | null)[]): Wanted | "twice" | null {
  if (wanted === ":") return word === ":" ? "value" : null;
  if (wanted === "key" || wanted === "key or }") {
    if (word === "}" && wanted === "key or }") return close(open);
    if (!word.startsWith('"')) return null;
    const key = JSON.parse(word) as string;
    const keys = open.at(-1);
    if (keys?.has(key)) return "twice";
    keys?.add(key);
    return ":";
  }
  if (wanted === ", or ]") return word === "," ? "value" : word === "]" ? close(open) : null;
  if (wanted === ", or }") return word === "," ? "key" : word === "}" ? close(open) : null;
  if (wanted === "end") return null;
  return followValue(wanted, word, open);
}

function followValue(
  wanted: "value" | "value or ]",
  word: string,
  open: (Set<string> | null)[],
): Wanted | null {
  if (word === "]" && wanted === "value or ]") return close(open);
  if (word === "{") {
    open.push(new Set());
    return "key or }";
  }
  if (word === "[") {
    open.push(null);
    return "value or ]";
  }
  return "}],:".includes(word) ? null : afterValue(open);
}

function close(open: (Set<string> | null)[]): Wanted {
  open.pop();
  return afterValue(open);
}

function afterValue(open: readonly (Set<string> | null)[]): Wanted {
  if (open.length === 0) return "end";
  return open.at(-1) === null ? ", or ]" : ", or }";
}

function lineAndColumn(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at);
  const line = before.split("\n").length;
  return { line, column: at - before.lastIndexOf("\n") };
}
