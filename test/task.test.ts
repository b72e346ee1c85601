import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { answering, eventually, processesMentioning, quickProject } from "./built-cli.ts";

test("an interrupted task ends its skill and exits with 130", async () => {
  await using project = await quickProject();
  const dir = await project.skill(
    "hangs",
    answering(
      `require("node:fs").writeFileSync("called", "1"); await new Promise(() => setInterval(() => {}, 1000));`,
    ),
  );
  // The skill writes into its own folder to show that it was called, which the sandbox would prevent.
  const words = "task --skill skills/hangs --input {} --exact 1 --json --sandbox process".split(" ");
  const task = project.start(words);
  await eventually(() => {
    try {
      return readFileSync(project.at("skills/hangs/called"), "utf8") === "1";
    } catch {
      return false;
    }
  });

  task.child.kill("SIGINT");

  const { code, document } = await task.ended;
  expect(code).toBe(130);
  expect(document).toEqual({ schemaVersion: 1, command: "task", state: "interrupted", exitCode: 130 });
  await eventually(() => processesMentioning(dir).length === 0);
});

test("a module and a piped input work from the built product", async () => {
  await using project = await quickProject();
  await project.write("skills/twice/tool.mjs", "export const twice = { invoke: (input) => input * 2 };");
  await project.write("skills/twice/skill.json", {
    id: "twice",
    name: "Twice",
    version: "1.0.0",
    description: "Doubles a number.",
    adapterType: "langchain",
    entrypoint: "./tool.mjs#twice",
  });
  await project.write("input.json", 21);

  const { code, stdout } = await project.run([
    "task",
    "--skill",
    "skills/twice",
    "--input",
    "@input.json",
    "--exact",
    "42",
  ]);

  expect(stdout).toMatch(/^passed {2}twice\n/);
  expect(code).toBe(0);
});
