import pc from "picocolors";
import { type Diagnosis, diagnosisTopics } from "../../contract/findings.ts";
import { padWidth, textWidth, wrappedWords } from "../../report/text/text-width.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { visibleText } from "../../shared/text/visible-text.ts";

export interface TextLayout {
  color: boolean;
  /** Columns of the terminal; null where lines are not wrapped. */
  width: number | null;
}

/** What `doctor` found: a block per topic, a line per check, below a red one how to fix it, and how many of each. */
export function diagnosisLines(lines: readonly Diagnosis[], { color, width }: TextLayout): string {
  const paint = pc.createColors(color);
  const nameWidth = Math.max(...lines.map(({ name }) => textWidth(name)));
  const indent = " ".repeat(4 + nameWidth + 2);
  const marks = { ok: paint.green("✓"), note: paint.yellow("!"), bad: paint.red("✗") };

  const diagnosisLine = ({ name, state, found, fix }: Diagnosis): string[] => {
    const [first = "", ...rest] = wrappedWords(
      visibleText(found),
      (width === null || width < narrowest ? Number.POSITIVE_INFINITY : width) - indent.length,
    );
    const shownName = state === "bad" ? paint.bold(padWidth(name, nameWidth)) : padWidth(name, nameWidth);
    return [
      `  ${marks[state]} ${shownName}  ${first}`,
      ...rest.map((more) => `${indent}${more}`),
      // Never wrapped: it is there to be copied.
      ...(fix === null ? [] : [`${indent}${paint.dim(fixLabel[state])}${paint.cyan(visibleText(fix))}`]),
    ];
  };

  const blocks = diagnosisTopics.flatMap((topic) => {
    const inTopic = lines.filter((line) => line.topic === topic);
    return inTopic.length === 0 ? [] : [[paint.bold(topic), ...inTopic.flatMap(diagnosisLine)].join("\n")];
  });
  return `${[...blocks, summaryLine(lines, paint)].join("\n\n")}\n`;
}

/** Narrower terminals get unwrapped lines. */
const narrowest = 50;

const fixLabel: Record<Diagnosis["state"], string> = { ok: "", note: "optional: ", bad: "fix: " };

type Paint = ReturnType<typeof pc.createColors>;

function summaryLine(lines: readonly Diagnosis[], paint: Paint): string {
  const count = (state: Diagnosis["state"]) => lines.filter((line) => line.state === state).length;
  const [ok, note, bad] = [count("ok"), count("note"), count("bad")];
  return [
    paint.green(`${ok} ok`),
    ...(note > 0 ? [paint.yellow(pluralize(note, "note"))] : []),
    bad > 0 ? paint.red(pluralize(bad, "problem")) : "no problems",
  ].join(", ");
}
