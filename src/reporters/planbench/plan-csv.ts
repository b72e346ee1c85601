import type {
  PlanReport,
  PlanReporter,
  PlanResult,
  PlanResultReader,
} from "../../contract/planbench-report.ts";
import { csvLine } from "../csv-line.ts";
import { violationWords } from "./sample-words.ts";

/** One row per sample for spreadsheets; numbers are numbers, an unknown value is empty. */
export const planCsvReporter: PlanReporter = { format: "csv", extension: "csv", render };

type Read = (result: PlanResult) => string | number | null;

/** The columns in their order; readers go by it, so new ones are added at the end. */
const columns: Record<string, Read> = {
  caseId: ({ caseId }) => caseId,
  sample: ({ sample }) => sample,
  route: ({ route }) => route,
  host: ({ host }) => host,
  outcome: ({ outcome }) => outcome,
  repairs: ({ repairs }) => repairs,
  status: ({ status }) => status,
  cause: ({ cause }) => cause,
  problem: ({ problem }) => problem,
  ms: ({ ms }) => ms,
  firstMs: ({ firstMs }) => firstMs,
  tokensFirst: ({ tokens }) => tokens?.first ?? null,
  tokensRepairs: ({ tokens }) => tokens?.repairs ?? null,
  tokensTotal: ({ tokens }) => tokens?.total ?? null,
  claimedOk: ({ claimedOk }) => (claimedOk === null ? null : String(claimedOk)),
  selected: ({ selected }) => selected?.join("; ") ?? null,
  attempts: ({ attempts }) => attempts.length,
  executed: ({ attempts }) => attempts.filter(({ executed }) => executed === true).length,
  violations: ({ violations }) => violations.map(violationWords).join("; "),
  tags: ({ tags }) => tags.join("; "),
  caseDigest: ({ caseDigest }) => caseDigest,
  cellKey: ({ cellKey }) => cellKey,
  plan: ({ plan }) => (plan === undefined ? null : JSON.stringify(plan)),
};

function* render(_report: PlanReport, results: PlanResultReader): Generator<string> {
  yield csvLine(Object.keys(columns));
  const readers = Object.values(columns);
  for (const result of results()) yield csvLine(readers.map((read) => read(result)));
}
