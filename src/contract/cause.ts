/** What a skill did wrong: counts against the skill. `true` where another attempt may help. */
const skillFaults = {
  "spawn-failed": true,
  crash: true,
  "no-response": true,
  connection: true,
  "http-status": true,
  "rpc-error": true,
  "tool-error": true,
  "module-error": true,
  "bad-response": false,
  "redirect-refused": false,
  "tool-missing": false,
  "tool-crashed": true,
  "tool-failed": false,
  "bad-arguments": false,
  "bad-result": false,
  "result-too-large": false,
  "output-limit": false,
  "memory-limit": false,
  "cpu-limit": false,
  "process-limit": false,
  "disk-limit": false,
} as const;

export type SkillFault = keyof typeof skillFaults;

/** Faults that a skill reports itself, in the words of its protocol. An expectation of an error means these unless it names another. */
export const reportedFaults = [
  "rpc-error",
  "http-status",
  "tool-error",
  "module-error",
  "bad-arguments",
  "tool-failed",
  "tool-missing",
  "bad-result",
  "result-too-large",
] as const satisfies readonly SkillFault[];

/** What we could not find out: the cell is invalid, its score null, and nobody is blamed. */
const harnessFaults = [
  "judge-unavailable",
  "judge-unparseable",
  "judge-unreliable",
  "scorer-crashed",
  "scorer-timeout",
  "scorer-bad-result",
  "scorer-contradiction",
  "sandbox-refused",
  "sandbox-hid",
  "skill-changed",
  "scorer-changed",
  "input-changed",
  "setup-failed",
  "service-failed",
  "contaminated",
  "undecided",
  "judge-error",
  "uncalibrated",
  "no-verdict",
  "not-observed",
  "not-examined",
  "model-unavailable",
  "cassette-miss",
  "log-damaged",
  "agent-failed",
  "provider-error",
  "budget",
] as const;
export type HarnessFault = (typeof harnessFaults)[number];

/** Every code a single cell can end with. `deadline` is the clock's word alone. */
export type CauseCode = SkillFault | HarnessFault | "deadline";
export const causeCodes: readonly CauseCode[] = [
  ...(Object.keys(skillFaults) as SkillFault[]),
  ...harnessFaults,
  "deadline",
];

/**
 * Causes that no share accepts: a skill can bring them about, and would get rid of whatever it fails; or no verdict of the
 * run can be relied on.
 */
export const neverAccepted: ReadonlySet<CauseCode> = new Set<HarnessFault>([
  "sandbox-hid",
  "skill-changed",
  "scorer-changed",
  "input-changed",
  "setup-failed",
  "service-failed",
  "judge-unreliable",
  "not-examined",
]);

/** Whether a fault of this kind may pass on another attempt. */
export function mayPassOnRetry(cause: SkillFault): boolean {
  return skillFaults[cause];
}
