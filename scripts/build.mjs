// Builds dist/: one bundle for the command line and the library, and the types for editors.
// Bundled because a cold start that loads a few hundred small files costs more than everything we do with them.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { buildPage } from "./build-page.mjs";
import { noticesOf } from "./notices.mjs";
import { writeSchemas } from "./write-schemas.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

// Made beside and put in place at the end: a command that starts meanwhile finds a whole build, old or new,
// and two builds at the same time do not write into each other.
const made = `${root}/dist.new-${process.pid}`;
process.on("exit", () => rmSync(made, { recursive: true, force: true }));
const bundle = await rolldown({
  cwd: root,
  input: {
    cli: "src/cli/main.ts",
    index: "src/index.ts",
    testing: "src/testing.ts",
    "token-thread": "src/skills/tokens/token-thread.ts",
    "docx-thread": "src/skills/prompt-tool/docx-thread.mjs",
  },
  platform: "node",
  external: ["@photostructure/sqlite", "vitest"],
  transform: { target: "node20.19" },
  logLevel: "warn",
});
const { output } = await bundle.write({
  dir: made,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "[name]-[hash].js",
  sourcemap: true,
  sourcemapExcludeSources: true,
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  comments: { legal: true },
});
await bundle.close();
for (const chunk of output) keepOwnMap(chunk);
const pageModuleIds = [
  ...(await buildPage("report", `${made}/report-page.html`)),
  ...(await buildPage("telemetry", `${made}/telemetry-page.html`)),
];
const moduleIds = [...output.flatMap((chunk) => chunk.moduleIds ?? []), ...pageModuleIds];
writeFileSync(`${made}/THIRD-PARTY-NOTICES.txt`, noticesOf(moduleIds));
// Programs that are started, not imported, lie beside the bundle that starts them.
copyFileSync(`${root}/src/scorers/scorer-process.mjs`, `${made}/scorer-process.mjs`);
copyFileSync(`${root}/src/adapters/module-process.mjs`, `${made}/module-process.mjs`);
copyFileSync(`${root}/src/adapters/tool-host.py`, `${made}/tool-host.py`);
copyFileSync(`${root}/src/models/embedding/run-embedding.mjs`, `${made}/run-embedding.mjs`);
copyFileSync(`${root}/src/sandbox/network/network-shim.mjs`, `${made}/network-shim.mjs`);
copyFileSync(`${root}/src/engine/programs/service-bridge.mjs`, `${made}/service-bridge.mjs`);

const tsc = ["--no-install", "tsc", "-p", "tsconfig.build.json", "--outDir", `${made}/types`];
const types = spawnSync("npx", tsc, { cwd: root, stdio: "inherit" });
if (types.status !== 0) process.exit(types.status ?? 1);
putInPlace();
writeSchemas(root);

/** A map serves stack traces through our files; nobody installs those of what only others wrote. */
function keepOwnMap({ fileName, map }) {
  if (map == null || map.sources.some((source) => !source.includes("node_modules/"))) return;
  rmSync(`${made}/${fileName}.map`);
  const code = readFileSync(`${made}/${fileName}`, "utf8");
  writeFileSync(`${made}/${fileName}`, code.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, "\n"));
}

function putInPlace() {
  const old = `${root}/dist.old-${process.pid}`;
  for (;;) {
    try {
      if (existsSync(`${root}/dist`)) renameSync(`${root}/dist`, old);
      renameSync(made, `${root}/dist`);
      return;
    } catch (error) {
      // Another build was quicker; ours is at least as new.
      if (!["ENOTEMPTY", "EEXIST", "ENOENT"].includes(error.code) || !existsSync(made)) throw error;
    } finally {
      rmSync(old, { recursive: true, force: true });
    }
  }
}
