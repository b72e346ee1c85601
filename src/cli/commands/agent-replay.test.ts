import { expect, test } from "vitest";
import { agentProject, answer, call, load, scripted, select } from "../../../test/agent-project.ts";

const evil = "\u001b[2J\u001b]0;title\u0007\u202egnp.exe";

/** A project with one run whose texts try to look like something else. */
async function recordedProject() {
  const turns = [
    select("fines"),
    load("references/rules.md"),
    call("grep", { path: ".", pattern: `x${evil}` }),
    answer(`## Done\n\n${evil}`),
  ];
  const project = await agentProject({
    "evals/suite.yaml": { cases: [{ ...scripted("told", {}, turns), input: `Say ${evil}` }] },
  });
  const { document } = await project.run(["agent", "eval", "evals", "--json"]);
  const { runId, runDir } = document.cells[0].details;
  return {
    ...project,
    dir: runDir as string,
    replay: (...argv: string[]) => project.run(["agent", "replay", runId, ...argv]),
  };
}

test("a run is reported turn by turn, and what it says is text and nothing else", async () => {
  await using project = await recordedProject();
  const events = project.read(`${project.dir}/events.jsonl`);
  const { exitCode, stdout } = await project.replay();
  expect(exitCode).toBe(0);
  for (const words of ["Turn 1", "selects fines", "references/rules.md", "Turn 4", "completed: final_answer"])
    expect(stdout).toContain(words);
  expect(stdout).toContain("\\e[2J");
  expect(stdout.replaceAll(/[\n -~]/g, "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(project.read(`${project.dir}/events.jsonl`)).toBe(events);
  expect(project.runs()).toHaveLength(1);
});

test("one turn can be reported, or some of its events", async () => {
  await using project = await recordedProject();
  const turn = await project.replay("--turn", "2");
  expect(turn.stdout).toContain("references/rules.md");
  expect(turn.stdout).not.toMatch(/selects fines|Turn 3/);
  const { document } = await project.replay("--from", "2", "--to", "3", "--json");
  expect(document.events.map(({ seq, type }: { seq: number; type: string }) => [seq, type])).toEqual([
    [2, "skills_indexed"],
    [3, "turn_started"],
  ]);
  for (const [argv, words] of [
    [["--turn", "9"], /has \d+ events in 4 turns/],
    [["--from", "900"], /has \d+ events in 4 turns/],
    [["--step"], /--step needs a terminal/],
    [["--speed", "0"], /--speed/],
  ] as const) {
    const refused = await project.replay(...argv);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toMatch(words);
  }
});

test("whoever steps through a run is asked before each turn, and may leave", async () => {
  await using project = await recordedProject();
  let questions = 0;
  const ask = async () => {
    questions++;
    return "";
  };
  const id = project.runs()[0] as string;
  const replayed = await project.run(["agent", "replay", id, "--step", "--speed", "1000"], {
    ask,
    isTTY: true,
  });
  expect(replayed.exitCode).toBe(0);
  expect(replayed.stdout).toContain("completed: final_answer");
  expect(questions).toBe(5);
});

test("a damaged log is reported as far as it goes, and exit 3", async () => {
  await using project = await recordedProject();
  const lines = project.read(`${project.dir}/events.jsonl`).split("\n");
  project.write(
    ".agent/runs/damaged/events.jsonl",
    [...lines.slice(0, 6), "{broken", ...lines.slice(7)].join("\n"),
  );
  const { exitCode, stdout } = await project.run(["agent", "replay", "damaged"]);
  expect(exitCode).toBe(3);
  expect(stdout).toContain("Turn 1");
  expect(stdout).toContain("LogDamaged");
  const near = await project.run(["agent", "replay", "damagd"]);
  expect(near).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("did you mean damaged?") });
});
