import type { CheckResult } from "../../../cases/grade/dimension.ts";
import { checkText } from "../../../cases/grade/expected-text.ts";
import { checkFiles } from "./expected-files.ts";
import { checkFinal, finalText } from "./final-text.ts";
import { type RunView, unknownWords } from "./run-view.ts";

/** Whether the text and the files at the end are what the case asks for. No taste is involved. */
export async function checkOutput(view: RunView): Promise<CheckResult[]> {
  const checks = [checkFinal(view)];
  const { output } = view.case.expect;
  if (output !== undefined) {
    const text = view.records("final") && !view.isCutShort ? finalText(view) : null;
    if (text === null)
      checks.push({ name: "output", asked: true, exercised: false, unseen: silence(view), faults: [] });
    else checks.push(...(await checkText({ ...view.loaded, output }, text, [view.finished])));
  }
  return [...checks, ...checkFiles(view)];
}

function silence(view: RunView): string {
  if (!view.records("final")) return unknownWords("final");
  return view.isCutShort ? "the run ended early" : "there is no final text";
}
