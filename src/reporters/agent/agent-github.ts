import { countOf } from "../../base/count-of.ts";
import type { AgentReport, AgentResult, AgentResultReader } from "../../contract/agent-report.ts";
import { escapeMarkdown } from "../escape-markdown.ts";
import { type Annotation, workflowCommand } from "../github-command.ts";
import { shortenMiddle } from "../shorten-middle.ts";
import { agentMarkdownSummary } from "./agent-markdown.ts";
import { agentOverview } from "./agent-overview.ts";
import { type CellKinds, cellKinds, cellName, isFailed, noVerdictWords } from "./cell-words.ts";
import { lineWords } from "./event-words.ts";
import { describeAgentGate, describeOpen } from "./gate-words.ts";
import { markdownFailedCells, markdownInvalidCells } from "./markdown-cells.ts";

/** GitHub shows ten annotations of a kind per step and drops the others. */
const annotationsAtMost = 10;
const messageLimit = 400;
const nameLimit = 100;
const listedAtMost = 20;

/** The file of a case that an annotation points to, relative to the workspace; undefined where none fits. */
export type FileOfCase = (suite: string, caseId: string) => string | undefined;

/** The workflow commands that show on GitHub what did not pass: the gates first, then the first cells, then how many more. */
export function* agentAnnotations(
  report: AgentReport,
  results: AgentResultReader,
  fileOf: FileOfCase = () => undefined,
): Generator<string> {
  const level = report.exitCode === 0 ? "warning" : "error";
  const { failed, invalid } = agentOverview(results);
  let room = annotationsAtMost;
  for (const words of verdictsOf(report, invalid)) {
    yield workflowCommand({ level, ...words });
    room--;
  }
  let unsaid = failed + invalid;
  if (unsaid === 0) return;
  const kinds = cellKinds(report);
  for (const result of results()) {
    if (room <= 0 || unsaid === 0) break;
    if (!isFailed(result) && result.status !== "invalid") continue;
    const { suite, case_id } = result;
    yield workflowCommand({ level, ...cellWords(result, kinds), file: fileOf(suite, case_id) });
    room--;
    unsaid--;
  }
  if (unsaid <= 0) return;
  const message = `and ${countOf(unsaid, "more cell")} that did not pass; see the report`;
  yield workflowCommand({ level: "notice", title: "eval-skills agent eval", message });
}

/** The page of the job: the summary, what failed, and what has no verdict. */
export function* agentJobSummary(report: AgentReport, results: AgentResultReader): Generator<string> {
  const overview = agentOverview(results);
  yield* agentMarkdownSummary(report, overview);
  yield* markdownFailedCells(report, results, overview.failed, listedAtMost);
  yield* markdownInvalidCells(report, results, overview.invalid, listedAtMost);
  if (report.files.length > 0) yield `\nFiles: ${report.files.map(escapeMarkdown).join(", ")}\n`;
}

type Words = Pick<Annotation, "title" | "message">;

function verdictsOf(report: AgentReport, invalid: number): Words[] {
  const open = describeOpen(report, invalid);
  return [
    ...(open === null || report.exitCode !== 3 ? [] : [{ title: "No verdict", message: open }]),
    ...report.gates
      .filter(({ passed }) => passed !== true)
      .map((gate) => ({
        title: gate.passed === null ? "Gate inconclusive" : "Gate failed",
        message: describeAgentGate(gate),
      })),
  ];
}

function cellWords(result: AgentResult, kinds: CellKinds): Words {
  const name = shortenMiddle(cellName(result, kinds), nameLimit);
  if (result.status === "invalid")
    return {
      title: `${name}: no verdict`,
      message: shortenMiddle(noVerdictWords(result), messageLimit),
    };
  const [first, ...rest] = result.failures;
  if (first === undefined) return { title: `${name} failed`, message: "failed" };
  const lines = lineWords(first);
  const where = lines === null ? "" : ` (${lines} of ${result.run_dir ?? "the log"})`;
  const more = rest.length === 0 ? "" : `; and ${countOf(rest.length, "more failure")}`;
  return {
    title: `${name}: ${first.dimension} ${shortenMiddle(first.code, nameLimit)}`,
    message: `${shortenMiddle(first.message, messageLimit)}${where}${more}`,
  };
}
