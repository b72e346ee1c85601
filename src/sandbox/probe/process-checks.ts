import type { ProbeCheck } from "../../contract/sandbox.ts";
import { stayAndEnd } from "./answers.ts";
import type { ProbeCall } from "./executable.ts";
import { fromCurrentFolder, mustFail, mustNotShow, type PlannedCheck, subjectsOf } from "./planned-check.ts";
import type { ProbeSetting } from "./probe-setting.ts";

const processes = subjectsOf("processes");
export const childEnds = 17; // SIGCHLD: tell the parent when it ended
const standardError = 2;

/** What the daemon says once it is on its own; whoever starts the probe waits for it. */
export const daemonWord = "daemon\n";

/** Other processes of the machine. */
export function processChecks({ bait: { hostPid } }: ProbeSetting): PlannedCheck[] {
  return [
    mustFail(processes("see a process of the machine"), [
      { name: "openat", args: [fromCurrentFolder, `/proc/${hostPid}`, 0] },
    ]),
    mustFail(processes("signal a process of the machine"), [{ name: "kill", args: [hostPid, 0] }]),
  ];
}

/** A child that leaves its session and its parent behind: what the end of a sandbox must still find. */
export function daemonStart(): ProbeCall[] {
  const daemon: ProbeCall[] = [
    { name: "write", args: [standardError, daemonWord, daemonWord.length] },
    ...stayAndEnd,
  ];
  const between: ProbeCall[] = [
    { name: "setsid", args: [] },
    { name: "clone", args: [childEnds], child: daemon },
    { name: "exit_group", args: [0] },
  ];
  const start: ProbeCall = { name: "clone", args: [childEnds], child: between };
  // Waited for: the daemon must be there before the checks of limits leave no room for it.
  return [start, { name: "wait4", args: [start, 0, 0, 0] }];
}

/** What came of the daemon when its sandbox was ended: only whoever stands outside can tell. */
export function daemonCheck(wasHeard: boolean, survived: boolean): ProbeCheck {
  return {
    ...processes("leave a daemon behind"),
    expected: "blocked",
    ok: wasHeard && !survived,
    seen: wasHeard
      ? survived
        ? "it outlived its sandbox"
        : "it ended with its sandbox"
      : "it did not start",
  };
}

const environment = subjectsOf("environment");

/** Where a variable of the runner could be read. */
export function environmentChecks({ bait: { canary, hostPid } }: ProbeSetting): PlannedCheck[] {
  const variablesOf = (pid: string | number) => [`/proc/${pid}/environ`];
  return [
    mustNotShow(environment("read the runner's variables in its own"), variablesOf("self"), canary),
    mustNotShow(environment("read the runner's variables in process 1"), variablesOf(1), canary),
    mustNotShow(environment("read the variables of another process"), variablesOf(hostPid), canary),
  ];
}
