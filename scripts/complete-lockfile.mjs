// Run after the lockfile changed. npm leaves out optional packages for other platforms when a registry does not show
// them, and `npm ci` then refuses the file it wrote. This adds them: name, version and the platform they are for.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const path = fileURLToPath(new URL("../package-lock.json", import.meta.url));
const lock = JSON.parse(readFileSync(path, "utf8"));
const systems = [
  "aix",
  "android",
  "darwin",
  "freebsd",
  "linux",
  "netbsd",
  "openbsd",
  "openharmony",
  "sunos",
  "win32",
];
const processors = [
  "arm64",
  "arm",
  "ia32",
  "loong64",
  "mips64el",
  "ppc64",
  "riscv64",
  "s390x",
  "wasm32",
  "x64",
];
let added = 0;

for (const [parent, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (isThere(parent, name)) continue;
    lock.packages[`node_modules/${name}`] = { version, ...platformOf(name), optional: true, dev: entry.dev };
    added++;
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} packages for other platforms added to the lockfile`);

/** Looked for as Node does: beside the parent, then upwards. */
function isThere(parent, name) {
  for (
    let folder = parent;
    ;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf("node_modules/") - 1))
  ) {
    if (lock.packages[`${folder === "" ? "" : `${folder}/`}node_modules/${name}`] !== undefined) return true;
    if (folder === "") return false;
  }
}

/** Such packages say in their names what they are for. */
function platformOf(name) {
  const words = name.split(/[/@-]/);
  const cpu = processors.filter((processor) => words.includes(processor));
  const os = systems.filter((system) => words.includes(system));
  const libc = words.includes("musl") ? ["musl"] : words.includes("gnu") ? ["glibc"] : undefined;
  return { ...(cpu.length > 0 && { cpu }), ...(os.length > 0 && { os }), ...(libc && { libc }) };
}
