import type { ProbeCheck, ProbeGroup } from "../../contract/sandbox.ts";
import { errorName, type ProbeAnswers, readIntoScratch, reportContent } from "./answers.ts";
import type { ProbeCall } from "./executable.ts";

/** A check before it is run: its calls, and how to interpret their results. */
export interface PlannedCheck extends Pick<ProbeCheck, "group" | "name" | "expected"> {
  calls: readonly ProbeCall[];
  judge(answers: ProbeAnswers): Pick<ProbeCheck, "ok" | "seen">;
}

type Subject = Pick<PlannedCheck, "group" | "name">;

/** At least one of the calls must be refused. */
export function mustFail(subject: Subject, calls: readonly ProbeCall[], decisive = calls): PlannedCheck {
  return {
    ...subject,
    expected: "blocked",
    calls,
    judge(answers) {
      const refusal = firstError(answers, decisive);
      return { ok: refusal !== null, seen: refusal ?? "it worked" };
    },
  };
}

/** All of the calls must succeed. */
export function mustWork(subject: Subject, calls: readonly ProbeCall[]): PlannedCheck {
  return {
    ...subject,
    expected: "works",
    calls,
    judge(answers) {
      const refusal = firstError(answers, calls);
      return { ok: refusal === null, seen: refusal };
    },
  };
}

/** None of these files may contain the canary; they may exist and be empty. */
export function mustNotShow(subject: Subject, paths: readonly string[], canary: string): PlannedCheck {
  const readings = paths.map((path) => readFile(path));
  return {
    ...subject,
    expected: "blocked",
    calls: readings.flatMap(({ calls }) => calls),
    judge(answers) {
      const shown = paths.filter((_, index) => readings[index]?.content(answers).includes(canary));
      if (shown.length > 0) return { ok: false, seen: `${shown.join(", ")} was read` };
      return {
        ok: true,
        seen:
          firstError(
            answers,
            readings.map(({ calls: [open] }) => open),
          ) ?? "not in it",
      };
    },
  };
}

/** The calls that send the content of a file to the runner. */
function readFile(path: string) {
  const open: ProbeCall = { name: "openat", args: [fromCurrentFolder, path, readOnly] };
  const read = readIntoScratch(open);
  return {
    calls: [open, read, reportContent(read)] as const,
    content: (answers: ProbeAnswers) => answers.contentReadBy(read),
  };
}

export function firstError(answers: ProbeAnswers, calls: readonly ProbeCall[]): string | null {
  for (const call of calls) {
    const error = errorName(answers.of(call));
    if (error !== null) return error;
  }
  return null;
}

export function nameChecksIn(group: ProbeGroup) {
  return (name: string): Subject => ({ group, name });
}

export const fromCurrentFolder = -100; // AT_FDCWD
const readOnly = 0;
