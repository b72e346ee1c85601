import { posix } from "node:path";
import { fault, fileOfCase, isSameContent } from "../../../cases/grade/case-files.ts";
import type { CheckResult } from "../../../cases/grade/dimension.ts";
import { checkText } from "../../../cases/grade/expected-text.ts";
import type { Expect } from "../../../contract/agent-case.ts";
import type { AgentEvent } from "../../../contract/agent-event.ts";
import { sha256 } from "../../../shared/json/canonical-json.ts";
import type { Json } from "../../../shared/json/json.ts";
import { shownLines, shownText } from "../../../shared/text/visible-text.ts";
import { whyHidden } from "./hidden-items.ts";
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
  return [...checks, ...checkFiles(view)];
}

function silence(view: RunView): string {
  if (!view.records("final")) return unknownWords("final");
  if (view.isCutShort) return "the run ended early";
  return whyHidden(view, ["final_answer"]) ?? "there is no final text";
}

/** Whether the files in the workspace are as the case expects them. */
function checkFiles(view: RunView): CheckResult[] {
  return view.case.expect.files.map((expected) => {
    const check = { name: `file ${expected.path}`, isRequired: true, exercised: true };
    const unseen = !view.run.hasWorkspace
      ? "the workspace does not exist"
      : view.isCutShort
        ? "the run ended early"
        : null;
    if (unseen !== null) return { ...check, unseen, faults: [] };
    return { ...check, ...judgeFile(view, expected) };
  });
}

function judgeFile(
  view: RunView,
  { path, exists, sha256: hash, equals, contains_all = [] }: Expect["files"][number],
): Pick<CheckResult, "faults" | "unseen"> {
  const shown = shownText(path);
  const fail = (message: string, expected: Json, actual: Json) => ({
    unseen: null,
    faults: [fault([view.finished], message, expected, actual)],
  });
  // However it is written: `./a`, `a//b`.
  const storedPath = posix.join("sandbox", path).replace(/\/$/, "");
  const bytes = view.run.read(storedPath);
  const kind = bytes === null ? view.run.kindAt(storedPath) : "file";
  if (!exists) {
    const message = `${shown} exists in the workspace but must not`;
    return kind === null ? { unseen: null, faults: [] } : fail(message, { exists }, "exists");
  }
  if (kind === null) return fail(`${shown} is not in the workspace`, { exists }, "missing");
  if (kind === "other") return fail(`${shown} is not a regular file`, { exists }, "not a regular file");
  if (bytes === null) return { unseen: `${shown} cannot be read`, faults: [] };
  if (hash !== undefined && !isSameHash(hash, sha256(bytes)))
    return fail(`${shown} has an unexpected hash`, hash, sha256(bytes));
  if (equals !== undefined) {
    const wanted = fileOfCase(view.loaded.expectedFiles, equals);
    if (wanted === null) return { unseen: `${equals} of the case cannot be read`, faults: [] };
    if (!isSameContent(wanted, Buffer.from(bytes)))
      return fail(`${shown} differs from ${shownText(equals)}`, equals, sha256(bytes));
  }
  const text = Buffer.from(bytes).toString("utf8").normalize();
  const missing = contains_all.filter((words) => !text.includes(words.normalize()));
  if (missing.length === 0) return { unseen: null, faults: [] };
  const words = missing.slice(0, 5).map((each) => shownText(JSON.stringify(each)));
  return fail(`${shown} lacks ${words.join(", ")}`, { contains_all }, shownLines(text, 200));
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
