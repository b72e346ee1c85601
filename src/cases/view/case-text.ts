import pc from "picocolors";
import type { CaseReport } from "../../contract/agent-report.ts";
import type { Block } from "../../contract/view.ts";
import { usd } from "../../report/text/format-numbers.ts";
import { escapeMarkdown } from "../../report/text/markdown.ts";
import { markdownBlock } from "../../report/view/markdown-blocks.ts";
import { blockLines, tonePaint } from "../../report/view/text-blocks.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { checkBlocks, failureBlocks, runFacts } from "./case-blocks.ts";
import { dimensionEnds, noVerdictWords } from "./case-words.ts";

const maxName = 160;
const defaultWidth = 100;

/** What a grader says about one run, for a terminal. */
export function caseLines(
  report: CaseReport,
  { color, width }: { color: boolean; width: number | null },
): string {
  const terms = { paint: pc.createColors(color), width: width ?? defaultWidth };
  const { sign, word, tone } = reportEnd(report);
  const paint = tonePaint(tone, terms);
  const name = terms.paint.bold(shownText(caseName(report), maxName));
  const about = terms.paint.dim(
    aboutRun(report)
      .map((words) => shownText(words, maxName))
      .join(", "),
  );
  const blocks = caseBlocks(report).map((block) => blockLines(block, terms).join("\n"));
  return [`${paint(sign)} ${name}  ${paint(word)}  ${about}`, ...blocks]
    .map((text) => `${text}\n`)
    .join("\n");
}

/** The same as Markdown. */
export function caseMarkdown(report: CaseReport): string {
  const title = `# ${escapeMarkdown(caseName(report))}: ${reportEnd(report).word}`;
  const about = escapeMarkdown(aboutRun(report).join(", "));
  return `${[title, about, ...caseBlocks(report).flatMap((block) => markdownBlock(block))].join("\n\n")}\n`;
}

function caseName({ suite, case_id }: CaseReport): string {
  return `${suite}/${case_id}`;
}

function reportEnd({ status }: CaseReport): (typeof dimensionEnds)["pass"] {
  return status === "invalid" ? { ...dimensionEnds.not_observed, word: "no verdict" } : dimensionEnds[status];
}

function aboutRun({ run_id, model, trial }: CaseReport): string[] {
  return [
    ...(run_id === null ? [] : [`run ${run_id}`]),
    ...(model === "none" ? [] : [model]),
    `trial ${trial}`,
  ];
}

function caseBlocks(report: CaseReport): Block[] {
  const { status, warnings, tallies } = report;
  const facts = [
    ...runFacts(report),
    ...(tallies.cost_usd === null || tallies.cost_usd === 0
      ? []
      : [{ label: "Cost", value: usd(tallies.cost_usd) }]),
  ];
  return [
    ...(status === "invalid"
      ? [{ kind: "text", text: noVerdictWords(report), tone: "warn" } satisfies Block]
      : []),
    ...failureBlocks(report, { named: 0, hasTimeline: false }),
    ...checkBlocks(report, "all"),
    ...(warnings.length === 0
      ? []
      : [{ kind: "text", title: "Warnings", text: warnings.join("\n"), tone: "warn" } satisfies Block]),
    ...(facts.length === 0 ? [] : [{ kind: "facts", title: "Run", facts } satisfies Block]),
  ];
}
