import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { PureInput } from "../../contract/pure-case.ts";

type Tree = NonNullable<PureInput<"path">["tree"]>;

/** A folder for a pure function that looks at files, gone when it is done. */
export function temporaryBase(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), "eval-skills-pure-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Makes the tree of a case below a folder, and a file beside it that links can lead to. Gives the base of the tree. */
export function makeTree(folder: string, tree: Tree): string {
  const base = join(folder, "tree");
  mkdirSync(base);
  writeFileSync(join(folder, "outside.txt"), "outside\n");
  // Links come last, so that nothing is written through one.
  const entries = Object.entries(tree).sort(([, one], [, other]) => rankOf(one) - rankOf(other));
  for (const [path, entry] of entries) {
    const at = join(base, path);
    mkdirSync(entry === null ? at : dirname(at), { recursive: true });
    if (typeof entry === "string") writeFileSync(at, entry);
    else if (entry !== null && "hard_link" in entry) linkSync(join(base, entry.hard_link), at);
    else if (entry !== null) symlinkSync(entry.link, at);
  }
  return base;
}

function rankOf(entry: Tree[string]): number {
  if (entry === null || typeof entry === "string") return 0;
  return "hard_link" in entry ? 1 : 2;
}
