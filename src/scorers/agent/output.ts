import type { Look } from "./dimension.ts";
import { lookAtFiles } from "./expected-files.ts";
import { lookAtText } from "./expected-text.ts";
import { finalText, lookAtFinal } from "./final-text.ts";
import { type RunView, unknownWords } from "./run-view.ts";

/** Whether the text and the files at the end are what the case asks for. No taste is involved. */
export async function lookAtOutput(view: RunView): Promise<Look[]> {
  const looks = [lookAtFinal(view)];
  const { output } = view.case.expect;
  if (output !== undefined) {
    const text = view.tells("final") && !view.isCutShort ? finalText(view) : null;
    if (text === null)
      looks.push({ name: "output", asked: true, exercised: false, unseen: silence(view), faults: [] });
    else looks.push(...(await lookAtText({ ...view.loaded, output }, text, [view.finished])));
  }
  return [...looks, ...lookAtFiles(view)];
}

function silence(view: RunView): string {
  if (!view.tells("final")) return unknownWords("final");
  return view.isCutShort ? "the run ended before its time" : "there is no final text";
}
