import type { ProbeCheck } from "../../contract/sandbox.ts";
import { stayAndEnd } from "./answers.ts";
import type { ProbeCall } from "./executable.ts";
import {
  fromCurrentFolder,
  mustFail,
  mustNotShow,
  nameChecksIn,
  type PlannedCheck,
} from "./planned-check.ts";
import type { ProbeSetting } from "./probe-setting.ts";

const processes = nameChecksIn("processes");
export const childEnds = 17; // SIGCHLD: notify the parent of the end
const standardError = 2;

/** The message of the daemon once it is detached; the runner waits for it. */
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

/** A child that detaches from its session and its parent; the end of the sandbox must still kill it. */
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

/** Whether the daemon ended with its sandbox, which can only be checked from outside. */
export function daemonCheck(hasReported: boolean, survived: boolean): ProbeCheck {
  return {
    ...processes("leave a daemon behind"),
    expected: "blocked",
    ok: hasReported && !survived,
    seen: hasReported
      ? survived
        ? "it outlived its sandbox"
        : "it ended with its sandbox"
      : "it did not start",
  };
}

const environment = nameChecksIn("environment");

/** Where a variable of the runner could be read. */
export function environmentChecks({ bait: { canary, hostPid } }: ProbeSetting): PlannedCheck[] {
  const environmentFiles = (pid: string | number) => [`/proc/${pid}/environ`];
  return [
    mustNotShow(environment("read the runner's variables in its own"), environmentFiles("self"), canary),
    mustNotShow(environment("read the runner's variables in process 1"), environmentFiles(1), canary),
    mustNotShow(environment("read the variables of another process"), environmentFiles(hostPid), canary),
  ];
}
