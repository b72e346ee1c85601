import { useMemo, useState } from "preact/hooks";
import type { AgentReportFile } from "../src/contract/agent-report.ts";
import { agentRunFacts } from "../src/reporters/agent/agent-facts.ts";
import { agentOverview } from "../src/reporters/agent/agent-overview.ts";
import { caseName, cellKinds } from "../src/reporters/agent/cell-words.ts";
import { conversationFacts, conversationsOver } from "../src/reporters/agent/conversation-facts.ts";
import { scoreNames } from "../src/reporters/agent/dimension-words.ts";
import { metricFacts } from "../src/reporters/agent/metric-facts.ts";
import { AgentHeader } from "./agent-header.tsx";
import { AgentMetricsSection } from "./agent-metrics.tsx";
import { everyResult, type ResultChoice } from "./choose-results.ts";
import { FactList } from "./fact-list.tsx";
import { Notices } from "./notices.tsx";
import { PageFooter } from "./page-footer.tsx";
import { ResultTable } from "./result-table.tsx";
import { StrangerText } from "./stranger-text.tsx";
import { SuiteTable } from "./suite-table.tsx";

const skippedAtMost = 200;

/** A report of `agent eval` on one page; knows nothing of where the report comes from. */
export function AgentPage({ report, isPrinting }: { report: AgentReportFile; isPrinting: boolean }) {
  const [choice, setChoice] = useState<ResultChoice>(everyResult);
  const { results, skipped, metrics, conversations } = report;
  const overview = useMemo(() => agentOverview(() => results), [results]);
  const kinds = useMemo(() => cellKinds(report), [report]);
  const names = useMemo(() => scoreNames(overview.has), [overview]);

  function showSuite(suite: string): void {
    setChoice({ ...everyResult, suite });
    document.getElementById("results")?.scrollIntoView();
  }

  return (
    <>
      <AgentHeader report={report} invalid={overview.invalid} />
      <main>
        <Notices invalid={null} warnings={report.warnings} isPrinting={isPrinting} />
        {overview.suites.size > 1 && (
          <section aria-labelledby="suites-title">
            <h2 id="suites-title">Suites</h2>
            <SuiteTable suites={overview.suites} onChoose={showSuite} />
          </section>
        )}
        <section id="results" aria-labelledby="results-title">
          <h2 id="results-title">Cells</h2>
          <ResultTable
            results={results}
            names={names}
            kinds={kinds}
            choice={choice}
            onChoice={setChoice}
            isPrinting={isPrinting}
          />
          {skipped.length > 0 && (
            <p class="skipped">
              <strong>Skipped by level:</strong>{" "}
              <StrangerText text={skipped.slice(0, skippedAtMost).map(caseName).join(", ")} />
              {skipped.length > skippedAtMost && ` and ${skipped.length - skippedAtMost} more`}
            </p>
          )}
        </section>
        {conversations !== undefined && (
          <AgentMetricsSection
            id="conversations-title"
            title="Conversations"
            over={conversationsOver(conversations)}
            facts={conversationFacts(conversations)}
          />
        )}
        {metrics !== null && (
          <AgentMetricsSection
            id="metrics-title"
            title="Metrics"
            over="Over the cells of real models, with skills"
            facts={metricFacts(metrics)}
          />
        )}
        <section aria-labelledby="run-title">
          <h2 id="run-title">Run</h2>
          <FactList class="facts-wide" facts={agentRunFacts(report)} />
        </section>
      </main>
      <PageFooter report={report} />
    </>
  );
}
