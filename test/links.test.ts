import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");

/** Every file of the repository. What is built, installed or made to be wrong is left out. */
function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (/^(\.git|\.eval-skills.*|node_modules|dist.*|coverage|reports)$/.test(entry.name)) continue;
    if (path === join("test", "fixtures")) continue;
    if (entry.isDirectory()) yield* filesIn(path);
    else yield path;
  }
}
const files = [...filesIn("")];
const pages = files.filter((path) => path.endsWith(".md"));

/** The page without what is code. */
function prose(path: string): string {
  return readFileSync(join(root, path), "utf8")
    .replace(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1$/gm, "")
    .replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()]/g, ""));
}

/** The anchors of a page, as GitHub makes them from its headings. */
function anchors(path: string): Set<string> {
  const found = new Set<string>();
  for (const [, title = ""] of prose(path).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const plain = title.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const anchor = plain.replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "").replaceAll(" ", "-");
    let unique = anchor;
    for (let count = 1; found.has(unique); count++) unique = `${anchor}-${count}`;
    found.add(unique);
  }
  return found;
}

function brokenLinks(page: string): string[] {
  const targets = [...prose(page).matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g)].map(
    ([, target = ""]) => target,
  );
  return targets.filter((target) => {
    if (/^[a-z][a-z+.-]*:/i.test(target)) return false;
    const [path = "", anchor] = target.split("#");
    const file = path === "" ? page : join(dirname(page), decodeURI(path));
    const found = statSync(join(root, file), { throwIfNoEntry: false });
    if (found === undefined) return true;
    return anchor !== undefined && !(found.isFile() && anchors(file).has(decodeURIComponent(anchor)));
  });
}

test("there are pages to check", () => {
  expect(pages).toEqual(
    expect.arrayContaining(["README.md", "AGENTS.md", "docs/glossary.md", "docs/guides/ci.md"]),
  );
});

test.each(pages)("every link of %s leads to a file and a heading that exist", (page) => {
  expect(brokenLinks(page)).toEqual([]);
});

test.each(["AGENTS.md", "docs/architecture.md", "docs/extending.md"])(
  "every source file that %s names exists",
  (page) => {
    const named = readFileSync(join(root, page), "utf8").matchAll(
      /`([\w./-]+\.(?:ts|mjs|py|json|yaml|md))`/g,
    );
    const missing = [...named].map(([, path = ""]) => path).filter((path) => !isThere(path));
    expect(missing).toEqual([]);
  },
);

test.each(["AGENTS.md", "docs/extending.md"])("what %s says is in a source file is there", (page) => {
  const named = [
    ...readFileSync(join(root, page), "utf8").matchAll(
      /`([A-Za-z]\w+)`(?: \([^()]*\))? (?:in|of) `([\w./-]+\.ts)`/g,
    ),
  ];
  const wrong = named.filter(([, name = "", path = ""]) => {
    const file = fileNamed(path);
    return file === undefined || !readFileSync(join(root, file), "utf8").includes(name);
  });

  expect(named.length).toBeGreaterThan(2);
  expect(wrong.map(([words]) => words)).toEqual([]);
});

function isThere(path: string): boolean {
  return fileNamed(path) !== undefined;
}

/** Paths are of the repository or of `src/`; a bare name is enough where it is the only one. */
function fileNamed(path: string): string | undefined {
  return files.find(
    (file) => file === path || file === `src/${path}` || (!path.includes("/") && file.endsWith(`/${path}`)),
  );
}
