import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { capturedCli } from "../../../test/captured-world.ts";

const skill = { id: "s", name: "S", version: "1.0.0", description: "d", adapterType: "http" };

test("a dry run shows skills, cells and every task with scorer and deadline, in columns, with hostile ids made visible", async () => {
  await using cli = await capturedCli();
  mkdirSync(join(cli.cwd, "s"));
  writeFileSync(
    join(cli.cwd, "s/skill.json"),
    JSON.stringify({ ...skill, entrypoint: "http://127.0.0.1:1024" }),
  );
  const tasks = [
    { id: "天气", inputData: 1, expectedOutput: { value: 1 } },
    { id: "red\u001b[31m", inputData: 1, expectedOutput: { type: "regex", patterns: ["a"] }, timeoutMs: 5 },
  ];
  writeFileSync(join(cli.cwd, "tasks.json"), JSON.stringify(tasks));

  const { stdout, exitCode } = await cli.run(["eval", "--skills", "s", "--tasks", "tasks.json", "--dry-run"]);

  expect(exitCode).toBe(0);
  expect(stdout.split("\n")).toEqual([
    "skills     s",
    "benchmark  tasks.json (2 tasks)",
    "cells      1 skill × 2 tasks × 1 run = 2",
    "",
    "天气       exact_match  30000 ms",
    "red\\e[31m  regex        5 ms",
    "",
    "nothing was run",
    "",
  ]);
});

test.each(["", "--sandbox process"])(
  "a dry run %s starts no scorer, neither to try it nor to ask what it sees",
  async (flags) => {
    await using cli = await capturedCli();
    const at = (name: string) => join(cli.cwd, name);
    mkdirSync(at("s"));
    writeFileSync(at("s/skill.json"), JSON.stringify({ ...skill, entrypoint: "http://127.0.0.1:1024" }));
    writeFileSync(
      at("scorer.mjs"),
      `import { writeFileSync } from "node:fs";
writeFileSync(${JSON.stringify(at("started"))}, "");
export const sees = ["answer", "error"];
export default () => true;
`,
    );
    writeFileSync(at("scorer.sh"), `#!/bin/sh\ntouch '${at("started")}'\necho '{"score": 1}'\n`, {
      mode: 0o755,
    });
    const tasks = [{ customScorerPath: "./scorer.mjs" }, { command: ["./scorer.sh"] }];
    writeFileSync(
      at("tasks.json"),
      JSON.stringify(
        tasks.map((evaluator, n) => ({
          id: `task-${n}`,
          inputData: 1,
          expectedOutput: {},
          evaluator: { type: "custom", ...evaluator },
        })),
      ),
    );
    const line = ["eval", "--skills", "s", "--tasks", "tasks.json", ...flags.split(" ").filter(Boolean)];

    const { exitCode, stdout } = await cli.run([...line, "--dry-run"]);

    expect([exitCode, existsSync(at("started"))], stdout).toEqual([0, false]);
    const real = await cli.run([...line, ...(flags === "" ? ["--sandbox", "process"] : [])]);
    expect(real.stderr).toContain("wrong answers of several kinds pass");
    expect(existsSync(at("started"))).toBe(true);
  },
);

test("run --dry-run finds the skills, counts their cells and runs nothing", async () => {
  await using cli = await capturedCli();
  for (const id of ["calc", "weather"]) {
    mkdirSync(join(cli.cwd, "skills", id), { recursive: true });
    writeFileSync(
      join(cli.cwd, "skills", id, "skill.json"),
      JSON.stringify({
        id,
        name: id,
        version: "1.0.0",
        description: "d",
        adapterType: "http",
        entrypoint: "http://127.0.0.1:1024",
      }),
    );
  }
  const before = readdirSync(cli.cwd);

  const { document, exitCode } = await cli.run(["run", "--dry-run", "--query", "calc", "--json"]);

  expect(exitCode).toBe(0);
  expect(document).toMatchObject({
    command: "run",
    dryRun: true,
    skills: ["calc"],
    benchmark: "coding-easy",
  });
  expect(readdirSync(cli.cwd)).toEqual(before);
});

test("a bad skill of a folder is listed in a run and in a dry run, and named where it is alone", async () => {
  await using cli = await capturedCli();
  const put = (path: string, content: string) => {
    mkdirSync(join(cli.cwd, path, ".."), { recursive: true });
    writeFileSync(join(cli.cwd, path), content);
  };
  put("good/a/skill.json", JSON.stringify({ ...skill, entrypoint: "http://127.0.0.1:1024" }));
  put("good/b/skill.json", "{");
  put("bad/b/skill.json", "{");
  put("tasks.json", JSON.stringify([{ id: "t", inputData: 1, expectedOutput: { value: 1 } }]));
  const evaluate = (folder: string, ...flags: string[]) =>
    cli.run(["eval", "--skills", folder, "--tasks", "tasks.json", "--json", "--retries", "0", ...flags]);

  const [run, dry, alone] = [
    await evaluate("good"),
    await evaluate("good", "--dry-run"),
    await evaluate("bad"),
  ];

  expect([run.exitCode, dry.exitCode, alone.exitCode]).toEqual([2, 2, 2]);
  const listed = [{ path: "good/b", code: "SKD02", reason: expect.stringContaining("good/b/skill.json:1") }];
  expect(run.document).toMatchObject({ total: 1, exitCode: 2, notLoaded: listed });
  expect(dry.document).toMatchObject({ dryRun: true, skills: ["s"], notLoaded: listed });
  expect(alone.document.error).toMatchObject({
    code: "skill-invalid",
    message: expect.stringContaining("bad/b not loaded: bad/b/skill.json:1"),
    hint: "`eval-skills doctor bad/b` shows what is wrong",
  });
});
