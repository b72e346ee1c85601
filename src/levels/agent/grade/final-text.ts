import type { CheckResult } from "../../../cases/grade/dimension.ts";
import type { AgentEvent } from "../../../contract/agent-event.ts";
import { isHashOf, isRecorded, isSameHash, recordedText, wholeText } from "./recorded-text.ts";
import type { RunView } from "./run-view.ts";

/** The action that answered; null where none did. */
export function answerIn(view: RunView): { planned: AgentEvent<"action_planned">; content: unknown } | null {
  const answers = view
    .of("action_executed")
    .filter(({ data }) => data.started && data.action === "final_answer");
  const last = answers.at(-1);
  const { planned } = (last === undefined ? undefined : view.call(last.data.call_id, last.seq)) ?? {};
  return planned == null ? null : { planned, content: planned.data.action.payload.content };
}

/** What a run ended with: `final.md`, or, without the file, what the action said; null where neither is left. */
export function finalText(view: RunView): string | null {
  if (view.run.final !== null) return view.run.final;
  const content = recordedText(answerIn(view)?.content);
  return content === null ? null : wholeText(view.run, content);
}

/** Whether the text at the end is the recorded one, and the one that the action gave. */
export function checkFinal(view: RunView): CheckResult {
  const { run, finished } = view;
  const { final } = finished.data;
  const answer = answerIn(view);
  const content = answer === null ? null : recordedText(answer.content);
  const matchesHash = final == null || hasHash(view, content, final.sha256);
  const isAnswer = run.final === null || content === null || isRecorded(content, run.final);
  return {
    name: "final.md matches the recorded answer",
    asked: false,
    exercised: true,
    unseen:
      run.final === null && content === null
        ? "there is no final text"
        : final == null
          ? "the hash of the final text was not recorded"
          : null,
    faults:
      matchesHash && isAnswer
        ? []
        : [
            {
              code: "FinalHashMismatch",
              message: matchesHash
                ? "final.md differs from the content of final_answer"
                : "the hash of the final text differs from the one in run_finished",
              expected: matchesHash ? "the content of final_answer" : (final?.sha256 ?? null),
              actual: "another text",
              at: answer === null ? [finished] : [answer.planned, finished],
            },
          ],
  };
}

/** The bytes of the file where there is one: a text may have lost its beginning mark. */
function hasHash({ run }: RunView, content: ReturnType<typeof recordedText>, hash: string): boolean {
  if (run.final !== null) return isHashOf(hash, run.read("final.md") ?? run.final);
  if (content === null) return true;
  return "text" in content ? isHashOf(hash, content.text) : isSameHash(hash, content.sha256);
}
