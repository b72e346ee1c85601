import { expect, test } from "vitest";
import { agentDocument } from "../../../test/agent-document.ts";
import { agentReportFile } from "../../../test/agent-report-file.ts";
import { AgentReportFile, type AgentResult } from "../../contract/agent-report.ts";
import { fullAgentReport, fullAgentResults } from "../../reporters/agent/sample-agent-report.ts";

const nameOf = ({ suite, case_id, model, condition, trial }: AgentResult) =>
  JSON.stringify([suite, case_id, model, condition, trial]);
const byName = (results: readonly AgentResult[]) =>
  results.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));

test("every result comes back from the cells as it was, suite by suite and model by model", async () => {
  const report = agentReportFile(JSON.parse(JSON.stringify(await agentDocument(fullAgentResults))));

  expect(AgentReportFile.parse(report)).toEqual(report);
  expect(byName(report.results)).toEqual(byName(fullAgentResults));
  const suites = report.results.map(({ suite }) => suite);
  expect(suites).toEqual([...new Set(suites)].flatMap((suite) => suites.filter((one) => one === suite)));
});

test("figures over the run are those of its cells with skills", async () => {
  const { totals, pass_rate, skipped, run, suite } = agentReportFile(
    await agentDocument(fullAgentResults, { skipped: fullAgentReport.skipped }),
  );

  expect({ totals, skipped, suite }).toEqual({
    totals: fullAgentReport.totals,
    skipped: fullAgentReport.skipped,
    suite: fullAgentReport.suite,
  });
  expect(pass_rate.value).toBe(totals.pass / (totals.pass + totals.fail));
  expect(run.models).toEqual(fullAgentReport.run.models);
});
