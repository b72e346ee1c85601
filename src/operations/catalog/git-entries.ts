/** A file of a tree in git. */
export interface GitEntry {
  kind: "file" | "program" | "link";
  oid: string;
  bytes: number;
  /** Relative to the tree, `/`-separated. */
  path: string;
}

const kinds: Readonly<Record<string, GitEntry["kind"]>> = {
  100644: "file",
  100755: "program",
  120000: "link",
};

/** The files that `git ls-tree -r -z -l` lists, and how many entries are none that we write: submodules, names that lead elsewhere. */
export function gitEntries(listing: Buffer): { entries: GitEntry[]; leftOut: number } {
  const entries: GitEntry[] = [];
  let leftOut = 0;
  for (let start = 0; start < listing.length; ) {
    const end = listing.indexOf(0, start);
    if (end === -1) break;
    const entry = entryOf(listing.subarray(start, end));
    if (entry === null) leftOut++;
    else entries.push(entry);
    start = end + 1;
  }
  return { entries, leftOut };
}

function entryOf(line: Buffer): GitEntry | null {
  const tab = line.indexOf(9);
  const facts = /^(\d{6}) blob ([0-9a-f]{40,64}) +(\d{1,15})$/.exec(line.toString("latin1", 0, tab));
  const kind = kinds[facts?.[1] ?? ""];
  const path = pathOf(line.subarray(tab + 1));
  if (facts === null || kind === undefined || path === null) return null;
  return { kind, oid: facts[2] as string, bytes: Number(facts[3]), path };
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Null where it is no plain way down: a tree that somebody forged may hold anything. */
function pathOf(bytes: Buffer): string | null {
  try {
    const path = utf8.decode(bytes);
    const isPlain = path.split("/").every((step) => !["", ".", "..", ".git"].includes(step.toLowerCase()));
    return isPlain ? path : null;
  } catch {
    return null;
  }
}
