import type { CheckResult } from "../../../cases/grade/dimension.ts";
import { checkText } from "../../../cases/grade/expected-text.ts";
import type { AgentEvent } from "../../../contract/agent-event.ts";
import { checkFiles } from "./expected-files.ts";
import { whyHidden } from "./hidden-items.ts";
import { checkPrograms } from "./program-checks.ts";
import { isHashOf, isRecorded, isSameHash, recordedText, wholeText } from "./recorded-text.ts";
import { type RunView, unknownWords } from "./run-view.ts";

/** Whether the final text and files are what the case asks for. */
export async function checkOutput(view: RunView): Promise<CheckResult[]> {
  const checks = [checkFinal(view)];
  const { output } = view.case.expect;
  if (output !== undefined) {
    const isSeen = view.records("final") && !view.isCutShort && whyHidden(view, ["final_answer"]) === null;
    const text = isSeen ? finalText(view) : null;
    if (text === null)
      checks.push({ name: "output", isRequired: true, exercised: false, unseen: silence(view), faults: [] });
    else checks.push(...(await checkText({ ...view.loaded, output }, text, [view.finished])));
  }
  return [...checks, ...(await checkFiles(view)), ...checkPrograms(view)];
}

function silence(view: RunView): string {
  if (!view.records("final")) return unknownWords("final");
  if (view.isCutShort) return "the run ended early";
  return whyHidden(view, ["final_answer"]) ?? "there is no final text";
}

/** The action that answered; null where none did. */
export function answerIn(view: RunView): { planned: AgentEvent<"action_planned">; content: unknown } | null {
  const answers = view
    .of("action_executed")
    .filter(({ data }) => data.started && data.action === "final_answer");
  const last = answers.at(-1);
  const { planned } = (last === undefined ? undefined : view.call(last.data.call_id, last.seq)) ?? {};
  return planned == null ? null : { planned, content: planned.data.action.payload.content };
}

/** The final text: `final.md`, or else the content of the action; null where neither is left. */
function finalText(view: RunView): string | null {
  if (view.run.final !== null) return view.run.final;
  const content = recordedText(answerIn(view)?.content);
  return content === null ? null : wholeText(view.run, content);
}

/** Whether the text at the end is the recorded one, and the one that the action gave. */
function checkFinal(view: RunView): CheckResult {
  const { run, finished } = view;
  const { final } = finished.data;
  const answer = answerIn(view);
  const content = answer === null ? null : recordedText(answer.content);
  const matchesHash = final == null || hasHash(view, content, final.sha256);
  const isAnswer = run.final === null || content === null || isRecorded(content, run.final);
  return {
    name: "final.md matches the recorded answer",
    isRequired: false,
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

/** Compares the bytes of the file where there is one: decoded text may have lost its byte order mark. */
function hasHash({ run }: RunView, content: ReturnType<typeof recordedText>, hash: string): boolean {
  if (run.final !== null) return isHashOf(hash, run.read("final.md") ?? run.final);
  if (content === null) return true;
  return "text" in content ? isHashOf(hash, content.text) : isSameHash(hash, content.sha256);
}
