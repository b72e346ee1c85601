// Everything a change has to pass, in one command. Prints what it does, stops at the first failure.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

// What was just built is packed as it is.
const env = { ...process.env, npm_config_ignore_scripts: "true" };
const root = fileURLToPath(new URL("..", import.meta.url));
const steps = [
  ["lint", "npx", "--no-install", "biome", "check", "."],
  ["types", "npx", "--no-install", "tsc", "-p", "tsconfig.json"],
  ["types of the page", "npx", "--no-install", "tsc", "-p", "web/tsconfig.json"],
  ["dead code", "npx", "--no-install", "knip"],
  ["build", process.execPath, "scripts/build.mjs"],
  ["package", "npx", "--no-install", "publint", "--strict"],
  [
    "types as consumers see them",
    "npx",
    "--no-install",
    "attw",
    "--pack",
    ".",
    "--profile",
    "esm-only",
    "--quiet",
  ],
  // Last, so that its closing line is the last line.
  ["tests", "npx", "--no-install", "vitest", "run"],
];

for (const [name, program, ...args] of steps) {
  const began = performance.now();
  console.log(`> ${name}`);
  const step = spawnSync(program, args, { cwd: root, env, stdio: ["ignore", "inherit", "inherit"] });
  if (step.status !== 0) {
    console.error(`error: ${name} failed`);
    process.exit(step.status ?? 1);
  }
  if (name !== "tests") console.log(`  ok (${((performance.now() - began) / 1000).toFixed(1)} s)`);
}
