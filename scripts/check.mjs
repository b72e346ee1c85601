// Everything a change has to pass, in one command. Prints what it does, stops at the first failure.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

// What was just built is packed as it is.
const env = { ...process.env, npm_config_ignore_scripts: "true" };
const root = fileURLToPath(new URL("..", import.meta.url));
const npx = ["npx", "--no-install"];
/** Those of one line run beside each other: most keep one core busy and no more. */
const steps = [
  [
    ["lint", ...npx, "biome", "check", "."],
    ["types of the page", ...npx, "tsc", "-p", "web/tsconfig.json"],
    ["build", process.execPath, "scripts/build.mjs"],
  ],
  [
    ["types", ...npx, "tsc", "-p", "tsconfig.json"],
    ["dead code", ...npx, "knip"],
    ["package", ...npx, "publint", "--strict"],
    ["types as consumers see them", ...npx, "attw", "--pack", ".", "--profile", "esm-only", "--quiet"],
  ],
  // Last and heard at once, so that its closing line is the last line.
  [["tests", ...npx, "vitest", "run"]],
];

for (const beside of steps) {
  console.log(`> ${beside.map(([name]) => name).join(", ")}`);
  const began = performance.now();
  const ends = await Promise.all(beside.map((step) => run(step, step[0] !== "tests")));
  for (const { name, status } of ends) {
    if (status === 0) continue;
    console.error(`error: ${name} failed`);
    process.exit(status ?? 1);
  }
  if (beside !== steps.at(-1)) console.log(`  ok (${((performance.now() - began) / 1000).toFixed(1)} s)`);
}

/** What runs beside another is heard when it is done, or their lines would mix. */
function run([name, program, ...args], isHeld) {
  const stdio = isHeld ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"];
  const child = spawn(program, args, { cwd: root, env, stdio });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => {
      said += chunk;
    });
  return new Promise((done, failed) => {
    child.on("error", failed);
    child.on("close", (status) => {
      process.stdout.write(said);
      done({ name, status });
    });
  });
}
