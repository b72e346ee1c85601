import type { AgentReportFile, AgentResult, DimensionScore } from "../contract/agent-report.ts";
import { AgentDocument } from "./agent-report-schema.ts";
import { checkReport } from "./check-report.ts";

/** A document of `agent eval` as a report, filled up with what it leaves out: `pass` says what the status says. */
export function agentReport(value: object, shownPath: string): AgentReportFile {
  const document = checkReport(value, AgentDocument, shownPath);
  const results = document.results as AgentResult[];
  for (const result of results) {
    result.pass = passOf(result.status);
    for (const score of Object.values(result.scores))
      if (score !== undefined) score.pass = passOf(score.status);
  }
  return { ...document, results } as AgentReportFile;
}

function passOf(status: DimensionScore["status"] | AgentResult["status"]): boolean | null {
  return status === "pass" ? true : status === "fail" ? false : null;
}
