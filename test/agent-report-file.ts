import type { AgentReportFile } from "../src/contract/agent-report.ts";
import { subjectName } from "../src/contract/cell.ts";
import type { ReportFile } from "../src/contract/document.ts";
import { agentShape } from "../src/run/legacy/agent-shape.ts";

/** A report document of `agent eval` as writers of reports read it, with all its results. */
export function agentReportFile({ cells, ...document }: ReportFile): AgentReportFile {
  const { report, results } = agentShape(document, (filter = {}) =>
    cells
      .filter(
        (cell) =>
          (filter.level === undefined || cell.level === filter.level) &&
          (filter.suite === undefined || cell.suite === filter.suite) &&
          (filter.subject === undefined || subjectName(cell) === filter.subject),
      )
      .map((cell) => JSON.stringify(cell)),
  );
  return { ...report, results: [...results()] };
}
