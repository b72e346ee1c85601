import type { Judge } from "../../contract/judge.ts";
import type { QueryLine } from "../../contract/trigger-report.ts";
import type { ReadyTriggers } from "../../levels/trigger/prepare.ts";
import type { TriggerSuiteOptions } from "../../levels/trigger/request.ts";
import { type JudgingContext, judgeInTemporaryStore } from "./judge-in-temporary-store.ts";

/** Asks judges that may contradict themselves a second time, as further repetitions, so that nothing kept answers for them. */
export async function judgeAgain(
  ready: ReadyTriggers,
  pass: Pick<TriggerSuiteOptions, "seed" | "timeoutMs">,
  world: JudgingContext,
): Promise<QueryLine[]> {
  const subjects = ready.subjects.flatMap((subject) => {
    const { judge, repeats } = subject;
    return judge === null || judge.isDeterministic ? [] : [{ ...subject, judge: after(repeats, judge) }];
  });
  return subjects.length === 0 ? [] : judgeInTemporaryStore({ ...ready, subjects }, pass, world);
}

function after(repeats: number, judge: Judge): Judge {
  return {
    ...judge,
    judge: (question, signal) => judge.judge({ ...question, repeat: question.repeat + repeats }, signal),
  };
}
