import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/** What `npm install` would leave in a folder, without the network: packages of ours and all they depend on. */
export function installPackages(folder: string, names: readonly string[]): void {
  const packages = new Set<string>();
  for (const name of names) collect(name, root, packages);
  const paths = [...packages].map((path) => relative(root, path));
  const copy = (how: string) =>
    execFileSync("cp", [how, "--parents", ...paths, folder], { cwd: root, stdio: "ignore" });
  try {
    copy("-rlf"); // as further names of the same files, which is far quicker
  } catch {
    copy("-rf"); // where the folder lies on another disk
  }
}

/** The package as it is found from a folder, and what it depends on in turn. */
function collect(name: string, from: string, found: Set<string>): void {
  const path = join(from, "node_modules", name);
  if (!existsSync(join(path, "package.json"))) {
    if (from === root) throw new Error(`${name} is not installed`);
    collect(name, dirname(from), found);
    return;
  }
  if (found.has(path)) return;
  found.add(path);
  const { dependencies = {} } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
  for (const dependency of Object.keys(dependencies)) collect(dependency, path, found);
}
