import { commandsOf } from "./blocks.ts";
import { matchOf } from "./found.ts";
import { commandPolarity } from "./polarity.ts";
import type { AuditedFile, Match } from "./rule.ts";

const assignment =
  /(?:^|[;{(,\s])(?:const |let |var |my |local |export |global )?\$?([A-Za-z_]\w{0,60})(?:\s{0,3}:\s{0,3}[A-Za-z_][\w.[\]]{0,30})?\s{0,3}(?::=|=(?![=>]))\s{0,3}(.{1,600})/;
const execution =
  /(?<![\w.])(?:exec|eval|execfile|Function|vm\.run\w{2,20}|iex|Invoke-Expression|instance_eval|module\._compile|setTimeout)\s{0,3}\(?\s{0,3}(?:compile\(\s{0,3})?["']?\$?\{?([A-Za-z_]\w{0,60})|(?:\b(?:ba|z|da)?sh|python3?|node|perl)\s{1,3}-[ce]\s{1,3}["']?\$\{?([A-Za-z_]\w{0,60})|\becho\s{1,3}["']?\$\{?([A-Za-z_]\w{0,60})\}?["']?\s{0,3}\|\s{0,3}(?:ba|z|da)?sh\b/g;

/** Values that come from a `source` by assignment, step by step, and are executed in the same file. */
export function* findTainted(file: AuditedFile, source: RegExp, message: string): Generator<Match> {
  const tainted = new Set<string>();
  for (const block of commandsOf(file)) {
    const isRunnable = file.kind === "code" || block.lines[0]?.isCode === true;
    if (!isRunnable || block.lines[0]?.isComment === true) continue;
    for (const match of block.text.matchAll(execution)) {
      const name = match[1] ?? match[2] ?? match[3] ?? "";
      if (!tainted.has(name) || commandPolarity(block, match.index) !== "asked") continue;
      yield matchOf({ block, index: match.index, words: match[0], sign: { pattern: execution, message } });
    }
    const opened = /\bwith\s{1,3}(.{1,400}?)\s{1,3}as\s{1,3}([A-Za-z_]\w{0,60})\s{0,3}:/.exec(block.text);
    const assigned = assignment.exec(block.text);
    const [name, value] = opened === null ? [assigned?.[1], assigned?.[2]] : [opened[2], opened[1]];
    if (name === undefined || value === undefined) continue;
    if (source.test(value) || mentions(value, tainted)) tainted.add(name);
  }
}

function mentions(value: string, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return false;
  return (value.match(/[A-Za-z_]\w{0,60}/g) ?? []).some((word) => names.has(word));
}
