import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { ReportFile } from "../src/contract/document.ts";
import { answering, countingTasks, emptyProject, eventually, processesMentioning } from "./built-cli.ts";

export interface KillPlan {
  cells: number;
  /** How often the runner is killed, at most: a run that reaches its end cannot be killed any more. */
  kills: number;
  /** How long after its start, and whether that is counted from its first word or from the moment it was started. */
  afterMs: () => number;
  from: "first word" | "start";
}

/**
 * Kills the runner again and again in one run that is always resumed, and checks what came of it: every cell is there
 * once, none that was shown as done was run again, and every attempt that broke off is listed. Returns the kills there were.
 */
export async function killAndResume({ cells, kills, afterMs, from }: KillPlan): Promise<number> {
  await using project = await emptyProject();
  const dir = await project.skill("quick", rememberingSkill(project.at("calls.log")), {
    config: { type: "subprocess", lifecycle: "persistent" },
  });
  const tasks = await project.write("tasks.json", countingTasks(cells));
  // Without a sandbox, since the skill records its calls beside its folder.
  const first = ["eval", "--skills", "skills/quick", "--tasks", tasks, "--sandbox", "process"];
  const more = ["--concurrency", "4", "--verbose"];
  const report = project.at("reports/eval-result.json");
  const log = project.at("reports/.eval.jsonl");
  /** How often the skill had been called for a task when it was known to be done. */
  const callsWhenDone = new Map<string, number>();
  let next = first;
  let killed = 0;

  while (killed < kills) {
    const started = project.start([...next, ...more]);
    if (from === "first word") await settled(started.says(/cells/));
    await sleep(afterMs());
    started.child.kill("SIGKILL");
    const { code, signal, stderr } = await started.ended;
    next = ["eval", "--resume", "--sandbox", "process"];
    if (signal !== "SIGKILL") {
      expect(code === 0 || hasNothingToResume(stderr), stderr).toBe(true);
      if (existsSync(report)) break;
      next = first; // it was killed before its run was in the store
      continue;
    }
    killed++;
    await eventually(() => processesMentioning(dir).length === 0);
    const calls = countCalls(project.at("calls.log"));
    for (const task of [...shownAsDone(stderr), ...loggedIn(log)])
      if (!callsWhenDone.has(task)) callsWhenDone.set(task, calls.get(task) ?? 0);
  }

  const last = await project.run(["eval", "--resume", "--sandbox", "process"]);
  expect(last.code === 0 || hasNothingToResume(last.stderr), last.stderr).toBe(true);
  if (!existsSync(report)) expect((await project.run(first)).code).toBe(0);
  const results = ReportFile.parse(JSON.parse(readFileSync(report, "utf8"))).cells;
  const calls = countCalls(project.at("calls.log"));
  const names = Array.from({ length: cells }, (_, index) => `t${index + 1}`);
  expect(results.map(({ caseId }) => caseId)).toEqual(names);
  expect(results.filter(({ status }) => status !== "pass")).toEqual([]);
  expect(loggedIn(log).sort()).toEqual([...names].sort());
  expect([...callsWhenDone].filter(([task, count]) => calls.get(task) !== count)).toEqual([]);
  const unlisted = results.filter(({ caseId, attempts }) => (calls.get(caseId) ?? 0) > attempts.length);
  expect(unlisted).toEqual([]);
  for (const { attempts } of results)
    expect(attempts.slice(0, -1).every(({ status }) => status === "interrupted")).toBe(true);
  return killed;
}

/** Answers after a moment and writes down, one line per call, that it was called. */
const rememberingSkill = (log: string) =>
  answering(`
    require("node:fs").appendFileSync("${log}", "t" + input.n + "\\n");
    await new Promise((done) => setTimeout(done, 25));
    return { result: input.n };`);

function countCalls(path: string): Map<string, number> {
  const counts = new Map<string, number>();
  if (!existsSync(path)) return counts;
  for (const task of readFileSync(path, "utf8").trim().split("\n"))
    counts.set(task, (counts.get(task) ?? 0) + 1);
  return counts;
}

function shownAsDone(stderr: string): string[] {
  return Array.from(stderr.matchAll(/ pass quick (t\d+)\b/g), ([, task]) => task as string);
}

/** The tasks of the log's whole lines. */
function loggedIn(path: string): string[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => (JSON.parse(line) as { taskId: string }).taskId);
}

function hasNothingToResume(stderr: string): boolean {
  return stderr.includes("no run to resume");
}

/** Settles also when it ended without output. */
function settled(words: Promise<void>): Promise<void> {
  return words.catch(() => {});
}
