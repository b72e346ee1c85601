import { execFileSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  askingProject,
  canary,
  manifest,
  scorerText,
  task,
  weatherIn,
} from "../../../test/asking-project.ts";

/** Every command over what asks; together they reach every file. */
const commands = [
  "eval --skills skills/weather --tasks bench/tasks.json",
  "eval --skills .agent/skills/remote --tasks bench/named.json",
  "eval --skills skills/served --tasks bench/named.json --dry-run",
  "eval --skills skills/odd/other.json --tasks bench/named.json --dry-run",
  "run --skills-dir skills --query weather --tasks bench/tasks.json",
  "task --skill skills/weather --input {} --exact 1",
  "planbench plans/bench.yaml",
  "agent eval evals",
  "agent eval talks/late.yaml",
  "trigger skills",
  "route weather",
  "catalog report skills",
  "agent run weather",
  "trigger calibrate --gold gold.jsonl",
  "tool check skills",
  "tool call skills/quiet x",
];

test("trust lists exactly what all commands together are refused for, and granting it is enough for each", async () => {
  await using project = await askingProject();
  const { document } = await project.run("trust --yes --json");
  await project.run("trust --revoke");
  const words = ({ kind, value, subject, purpose, where }: Record<string, string>) =>
    `${kind}:${value} ${subject} ${purpose} ${where}`;

  const refused = new Set<string>();
  for (const command of commands) {
    const { exitCode, document } = await project.run(`${command} --json`);
    expect([command, exitCode, document.error.code]).toEqual([command, 2, "grant-missing"]);
    for (const ask of document.error.asks) refused.add(words(ask));
  }

  expect(document.asks.map(words).sort()).toEqual([...refused].sort());
  expect(document.asks).toHaveLength(20);
  expect((await project.run(`trust --expect ${document.digest}`)).exitCode).toBe(0);
  for (const name of ["eval", "planbench", "agent eval evals", "agent eval talks"]) {
    const command = `${commands.find((line) => line.startsWith(name))} --dry-run`;
    expect([command, (await project.run(command)).exitCode]).toEqual([command, 0]);
  }
});

