import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { ReportFile } from "../src/contract/document.ts";
import { scripted } from "./agent-project.ts";
import { emptyProject } from "./built-cli.ts";

const cells = 30;

test("kill -9 in the midst of agent runs and --resume: no finished cell runs twice, and the report is as if nothing had happened", async () => {
  await using project = await emptyProject();
  const turn = { action: { type: "final_answer", payload: { content: "done" } }, delay_ms: 50 };
  await project.write("evals/suite.yaml", {
    suite: "desk",
    cases: [scripted("slow", { repeat: cells }, [turn])],
  });
  const line = ["agent", "eval", "evals", "--concurrency", "2", "--format", "json", "--verbose"];

  const started = project.start(line);
  await started.says(/(?: pass .*){3}/s);
  started.child.kill("SIGKILL");
  const { signal } = await started.ended;

  expect(signal).toBe("SIGKILL");
  const finished = readFileSync(project.at("reports/.eval.jsonl"), "utf8")
    .split("\n")
    .slice(0, -1)
    .map((text) => JSON.parse(text).cellKey as string);
  expect(finished.length).toBeGreaterThan(0);
  expect(finished.length).toBeLessThan(cells);

  const resumed = await project.run(["agent", "eval", "--resume", "--json"]);

  expect(resumed.code, resumed.stderr).toBe(0);
  const runCounts = new Map<unknown, number>();
  for (const name of readdirSync(project.at(".agent/runs"))) {
    const [first] = readFileSync(project.at(".agent/runs", name, "events.jsonl"), "utf8").split("\n");
    if (!first) continue; // it was killed before its first word
    const { cell_key } = JSON.parse(first).data;
    runCounts.set(cell_key, (runCounts.get(cell_key) ?? 0) + 1);
  }
  expect(runCounts.size).toBe(cells);
  expect(finished.filter((key) => runCounts.get(key) !== 1)).toEqual([]);
  const whole = await project.run([...line, "--json"]);
  expect(timeless(resumed.document)).toEqual(timeless(whole.document));
});

/** A report without what the clock and chance decide. */
function timeless({ run, cells, subjects, files: _, ...rest }: ReportFile): object {
  return {
    ...rest,
    run: { ...run, id: "", startedAt: "", finishedAt: "", concurrency: 0 },
    subjects: subjects.map(({ counts, details }) => ({ counts, details })),
    cells: cells.map(({ key, trial, status, score, reason }) => ({ key, trial, status, score, reason })),
  };
}
