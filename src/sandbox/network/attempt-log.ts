import type { NetworkAttempt } from "../../contract/sandbox.ts";

export interface AttemptLog {
  add(attempt: NetworkAttempt): void;
  /** What was added since the last time. */
  take(): readonly NetworkAttempt[];
}

const maxKept = 32;

/** Keeps what a skill process tried to reach. A flood of attempts is counted instead of kept. */
export function attemptLog(): AttemptLog {
  let kept: NetworkAttempt[] = [];
  let beyond = 0;
  return {
    add: (attempt) => {
      if (kept.length < maxKept) kept.push(attempt);
      else beyond++;
    },
    take: () => {
      const taken = beyond === 0 ? kept : [...kept, uncounted(beyond)];
      kept = [];
      beyond = 0;
      return taken;
    },
  };
}

function uncounted(count: number): NetworkAttempt {
  return { host: "…", port: 0, allowed: false, reason: `${count} more attempts, not listed` };
}
