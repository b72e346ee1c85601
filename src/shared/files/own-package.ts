import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The version of the installed package. */
export function packageVersion(): string {
  return found().version;
}

/** The folder of the installed package, whether we run from `src` or from `dist`. */
export function packageFolder(): string {
  return found().folder;
}

let known: { folder: string; version: string } | null = null;

function found(): { folder: string; version: string } {
  known ??= search();
  return known;
}

function search(): { folder: string; version: string } {
  let folder = new URL(".", import.meta.url);
  for (;;) {
    const version = readVersion(new URL("package.json", folder));
    if (version !== null) return { folder: fileURLToPath(folder), version };
    const parent = new URL("..", folder);
    if (parent.href === folder.href) throw new Error("package.json of eval-skills was not found");
    folder = parent;
  }
}

function readVersion(file: URL): string | null {
  try {
    const { name, version } = JSON.parse(readFileSync(file, "utf8")) as { name?: string; version?: string };
    return name === "eval-skills" && version !== undefined ? version : null;
  } catch {
    return null;
  }
}
