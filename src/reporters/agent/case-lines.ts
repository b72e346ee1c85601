import pc from "picocolors";
import { countOf } from "../../base/count-of.ts";
import { shownText, visibleText } from "../../base/visible-text.ts";
import type { CaseReport, Failure } from "../../contract/agent-report.ts";
import { alignedLines } from "../aligned-lines.ts";
import { fitWidth, textWidth } from "../text-width.ts";
import type { TextTerms } from "../trigger-skill-lines.ts";
import { caseFacts } from "./case-facts.ts";
import { failureLines, wrapped } from "./cell-lines.ts";
import { caseName, noVerdictWords } from "./cell-words.ts";
import { cellMarks, dimensionMarks, scoreKinds, scoreNames } from "./dimension-words.ts";
import { quotedLines } from "./event-words.ts";
import { scoreWords } from "./score-words.ts";

const indent = "  ";

/** What a grader says about one run, for a terminal: every dimension with its mark, every failure with the lines that show it. */
export function caseLines(
  report: CaseReport,
  { color, width }: { color: boolean; width: number | null },
): string {
  const terms: TextTerms = { paint: pc.createColors(color), width };
  const { paint } = terms;
  const list = (title: string, items: readonly string[]) =>
    items.length === 0
      ? []
      : [paint.dim(title), ...items.flatMap((item) => wrapped(shownText(item, 400), indent, terms))];
  const blocks = [
    headLines(report, terms),
    scoreLines(report, terms),
    failureLines(report, terms, "", (failure) => quoteLines(failure, report, terms)),
    list("not exercised: nothing in the run could have tripped it", report.not_exercised),
    list(countOf(report.warnings.length, "warning"), report.warnings),
    factLines(report, terms),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n");
}

function headLines(report: CaseReport, terms: TextTerms): string[] {
  const { status, run_id, model, trial } = report;
  const { paint, width } = terms;
  const tone = toneOf(status, paint);
  const name = shownText(caseName(report), 160);
  const verdict = status === "invalid" ? "no verdict" : status;
  const about = [run_id === null ? "" : `run ${run_id}`, model === "none" ? "" : model, `trial ${trial}`]
    .filter((word) => word !== "")
    .map((word) => shownText(word, 120))
    .join(", ");
  const head = `${tone(cellMarks[status])} ${paint.bold(name)}  ${tone(verdict)}`;
  const fits = width === null || textWidth(`? ${name}  ${verdict}  ${about}`) <= width;
  const why = status === "invalid" ? wrapped(noVerdictWords(report), indent, terms) : [];
  return [
    ...(fits ? [`${head}  ${paint.dim(about)}`] : [head, `${indent}${paint.dim(about)}`]),
    ...why.map((line) => paint.yellow(line)),
  ];
}

function scoreLines({ scores }: CaseReport, { paint, width }: TextTerms): string[] {
  const names = scoreNames(scoreKinds({ scores }));
  const rows = names.flatMap((name) => {
    const score = scores[name];
    return score === undefined ? [] : [{ name, score }];
  });
  const room =
    width === null ? null : Math.max(20, width - 5 - Math.max(...names.map((name) => name.length)));
  return alignedLines(
    rows.map(({ name, score }) => {
      const words = visibleText(scoreWords(score));
      return [dimensionMarks[score.status], name, room === null ? words : fitWidth(words, room)];
    }),
    {
      paint: (text, at, row) => {
        const status = rows[row]?.score.status ?? "not_applicable";
        if (status === "not_applicable" || (at === 2 && status === "pass")) return paint.dim(text);
        return at === 1 ? text : toneOf(status, paint)(text);
      },
    },
  );
}

function factLines(report: CaseReport, terms: TextTerms): string[] {
  const facts = caseFacts(report);
  if (facts.length === 0) return [];
  return wrapped(facts.join(" · "), "", terms).map((line) => terms.paint.dim(line));
}

function quoteLines(failure: Failure, { quotes }: CaseReport, { paint, width }: TextTerms): string[] {
  const quoted = quotedLines(failure, quotes);
  const numberWidth = Math.max(0, ...quoted.map(({ line }) => String(line).length));
  return quoted.map(({ line, text }) => {
    const head = `${indent}${String(line).padStart(numberWidth)} │ `;
    const shown = visibleText(text);
    return paint.dim(`${head}${width === null ? shown : fitWidth(shown, Math.max(20, width - head.length))}`);
  });
}

type Paint = TextTerms["paint"];

function toneOf(status: string, paint: Paint): (text: string) => string {
  if (status === "pass") return paint.green;
  return status === "fail" ? paint.red : paint.yellow;
}
