import { dimensions } from "../../contract/agent-case.ts";
import type {
  AgentReport,
  AgentReporter,
  AgentResult,
  AgentResultReader,
} from "../../contract/agent-report.ts";
import { csvLine } from "../csv-line.ts";

/** One row per cell for spreadsheets; numbers are numbers, an unknown value is empty. */
export const agentCsvReporter: AgentReporter = { format: "csv", extension: "csv", render };

type Read = (result: AgentResult) => string | number | null;

const ofDimensions = Object.fromEntries(
  dimensions.map((name): [string, Read] => [name, ({ scores }) => scores[name].status]),
);

/** The columns in their order; readers go by it, so new ones are added at the end. */
const columns: Record<string, Read> = {
  suite: ({ suite }) => suite,
  case_id: ({ case_id }) => case_id,
  level: ({ level }) => level,
  model: ({ model }) => model,
  trial: ({ trial }) => trial,
  condition: ({ condition }) => condition,
  status: ({ status }) => status,
  ...ofDimensions,
  unit: ({ scores }) => scores.unit?.status ?? null,
  rubric: ({ scores }) => scores.rubric?.status ?? null,
  failures: ({ failures }) => failures.map(({ dimension, code }) => `${dimension} ${code}`).join("; "),
  message: ({ failures, no_verdict }) => no_verdict?.message ?? failures[0]?.message ?? null,
  no_verdict: ({ no_verdict }) => no_verdict?.code ?? null,
  not_exercised: ({ not_exercised }) => not_exercised.join("; "),
  precision: ({ scores }) => scores.trigger.precision,
  recall: ({ scores }) => scores.trigger.recall,
  selected: ({ scores }) => scores.trigger.selected.join("; "),
  turns: ({ stats }) => stats.turns,
  model_calls: ({ stats }) => stats.model_calls,
  tool_calls: ({ stats }) => stats.tool_calls,
  script_runs: ({ stats }) => stats.script_runs,
  resource_loads: ({ stats }) => stats.resource_loads,
  stop_reason: ({ stats }) => stats.stop_reason,
  degraded: ({ stats }) => (stats.degraded === null ? null : String(stats.degraded)),
  isolation: ({ stats }) => stats.isolation,
  input_tokens: ({ tallies }) => tallies.input_tokens,
  output_tokens: ({ tallies }) => tallies.output_tokens,
  cost_usd: ({ tallies }) => tallies.cost_usd,
  latency_ms: ({ latency_ms }) => latency_ms,
  title: ({ title }) => title ?? null,
  tags: ({ tags }) => tags.join("; "),
  run_id: ({ run_id }) => run_id,
  run_dir: ({ run_dir }) => run_dir,
  case_digest: ({ case_digest }) => case_digest,
  cell_key: ({ cell_key }) => cell_key,
  hit: ({ scores }) => scores.hit?.status ?? null,
  protocol: ({ scores }) => scores.protocol?.status ?? null,
  calls: ({ scores }) => scores.calls?.status ?? null,
  continuation: ({ scores }) => scores.continuation?.status ?? null,
};

function* render(_report: AgentReport, results: AgentResultReader): Generator<string> {
  yield csvLine(Object.keys(columns));
  const readers = Object.values(columns);
  for (const result of results()) yield csvLine(readers.map((read) => read(result)));
}
