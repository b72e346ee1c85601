import { errorName } from "./answers.ts";
import type { ProbeCall } from "./executable.ts";
import { fromCurrentFolder, mustFail, type PlannedCheck, subjectsOf } from "./planned-check.ts";
import type { ProbeSetting } from "./probe-setting.ts";
import { childEnds } from "./process-checks.ts";

const limits = subjectsOf("limits");

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

/** Children that ended and were not asked for count like living ones, and cost next to nothing. */
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
