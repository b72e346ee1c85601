import { stayAndEnd } from "./answers.ts";
import type { ProbeCall } from "./executable.ts";
import { fromCurrentFolder, mustFail, mustWork, nameChecksIn, type PlannedCheck } from "./planned-check.ts";
import type { ProbeSetting } from "./probe-setting.ts";
import { childEnds } from "./process-checks.ts";

const privileges = nameChecksIn("privileges");
const newUserNamespace = 0x1000_0000;
const thread = 0x100 | 0x200 | 0x400 | 0x800 | 0x1_0000 | 0x4_0000; // memory, folders, files, signals; of the same process
const seize = 0x4206; // PTRACE_SEIZE: does not stop what it watches
const detach = 2; // MNT_DETACH
const killNow = 9;

/** What would give a process power over the kernel or over others; and what every program needs. */
export function privilegeChecks({ inside: { work } }: ProbeSetting): PlannedCheck[] {
  const user: ProbeCall = { name: "getuid", args: [] };
  const child: ProbeCall = { name: "clone", args: [childEnds], child: stayAndEnd };
  const endThread: ProbeCall[] = [{ name: "exit", args: [0] }];
  const endChild: ProbeCall[] = [{ name: "exit_group", args: [0] }];
  const mountPoint = `${work}/.eval-skills-mount`;
  const mount: ProbeCall = { name: "mount", args: ["none", mountPoint, "tmpfs", 0, 0] };
  const watch: ProbeCall = { name: "ptrace", args: [seize, child, 0, 0] };
  const nested: ProbeCall = { name: "clone", args: [newUserNamespace | childEnds], child: endChild };
  return [
    {
      ...privileges("be root"),
      expected: "blocked",
      calls: [user],
      judge: (answers) => ({ ok: answers.of(user) !== 0, seen: `uid ${answers.of(user)}` }),
    },
    mustWork(privileges("start a thread"), [
      { name: "clone", args: [thread, { memory: "stack" }], child: endThread },
    ]),
    mustWork(privileges("start a child process"), [child]),
    mustFail(
      privileges("trace another process with ptrace"),
      [watch, { name: "kill", args: [child, killNow] }],
      [watch],
    ),
    mustFail(
      privileges("mount a file system"),
      [
        { name: "mkdirat", args: [fromCurrentFolder, mountPoint, 0o700] },
        mount,
        { name: "umount2", args: [mountPoint, detach] },
      ],
      [mount],
    ),
    mustFail(privileges("start a process in a user namespace of its own"), [nested]),
  ];
}

/** Changes who the probe is, where it works; nothing may come after it. */
export function enterUserNamespace(): PlannedCheck {
  return mustFail(privileges("enter a user namespace of its own"), [
    { name: "unshare", args: [newUserNamespace] },
  ]);
}
