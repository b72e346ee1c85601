import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ProbeCheck, Sandbox } from "../../contract/sandbox.ts";
import { errorName } from "./answers.ts";
import type { Bait } from "./bait.ts";
import type { ProbeCpu } from "./call-numbers.ts";
import { type ProbeCall, probeExecutable } from "./executable.ts";
import { fromCurrentFolder, mustFail, nameChecksIn, type PlannedCheck } from "./planned-check.ts";
import type { ProbeSetting } from "./probe-setting.ts";
import { childEnds } from "./process-checks.ts";

const limits = nameChecksIn("limits");

/** Uses up everything it may start: no check that starts a process may come after it. */
export function limitChecks({ inside: { work }, caps }: ProbeSetting): PlannedCheck[] {
  const path = `${work}/.eval-skills-large`;
  const make: ProbeCall = { name: "openat", args: [fromCurrentFolder, path, 0o1 | 0o100, 0o600] };
  const grow: ProbeCall = { name: "ftruncate", args: [make, caps.fileBytes + 1] };
  return [
    mustFail(
      limits("one file past the cap"),
      [
        // The signal that comes with it would end the probe.
        { name: "rt_sigprocmask", args: [0, signalSet(fileTooLarge), 0, 8] },
        make,
        grow,
        { name: "unlinkat", args: [fromCurrentFolder, path, 0] },
      ],
      [grow],
    ),
    oneProcessPastTheCap(caps.processes),
  ];
}

/** Zombies count like running processes, and cost next to nothing. */
function oneProcessPastTheCap(cap: number): PlannedCheck {
  const end: ProbeCall[] = [{ name: "exit", args: [0] }];
  // Some more than the cap: other processes of the same user may end meanwhile, which leaves room for more.
  const starts = Array.from(
    { length: cap + 64 },
    (): ProbeCall => ({ name: "clone", args: [shareMemory | waitForEnd | childEnds], child: end }),
  );
  return {
    ...limits("one process past the cap"),
    expected: "blocked",
    calls: starts,
    judge(answers) {
      const refused = starts.find((start) => answers.of(start) < 0);
      return refused === undefined
        ? { ok: false, seen: `${starts.length} were started` }
        : { ok: true, seen: errorName(answers.of(refused)) };
    },
  };
}

const shareMemory = 0x100; // CLONE_VM
const waitForEnd = 0x4000; // CLONE_VFORK
const fileTooLarge = 25; // SIGXFSZ

function signalSet(signal: number): Buffer {
  return Buffer.from(new BigUint64Array([1n << BigInt(signal - 1)]).buffer);
}

const patienceMs = 30_000;

/** Burns CPU time in a sandbox that allows one second of it. Takes as long, so no run waits for it. */
export async function cpuCheck(sandbox: Sandbox, cpu: ProbeCpu, { skill }: Bait): Promise<ProbeCheck> {
  const file = join(skill.folder, "burner");
  writeFileSync(file, probeExecutable(cpu, burning()), { mode: 0o755 });
  const started = sandbox.start({
    argv: [file],
    cwd: skill.folder,
    folder: skill.folder,
    env: {},
    deadlineMs: patienceMs,
  });
  const patience = new AbortController();
  const ended = await Promise.race([
    started.exited,
    sleep(patienceMs, null, { signal: patience.signal }).catch(() => null),
  ]);
  patience.abort();
  await started.kill();
  return {
    group: "limits",
    name: "one second of CPU past the cap",
    expected: "blocked",
    ok: ended?.limit === "cpu-limit",
    seen: ended === null ? "it went on" : (ended.limit ?? ended.refusal ?? `exit code ${ended.code}`),
  };
}

/** Its result is 0, as a child's would be; and the child's table is its own. */
function burning(): ProbeCall[] {
  const calls: ProbeCall[] = [];
  calls.push({ name: "sched_yield", args: [], child: calls });
  return calls;
}
