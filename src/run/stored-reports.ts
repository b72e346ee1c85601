import type { MeasuredSkill } from "../aggregate/merge-reports.ts";
import { allOf } from "../base/each-of.ts";
import type { RunHistory } from "../contract/store.ts";
import { triggeringSuite } from "../contract/trigger-report.ts";
import { UserError } from "../contract/user-error.ts";
import { openSqliteHistory } from "../store/open-history.ts";

/** The newest finished report of every skill and benchmark in a store; that there is none is the user's to mend. */
export async function storedReports(path: string, shownPath: string): Promise<MeasuredSkill[]> {
  const reports = await readNewest(path);
  if (reports.length > 0) return reports;
  throw new UserError("nothing-to-do", `the store ${shownPath} holds no finished report`, {
    path: shownPath,
    hint: "evaluate the skills first with `eval-skills eval`, or name report files with --reports",
  });
}

async function readNewest(path: string): Promise<MeasuredSkill[]> {
  await using history = await openSqliteHistory(path);
  return history === null ? [] : await newestReports(history);
}

/** The newest finished report of every skill and benchmark. Trigger tests are none: they say nothing about how well it works. */
export async function newestReports(history: RunHistory): Promise<MeasuredSkill[]> {
  const reports = await allOf(history.finishedReports({ isLatestOnly: true }));
  return reports
    .filter(({ benchmarkId }) => benchmarkId !== triggeringSuite)
    .map(({ figures, finishedAt, ...names }) => ({ ...names, ...figures, timestamp: finishedAt }));
}
