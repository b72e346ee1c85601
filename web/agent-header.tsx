import type { AgentReportFile } from "../src/contract/agent-report.ts";
import { isolationWords, modelWords } from "../src/reporters/agent/agent-facts.ts";
import { notPassedWords } from "../src/reporters/agent/cell-words.ts";
import { describeAgentGate, describeTolerated } from "../src/reporters/agent/gate-words.ts";
import { withBounds } from "../src/reporters/agent/metric-facts.ts";
import { agentVerdictOf } from "./agent-verdict-of.ts";
import { PageHeader } from "./page-header.tsx";
import { StrangerText } from "./stranger-text.tsx";

/** What a reader of `agent eval` wants to know first: the verdict, what it rests on, who decided behind which walls. */
export function AgentHeader({ report, invalid }: { report: AgentReportFile; invalid: number }) {
  const { run, totals, tool, pass_rate, gates } = report;
  const verdict = agentVerdictOf(report, invalid);
  const tolerated = describeTolerated(report);
  return (
    <PageHeader
      verdict={verdict}
      passed={totals.pass}
      total={totals.cells}
      rest={notPassedWords(totals)
        .map((words) => `, ${words}`)
        .join("")}
      run={run}
      stamps={[
        ["Suite", report.suite],
        ["Model", modelWords(report)],
        ["Isolation", isolationWords(report)],
        ["Pass rate", withBounds(pass_rate)],
        ["Concurrency", String(run.concurrency)],
        ["Seed", String(run.seed)],
        ["Tool", `${tool.name} ${tool.version}`],
      ]}
    >
      <p class="gate">{verdict.why}</p>
      {[...gates.map(describeAgentGate), ...(tolerated === null ? [] : [tolerated])].map((words, place) => (
        <p key={place} class="gate">
          <StrangerText text={words} limit={600} />
        </p>
      ))}
    </PageHeader>
  );
}
