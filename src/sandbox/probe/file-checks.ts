import type { ProbeCall } from "./executable.ts";
import type { PlannedCheck } from "./planned-check.ts";
import { fromCurrentFolder, mustFail, mustNotShow, mustWork, nameChecksIn } from "./planned-check.ts";
import type { ProbeSetting } from "./probe-setting.ts";

const files = nameChecksIn("files");

/** What may be read and written. */
export function fileChecks({ bait, home, inside }: ProbeSetting): PlannedCheck[] {
  const word = bait.canary;
  const inSkill = (name: string) => `${inside.skill}/${name}`;
  return [
    mustFail(files("write to the home folder"), ...writing(home.folder, word)),
    mustFail(files("write to /etc"), ...writing("/etc", word)),
    mustFail(files("write to the machine's temporary folder"), ...writing(bait.folder, word)),
    mustFail(files("write to /"), ...writing("", word)),
    mustFail(files("write to /dev"), ...writing("/dev", word)),
    mustFail(files("write to the skill folder"), ...writing(inside.skill, word)),
    mustFail(files("read in the home folder"), [open(`${home.folder}/${home.entry}`)]),
    mustFail(files("read /etc/shadow"), [open("/etc/shadow")]),
    mustNotShow(files("read the machine's temporary files"), [`${bait.folder}/canary`], word),
    mustNotShow(files("read eval material"), bait.skill.masked.map(inSkill), word),
    mustNotShow(files("read a hidden file in the skill folder"), [inSkill("hidden.json")], word),
    mustWork(files("read the skill folder"), [open(inSkill("README.md"))]),
    mustWork(files("write to the work folder"), writing(inside.work, word)[0]),
    mustWork(files("write to /tmp"), writing(inside.temporary, word)[0]),
  ];
}

/** Makes a file and takes it away again; only the making decides. */
function writing(folder: string, word: string): [calls: ProbeCall[], decisive: ProbeCall[]] {
  const path = `${folder}/.eval-skills-${word}`;
  const make: ProbeCall = { name: "openat", args: [fromCurrentFolder, path, makeNew, 0o600] };
  return [[make, { name: "unlinkat", args: [fromCurrentFolder, path, 0] }], [make]];
}

function open(path: string): ProbeCall {
  return { name: "openat", args: [fromCurrentFolder, path, readOnly] };
}

const makeNew = 0o1 | 0o100 | 0o200; // O_WRONLY | O_CREAT | O_EXCL
const readOnly = 0;
