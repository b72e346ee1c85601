// Makes sure the packages are installed, with nothing but Node and npm. Quick when there is nothing to do.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const stamp = `${root}/node_modules/.eval-skills-lock`;
const lock = `${root}/.eval-skills-install`;
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 20 || (major === 20 && minor < 19))
  fail(`Node 20.19 or newer is required, found ${process.version}`);
if (!isInstalled()) await install();

function isInstalled() {
  return existsSync(stamp) && readFileSync(stamp, "utf8") === digest();
}

function digest() {
  return createHash("sha256")
    .update(readFileSync(`${root}/package-lock.json`))
    .digest("hex");
}

async function install() {
  await takeLock();
  try {
    if (isInstalled()) return; // another command did it while we waited
    console.error("> installing packages (npm ci)");
    // Warnings about the engines and install scripts of optional packages are for maintainers, not for newcomers.
    const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
    const flags = ["--include=dev", "--include=optional", "--fetch-retries=1", ...quiet];
    // Some npm versions refuse a lockfile they wrote themselves over packages for other platforms; install takes it.
    if (!npm("ci", flags) && !npm("install", ["--no-save", ...flags]))
      fail("npm could not install the packages; see the messages above");
    writeFileSync(stamp, digest());
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function npm(command, flags) {
  const run = spawnSync("npm", [command, ...flags], { cwd: root, stdio: ["ignore", 2, 2], shell: false });
  if (run.error) fail(`npm could not be started: ${run.error.message}`);
  return run.status === 0;
}

/** Two commands at once install once: the second waits for the first. */
async function takeLock() {
  for (let waited = 0; ; waited++) {
    try {
      mkdirSync(lock);
      return;
    } catch {
      if (ageMs(lock) > 15 * 60_000) rmSync(lock, { recursive: true, force: true });
      if (waited === 0) console.error("> waiting for another install in this folder");
      await new Promise((done) => setTimeout(done, 500));
    }
  }
}

function ageMs(path) {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

function fail(message) {
  console.error(`error: ${message}`);
  process.exit(2);
}