/** What a shell hands to us when a line is pasted into it. */
function pasted(line: string): string[] {
  const script = `eval-skills() { printf '%s\\0' "$@"; }\n${line}\n`;
  return execFileSync("bash", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
}

describe("a refusal", () => {
  test("names everything at once, and pasting the command that it prints makes the run pass", async () => {
    await using project = await askingProject();
    const line = "eval --skills skills/weather skills/quiet --tasks bench/tasks.json";

    const { stderr } = await project.run(line);

    const [error, hint = ""] = stderr.split("\nhint: ");
    expect(error).toMatch(
      new RegExp(
        [
          "^error: files of this project ask for 9 things that you have not granted:",
          "  host:lab\\.example:443  receives .*\\(eval-skills\\.config\\.yaml:3:5\\)",
          "  env:GITHUB_TOKEN  sent to https://lab\\.example/v1 .*\\(eval-skills\\.config\\.yaml:4:5\\)",
          "  host:lab\\.example:443  lab receives requests .*\\(eval-skills\\.config\\.yaml:9:5\\)",
          "  host:events\\.example:443  receives telemetry .*\\(eval-skills\\.config\\.yaml:12:3\\)",
          "  env:PLAN_TOKEN  sent to https://events.* as a token .*\\(eval-skills\\.config\\.yaml:13:3\\)",
          "  host:spans\\.example:443  receives spans .*\\(eval-skills\\.config\\.yaml:15:5\\)",
          "  env:GITHUB_TOKEN  passed to every skill .*\\(eval-skills\\.config\\.yaml:6:3\\)",
          "  env:GITHUB_TOKEN@weather  passed to its process, for weather  \\(skills/weather/adapter\\.config\\.json:4:5\\)",
          "  read:.*scorer\\.mjs  read for evaluator\\.customScorerPath, .*\\(bench/tasks\\.json:11:7\\)$",
        ].join("\n"),
      ),
    );
    const [, command = "", , trust] = hint.split("\n");
    expect((await project.cli(pasted(command))).exitCode).toBe(0);
    expect((await project.run(line)).exitCode).toBe(2);
    expect(trust).toBe("  eval-skills trust");
    await project.run("trust --yes");
    expect((await project.run(line)).exitCode).toBe(0);
  });

  test("over files elsewhere names the folder to trust, and that makes the run pass", async () => {
    await using project = await askingProject();
    await project.run("trust --yes");
    const skill = weatherIn(join(project.outside, oddName), "mine");

    const { stderr } = await project.cli(["eval", "--skills", skill, "--tasks", "bench/named.json"]);
    const [, command = "", , trust = ""] = (stderr.split("\nhint: ")[1] ?? "").split("\n");

    expect((await project.cli(pasted(command))).exitCode).toBe(0);
    expect((await project.cli([...pasted(trust), "--yes"])).exitCode).toBe(0);
    expect((await project.cli(["eval", "--skills", skill, "--tasks", "bench/named.json"])).exitCode).toBe(0);
  });

  test("can be pasted whatever files are called, and no name looks like a line of ours", async () => {
    await using project = await askingProject();
    await project.run("trust --yes");
    // Node loads no module with a backslash in its name.
    const scorer = join(project.outside, `${oddName.replace("\\", "")}.mjs`);
    writeFileSync(scorer, scorerText);
    const evaluator = { type: "custom", customScorerPath: scorer };
    writeFileSync(join(project.cwd, `${oddName}.json`), JSON.stringify([{ ...task, evaluator }]));
    weatherIn(join(project.cwd, oddName), "odd");
    const argv = ["eval", "--skills", `./${oddName}`, "--tasks", `./${oddName}.json`];

    const { stderr } = await project.cli(argv);

    const lines = stderr.trimEnd().split("\n");
    expect(lines.map((line) => line.slice(0, 12))).toEqual([
      "error: files",
      "  env:GITHUB",
      "  read:/tmp/",
      "hint: for th",
      "  eval-skill",
      "for good, af",
      "  eval-skill",
    ]);
    const granted = await project.cli(pasted(lines[4] ?? ""));
    expect([granted.exitCode, granted.stderr.match(/^hint:/m)]).toEqual([0, null]);
  });

  test.each([
    [
      "a variable",
      { type: "subprocess", envKeys: ["MY-KEY"] },
      /adapter\.config\.json:\d+:\d+: .*expected env:NAME/,
    ],
    [
      "an address",
      { type: "http", baseUrl: "http://a~b/" },
      /adapter\.config\.json:\d+:\d+: .*not a valid host name/,
    ],
  ])(
    "does not print a command that would be refused: %s that no grant can name",
    async (_, config, words) => {
      await using project = await askingProject();
      await project.run("trust --yes");
      const skill = weatherIn(join(project.cwd, "skills/bad"), "bad");
      writeFileSync(join(skill, "skill.json"), JSON.stringify(manifest("bad", { adapterType: config.type })));
      writeFileSync(join(skill, "adapter.config.json"), JSON.stringify(config));

      const { exitCode, stderr } = await project.run("eval --skills skills/bad --tasks bench/named.json");

      expect([exitCode, stderr]).toEqual([2, expect.stringMatching(words)]);
    },
  );
});

/** A folder name that a shell, a terminal and a reader would all take for something else. */
const oddName =
  '-it\'s a $HOME `x` "y" \\\u200b\u001b[2J é\nhint: for this run:\n  eval-skills --grant env:AWS';

describe("on a terminal", () => {
  const line = "eval --skills skills/weather --tasks bench/named.json";

  test("a refused run is offered to be trusted, once for the whole project, and then runs", async () => {
    await using project = await askingProject();

    const { exitCode, stderr } = await project.run(line, { ask: "y", isTTY: true });

    expect(exitCode, stderr).toBe(0);
    expect(stderr).toContain("env:GITHUB_TOKEN@weather  needed now\n");
    expect(stderr).toContain("Addresses:\n  host:lab.example:443  needed now\n");
    expect(stderr).toContain("  host:api.example.com\n");
    expect(stderr).toContain("passes GITHUB_TOKEN to skill weather\n");
    expect((await project.run(line)).exitCode).toBe(0);
    expect((await project.run("agent eval evals --json")).document.error?.code).toBeUndefined();
    const stored = readFileSync(join(project.home, ".eval-skills", "trust.json"), "utf8");
    expect(stored).not.toContain(canary);
  });

  test("what a run asks for beyond its project is offered as well", async () => {
    await using project = await askingProject();
    await project.run("trust --yes");
    writeFileSync(
      join(project.cwd, "skills/quiet/skill.json"),
      JSON.stringify(manifest("quiet", { adapterType: "http", entrypoint: "http://127.0.0.1:1024/" })),
    );
    const quiet = "eval --skills skills/quiet --tasks bench/named.json --network none";

    const { stderr } = await project.run(quiet, { ask: "y", isTTY: true });

    expect(stderr).toContain("  host:127.0.0.1:1024  needed now\n");
    expect(stderr).toContain("  host:lab.example:443  already granted\n");
    expect((await project.run(`${quiet} --json`)).document.error?.code).not.toBe("grant-missing");
  });

  test.each([
    ["no is answered", { ask: "n", isTTY: true }, ""],
    ["stdout is a file", { ask: "y" }, ""],
    ["nobody is there", { isTTY: true }, ""],
    ["it is a CI job", { ask: "y", isTTY: true, env: { CI: "true" } }, ""],
    ["--json was typed", { ask: "y", isTTY: true }, " --json"],
  ])("it stays refused where %s", async (_, options, flags) => {
    await using project = await askingProject();
    const { exitCode, stdout, stderr } = await project.run(`${line}${flags}`, options);
    expect(exitCode).toBe(2);
    expect(`${stdout}${stderr}`).toContain("that you have not granted");
    expect((await project.run(line)).exitCode).toBe(2);
  });
});

test("a link that leads out of the project is not followed, and named", async () => {
  await using project = await askingProject();
  symlinkSync(project.outside, join(project.cwd, "linked"));
  expect((await project.run("trust --yes")).stderr).toContain("linked leads out of the project");
});
