import type { Format, ReportView } from "../src/contract/format.ts";
import type { Fact } from "../src/contract/view.ts";
import { cellReason, statusWords } from "../src/report/view/cell-words.ts";
import { intervalKey } from "../src/report/view/interval-words.ts";
import { withNote } from "../src/report/view/show-value.ts";
import { visibleText } from "../src/shared/text/visible-text.ts";

/** TAP, a line per cell: a format of its own, for the test that this file and one line in the table are all it takes. */
export const tapFormat = { format: "tap", extension: "tap", render } satisfies Format;

function* render(view: ReportView): Generator<string> {
  let count = 0;
  yield "TAP version 14\n";
  const of = (name: string, facts: readonly Fact[]) =>
    facts.map((one) => `${name}${one.label}: ${withNote(one)}`);
  const figures = view.subjects.flatMap(({ name, facts }) => of(`${name}: `, facts));
  const { words } = intervalKey(view.subjects.flatMap(({ facts }) => facts));
  const left = [...view.quarantined, ...view.skipped];
  for (const line of [...figures, words ?? "", ...of("", view.facts), ...left]) yield `# ${text(line)}\n`;
  for (const cell of view.results()) {
    const name = [view.subjectOf(cell)?.name ?? "", cell.caseId, `trial ${cell.trial}`].map(text).join(", ");
    yield `${cell.status === "pass" ? "ok" : "not ok"} ${++count} - ${name}: ${statusWords(cell)}\n`;
    if (cell.status !== "pass") for (const line of cellReason(cell).split("\n")) yield `# ${text(line)}\n`;
  }
  yield `1..${count}\n# ${view.verdict.words}\n`;
}

function text(words: string): string {
  return visibleText(words).replaceAll("#", "\\#");
}
