import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { attendedCli } from "./attended-cli.ts";
import { answering, countingTasks, emptyProject, eventually } from "./built-cli.ts";

describe("on a real terminal", () => {
  test("a refused run is offered once and then runs; without a terminal nobody is asked", async () => {
    await using project = await emptyProject();
    const config = { type: "subprocess", envKeys: ["TEA_KEY"] };
    await project.skill("tea", answering("return input.n"), { config });
    await project.write("tasks.json", countingTasks(1));
    const argv = ["eval", "--skills", "skills/tea", "--tasks", "tasks.json", "--sandbox", "process"];
    const answered = async (answer: string) => {
      await using cli = attendedCli(argv, project, { TEA_KEY: "a-secret-of-tea" });
      await cli.shows(/\[y\/N\]/);
      cli.press(`${answer}\n`);
      const text = await cli.shows(answer === "y" ? /passes TEA_KEY to skill tea/ : /you have not granted/);
      expect(text).not.toContain("[y/N]");
      return await cli.exitCode;
    };

    expect(await answered("n")).toBe(2);
    expect(await answered("y")).toBe(0);
    const again = await project.run(argv);
    expect([again.code, again.stderr]).toEqual([0, expect.not.stringContaining("[y/N]")]);
  });
});

/** Skills that give numbers back, each with a task, and note every call in a file beside them. */
async function watchedProject(skills: readonly string[], pauseMs = 0) {
  const project = await emptyProject();
  const program = (id: string, result: string) =>
    answering(
      `require("node:fs").appendFileSync(${JSON.stringify(project.at("calls.log"))}, "${id} " + input.n + "\\n");
      await new Promise((done) => setTimeout(done, ${pauseMs}));
      return ${result};`,
    );
  for (const id of skills) {
    await project.skill(id, program(id, "input.n"), { manifest: { metadata: { lifecycle: "persistent" } } });
    await project.write(`skills/${id}/tests/basic.eval.json`, countingTasks(3));
  }
  writeFileSync(project.at("calls.log"), "");
  const lines = () => readFileSync(project.at("calls.log"), "utf8").split("\n").slice(0, -1);
  const argv = ["test", "--watch", "--level", "unit", "--sandbox", "process", "--concurrency", "1"];
  return {
    ...project,
    watch: () => attendedCli([...argv, "--format", "json"], project),
    /** What the skill answers from now on. */
    edit: (id: string, result: string) =>
      writeFileSync(project.at("skills", id, "program"), program(id, result)),
    /** The calls since it was asked last. */
    calls() {
      const called = lines();
      writeFileSync(project.at("calls.log"), "");
      return called;
    },
    lines,
  };
}

const waiting = /watching \d skills.*q quit/;

describe("test --watch", () => {
  test("runs what an edit affects, shows what changed its verdict, and takes a burst of edits for one", async () => {
    await using project = await watchedProject(["ant", "bee"]);
    await using cli = project.watch();
    expect(await cli.shows(waiting)).toContain("all 6 passed");
    expect(project.calls()).toHaveLength(6);

    project.edit("bee", "input.n === 2 ? 0 : input.n");
    const broken = await cli.shows(waiting);
    expect(broken).toMatch(/skills\/bee\/program changed/);
    expect(broken).toMatch(/✗ unit {2}bee t2 +passed → failed\s+expected 2, got 0\s+✗ 1 of 6 failed/);
    expect(broken).not.toMatch(/t1|t3|ant/);
    expect(project.calls()).toEqual(["bee 1", "bee 2", "bee 3"]);

    for (let n = 0; n < 50; n++) project.edit("bee", `input.n + ${n === 49 ? 0 : n}`);
    expect(await cli.shows(waiting)).toMatch(/✓ unit {2}bee t2 +failed → passed\s+✓ all 6 passed/);
    expect(project.calls()).toEqual(["bee 1", "bee 2", "bee 3"]);

    cli.press("q");
    expect(await cli.exitCode).toBe(0);
  });

  test("keys run all, what failed, or what a pattern chooses; a mistake in a file is shown, and mended", async () => {
    await using project = await watchedProject(["ant", "bee"]);
    project.edit("ant", "0");
    await using cli = project.watch();
    expect(await cli.shows(waiting)).toContain("3 of 6 failed");
    project.calls();

    cli.press("f");
    expect(await cli.shows(waiting)).toMatch(/no verdict changed\s+✗ 3 of 6 failed/);
    expect(project.calls()).toEqual(["ant 1", "ant 2", "ant 3"]);

    cli.press("p");
    cli.press("bee/t1\r");
    expect(await cli.shows(/only \*bee\/t1\*: /)).toContain("✓ 1 passed");
    cli.press("a");
    await cli.shows(waiting);
    expect(project.calls()).toEqual(["bee 1"]);
    cli.press("p\r");
    expect(await cli.shows(waiting)).toContain("3 of 6 failed");
    expect(project.calls()).toEqual([]);

    writeFileSync(project.at("skills/bee/tests/basic.eval.json"), "[");
    expect(await cli.shows(waiting)).toContain("skills/bee/tests/basic.eval.json");
    await project.write("skills/bee/tests/basic.eval.json", countingTasks(4));
    expect(await cli.shows(waiting)).toMatch(/✓ unit {2}bee t4 +new: passed\s+✗ 3 of 7 failed/);
    expect(project.calls()).toHaveLength(4); // tests are files of the skill

    cli.press("q");
    expect(await cli.exitCode).toBe(1);
  });

  test("an edit in the midst of a run cancels it, and what it had found out is not run again", async () => {
    await using project = await watchedProject(["ant", "bee", "cat"], 150);
    await using cli = project.watch();
    await eventually(() => project.lines().length >= 4);
    appendFileSync(project.at("skills/cat/program"), "\n");

    expect(await cli.shows(waiting)).toContain("all 9 passed");
    const calls = project.calls();
    expect(calls.filter((call) => call.startsWith("ant"))).toHaveLength(3);
    // One of them was under way.
    expect(calls.length).toBeLessThanOrEqual(10);

    cli.press("\u0003");
    expect(await cli.exitCode).toBe(130);
    const resumed = await project.run(["test", "--resume", "--sandbox", "process", "--json"]);
    expect(resumed.document.passed, resumed.stdout).toBe(9);
    expect(project.calls()).toEqual([]);
  });
});
