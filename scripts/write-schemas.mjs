// Writes schemas/<name>.schema.json: what `eval-skills schema` prints, as files for editors and other programs.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** Asks the command line that was just built, so that files and command cannot differ. */
export function writeSchemas(root) {
  const asked = spawnSync(process.execPath, [`${root}/bin/eval-skills.js`, "schema", "--json"], {
    encoding: "utf8",
    cwd: `${root}/bin`, // away from a configuration that may lie in the root
  });
  if (asked.status !== 0) throw new Error(`eval-skills schema failed: ${asked.stderr}${asked.stdout}`);
  const { schemas } = JSON.parse(asked.stdout);
  const folder = `${root}/schemas`;
  mkdirSync(folder, { recursive: true });
  const names = Object.keys(schemas).map((name) => `${name}.schema.json`);
  const isOld = (name) => name.endsWith(".schema.json") && !names.includes(name);
  for (const name of readdirSync(folder).filter(isOld)) rmSync(`${folder}/${name}`, { force: true });
  for (const [name, schema] of Object.entries(schemas)) {
    // Two builds may run at once; each name is given to a whole file.
    const half = `${folder}/${name}.${process.pid}.tmp`;
    writeFileSync(half, `${JSON.stringify(schema, null, 2)}\n`);
    renameSync(half, `${folder}/${name}.schema.json`);
  }
}
