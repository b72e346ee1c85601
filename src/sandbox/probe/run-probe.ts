import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ProbeCheck, probeGroups, type Sandbox, type SkillProcess } from "../../contract/sandbox.ts";
import { informativeLine } from "../../shared/text/informative-line.ts";
import { readProcessFile } from "../host/process-tree.ts";
import { type ProbeAnswers, readAnswers, reportingProgram } from "./answers.ts";
import type { ProbeCpu } from "./call-numbers.ts";
import { type ProbeCall, probeExecutable } from "./executable.ts";
import { fileChecks } from "./file-checks.ts";
import { limitChecks } from "./limit-checks.ts";
import { networkChecks } from "./network-checks.ts";
import type { PlannedCheck } from "./planned-check.ts";
import { enterUserNamespace, privilegeChecks } from "./privilege-checks.ts";
import type { ProbeSetting } from "./probe-setting.ts";
import { daemonCheck, daemonStart, daemonWord, environmentChecks, processChecks } from "./process-checks.ts";

/** The findings of a probe, or why it did not run. */
export type ProbeEnd = { checks: readonly ProbeCheck[] } | { refusal: string };

const patienceMs = 5000;

/** Starts the probe in a sandbox like a skill, reads its results, and ends it. */
export async function runProbe(sandbox: Sandbox, cpu: ProbeCpu, setting: ProbeSetting): Promise<ProbeEnd> {
  const { bait } = setting;
  const { checks, calls } = planChecks(setting);
  const file = join(bait.skill.folder, "probe");
  writeFileSync(file, probeExecutable(cpu, reportingProgram(calls)), { mode: 0o755 });
  // Not the canary itself, which must not be in the environment of the probe.
  const word = `${bait.canary}`.replace("canary", "probe");
  const started = sandbox.start({
    argv: [file],
    cwd: bait.skill.folder,
    folder: bait.skill.folder,
    env: { EVAL_SKILLS_PROBE: word },
    deadlineMs: patienceMs,
  });
  const received = await listen(started, calls);
  await started.kill();
  if ("refusal" in received) return received;
  const survived = await anySurvivor(word, bait.hostPid);
  const all: ProbeCheck[] = checks.map(({ group, name, expected, judge }) => ({
    group,
    name,
    expected,
    ...judge(received.answers),
  }));
  all.push(daemonCheck(received.hasDaemon, survived));
  return { checks: probeGroups.flatMap((group) => all.filter((check) => check.group === group)) };
}

type ProbeReport = { answers: ProbeAnswers; hasDaemon: boolean } | { refusal: string };

async function listen(started: SkillProcess, calls: readonly ProbeCall[]): Promise<ProbeReport> {
  const output = { stdout: Buffer.alloc(0), stderr: "" };
  const answers = new Promise<ProbeAnswers>((done) => {
    started.stdout.on("data", (chunk: Buffer) => {
      output.stdout = Buffer.concat([output.stdout, chunk]);
      const answers = readAnswers(calls, output.stdout);
      if (answers !== null) done(answers);
    });
  });
  const daemon = new Promise<true>((done) => {
    started.stderr.on("data", (chunk: Buffer) => {
      output.stderr += chunk.toString("latin1");
      if (output.stderr.includes(daemonWord)) done(true);
    });
  });
  const silence = new Promise((done) => started.stderr.once("close", done));
  const ended = started.started.then(
    () => started.exited,
    (error: Error) => ({ refusal: error.message }),
  );
  const timeout = new AbortController();
  const after = <Value>(ms: number, value: Value) =>
    sleep(ms, value, { signal: timeout.signal }).catch(() => value);
  try {
    const first = await Promise.race([answers, ended, after(patienceMs, null)]);
    if (first === null) return { refusal: `no answer within ${patienceMs} ms` };
    // It has started by then, but on a busy machine its message may come late.
    if ("of" in first)
      return { answers: first, hasDaemon: await Promise.race([daemon, after(patienceMs, false)]) };
    // The message of bubblewrap explains more than its exit; it may still be in the pipe.
    await Promise.race([silence, after(500, null)]);
    return {
      refusal: informativeLine(output.stderr) || (first.refusal ?? "the probe ended without an answer"),
    };
  } finally {
    timeout.abort();
  }
}

/** Everything a probe tries, in an order in which no check disturbs a later one. */
function planChecks(setting: ProbeSetting): { checks: PlannedCheck[]; calls: ProbeCall[] } {
  const { network } = setting.bait;
  const before = [
    ...fileChecks(setting),
    ...environmentChecks(setting),
    ...(network === null ? [] : networkChecks(network, setting.proxyPort)),
    ...processChecks(setting),
    ...privilegeChecks(setting),
  ];
  const after = [...limitChecks(setting), enterUserNamespace()];
  const collectCalls = (checks: readonly PlannedCheck[]) => checks.flatMap(({ calls }) => calls);
  return {
    checks: [...before, ...after],
    calls: [...collectCalls(before), ...daemonStart(), ...collectCalls(after)],
  };
}

/**
 * Whether anything with this word in its environment is still there. The kernel takes a moment to end a namespace,
 * so it gets one. Only processes younger than `sincePid` are looked at.
 */
async function anySurvivor(word: string, sincePid: number): Promise<boolean> {
  for (let pauseMs = 1; pauseMs < 600; pauseMs *= 2) {
    if (!isThere(word, sincePid)) return false;
    await sleep(pauseMs);
  }
  return isThere(word, sincePid);
}

function isThere(word: string, sincePid: number): boolean {
  // When the kernel has begun to count from the start again, numbers say nothing about age.
  const newest = Number(readProcessFile("/proc/loadavg")?.trim().split(" ").at(-1) ?? 0);
  const isYoung = (pid: number) => pid > sincePid || newest < sincePid;
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && isYoung(pid))
    .some((pid) => readEnvironment(pid)?.includes(word));
}

function readEnvironment(pid: number): Buffer | null {
  try {
    return readFileSync(`/proc/${pid}/environ`);
  } catch {
    return null;
  }
}
