import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ProbeCheck } from "../../contract/probe.ts";
import type { Sandbox } from "../../contract/sandbox.ts";
import type { Bait } from "./bait.ts";
import type { ProbeCpu } from "./call-numbers.ts";
import { type ProbeCall, probeExecutable } from "./executable.ts";

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
