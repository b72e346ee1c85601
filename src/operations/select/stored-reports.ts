import type { RunHistory } from "../../contract/store.ts";
import { UserError } from "../../shared/user-error.ts";
import { openSqliteHistory } from "../../store/open-history.ts";
import { type MeasuredSkill, measuredSkill } from "./merge-reports.ts";

/** The newest finished report of every skill and benchmark in a store; an empty store is an error. */
export async function storedReports(path: string, shownPath: string): Promise<MeasuredSkill[]> {
  const reports = await readNewest(path);
  if (reports.length > 0) return reports;
  throw new UserError("nothing-to-do", `the store ${shownPath} contains no finished report`, {
    path: shownPath,
    hint: "run `eval-skills eval` first, or pass report files with --reports",
  });
}

async function readNewest(path: string): Promise<MeasuredSkill[]> {
  await using history = await openSqliteHistory(path);
  return history === null ? [] : await newestReports(history);
}

/** The newest finished report of every skill and benchmark: how well it does its job, so of level unit alone. */
export async function newestReports(history: RunHistory): Promise<MeasuredSkill[]> {
  const found: MeasuredSkill[] = [];
  for await (const page of history.finishedReports({ level: "unit", isLatestOnly: true }))
    found.push(...page.map(({ subject, finishedAt }) => measuredSkill(subject, finishedAt)));
  return found;
}
