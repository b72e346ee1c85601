import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { capturedCli } from "../../../test/captured-world.ts";
import { findProgram } from "../../shared/files/find-program.ts";

/** The script of a shell in a file, and what bash offers after some words. */
async function openScript(shell: string) {
  const cli = await capturedCli();
  const { stdout, exitCode } = await cli.run(["completion", shell]);
  expect(exitCode).toBe(0);
  const file = join(cli.cwd, `completion.${shell}`);
  writeFileSync(file, stdout);
  const bash = (program: string, ...words: string[]) =>
    execFileSync("bash", ["--norc", "-c", program, "_", ...words], { encoding: "utf8", cwd: cli.cwd });
  const offered = (...words: string[]) =>
    bash(
      `source ${file}; COMP_WORDS=(eval-skills "$@"); COMP_CWORD=$#; _eval_skills; printf '%s\\n' "\${COMPREPLY[@]}"`,
      ...words,
    )
      .split("\n")
      .filter((word) => word !== "");
  return { ...cli, script: stdout, file, bash, offered };
}

test("bash loads the script and knows what completes eval-skills", async () => {
  await using made = await openScript("bash");

  expect(made.bash(`source ${made.file} && complete -p eval-skills`)).toContain(
    "-F _eval_skills eval-skills",
  );
});

test("bash offers every command that the help lists", async () => {
  await using made = await openScript("bash");
  const { stdout } = await made.run(["--help"]);
  const listed = [...stdout.matchAll(/^ {2}([a-z]+)(?: \[options\])?(?: .*)? {2}[A-Z]/gm)].map(
    ([, name]) => name,
  );

  expect(listed.length).toBeGreaterThan(5);
  expect(made.offered("").sort()).toEqual(listed.sort());
});

test.each([
  [["ev"], ["eval"]],
  [
    ["config", ""],
    ["list", "get", "set"],
  ],
  [
    ["--json", "store", ""],
    ["export", "import", "prune"],
  ],
  [
    ["-c", "config", "store", ""],
    ["export", "import", "prune"],
  ],
  [["store", "prune", "--d"], ["--dry-run"]],
  [
    ["completion", ""],
    ["bash", "zsh", "fish"],
  ],
  [["schema", "b"], ["benchmark"]],
  [
    ["find", "-a", ""],
    ["http", "subprocess", "mcp", "langchain", "custom"],
  ],
  [
    ["eval", "--format", "j"],
    ["json", "junit"],
  ],
  [["eval", "--format", "json", "m"], ["markdown"]],
  [["eval", "--format", "=", "c"], ["csv"]],
  [
    ["eval", "--gate-on", ""],
    ["point", "lower"],
  ],
  [["eval", "--benchmark", "coding"], ["coding-easy"]],
  [["eval", "--evaluator", "exact_"], ["exact_match"]],
  [["create", "--from-template", "py"], ["python_script"]],
  [
    ["eval", "--skills", "fol"],
    ["folder with space", "folio.txt"],
  ],
  [["find", "--skills-dir", "fol"], ["folder with space"]],
  [["trigger", "cal"], ["calibrate"]],
  [
    ["trigger", "--judge", ""],
    ["model", "catalog", "router", "agent"],
  ],
  [
    ["trigger", "calibrate", "--gold", "fol"],
    ["folder with space", "folio.txt"],
  ],
  [["trigger", "--catalog", "fol"], ["folder with space"]],
  [
    ["catalog", ""],
    ["report", "diff"],
  ],
  [["history", "--limit", ""], []],
])("after %j bash offers %j", async (words, expected) => {
  await using made = await openScript("bash");
  mkdirSync(join(made.cwd, "folder with space"));
  writeFileSync(join(made.cwd, "folio.txt"), "");

  expect(made.offered(...words).sort()).toEqual([...expected].sort());
});

test("every option of the help of a command is offered", async () => {
  await using made = await openScript("bash");
  for (const command of [
    "eval",
    "find",
    "history",
    "store prune",
    "select",
    "trigger",
    "route",
    "catalog diff",
  ]) {
    const { stdout } = await made.run([...command.split(" "), "--help"]);
    const flags = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag]) => flag).sort();

    expect(made.offered(...command.split(" "), "--").sort(), command).toEqual(flags);
  }
});

test.each(["zsh", "fish"])("%s gets a script it can read, with every command in it", async (shell) => {
  await using made = await openScript(shell);

  for (const word of ["eval", "store prune", "report convert", "coding-easy", "python_script"])
    expect(made.script).toContain(word);
  if (findProgram(shell, process.env) !== null) execFileSync(shell, ["-n", made.file]);
  else if (shell === "zsh")
    execFileSync("bash", ["-c", `source <(sed '/^_eval_skills() {/,$d' ${made.file})`]);
  for (const line of made.script.split("\n").filter((one) => one.startsWith("complete ")))
    expect(line.replaceAll("\\'", "").split("'").length % 2, line).toBe(1);
});

test("--json wraps the script", async () => {
  await using cli = await capturedCli();

  const { document } = await cli.run(["completion", "bash", "--json"]);

  expect(document).toMatchObject({ command: "completion", shell: "bash" });
  expect(document.script).toBe((await cli.run(["completion", "bash"])).stdout);
});

test.each([[[]], [["bsh"]], [["bash", "zsh"]]])("completion %j is exit 2", async (argv) => {
  await using cli = await capturedCli();

  const { exitCode, document } = await cli.run(["completion", ...argv, "--json"]);

  expect([exitCode, document.error.code]).toEqual([2, "usage"]);
});
