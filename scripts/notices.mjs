// The licences of what the bundle holds: their authors ask that the text goes where the code goes.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** One text with the licence of every package these modules come from. */
export function noticesOf(moduleIds) {
  const folders = new Set(moduleIds.map(packageFolderOf).filter((folder) => folder !== null));
  const notices = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return { name, text: [`${name} ${version} (${license})`, "", licenceIn(folder)].join("\n") };
  });
  notices.sort((a, b) => (a.name < b.name ? -1 : 1));
  const head = "eval-skills is built with these packages; parts of them are in this folder.";
  return [head, ...notices.map(({ text }) => text)].join(`\n\n${"-".repeat(78)}\n\n`);
}

function packageFolderOf(moduleId) {
  if (!moduleId.includes("/node_modules/")) return null;
  for (let folder = dirname(moduleId); ; folder = dirname(folder)) {
    const file = join(folder, "package.json");
    // Folders within a package may have a package.json of their own, without a name.
    if (existsSync(file) && JSON.parse(readFileSync(file, "utf8")).version !== undefined) return folder;
    if (folder === dirname(folder)) return null;
  }
}

function licenceIn(folder) {
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)(\.|$)/i.test(name));
  return file === undefined
    ? "(the package has no licence file)"
    : readFileSync(join(folder, file), "utf8").trim();
}
