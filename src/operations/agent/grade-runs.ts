import { readRun } from "../../agent-runtime/log/read-run.ts";
import { loadSuites } from "../../cases/files/load-suites.ts";
import { isAgentCase } from "../../cases/plan-cases.ts";
import type { CaseReport } from "../../contract/agent-report.ts";
import type { LoadedAgentCase } from "../../contract/loaded-case.ts";
import { gradeRun } from "../../levels/agent/grade/grade-run.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { UserError } from "../../shared/user-error.ts";

/** Grades run directories without running anything. */
export async function gradeRuns(dirs: readonly string[], loaded: LoadedAgentCase): Promise<CaseReport[]> {
  const reports: CaseReport[] = [];
  for (const dir of dirs) {
    const run = readRun(dir);
    const started = run.events.find((event) => event.type === "run_started");
    const { provider = null, name = null } = started?.data.model ?? {};
    const model = [provider, name].filter((part) => part !== null).join("/") || "unknown";
    const report = await gradeRun(run, loaded, { trial: 1, model });
    const other = otherCase(started?.data.case, loaded);
    reports.push(other === null ? report : { ...report, warnings: [other, ...report.warnings] });
  }
  return reports;
}

/** Warns if a run is graded with another case than its own, which is usually a mistake. */
function otherCase(
  recorded: { suite: string; id: string } | undefined,
  { suite, case: { id } }: LoadedAgentCase,
): string | null {
  if (recorded === undefined || (recorded.suite === suite && recorded.id === id)) return null;
  return `this is a run of case ${shownText(recorded.id)} of suite ${shownText(recorded.suite)}, graded with case ${id} of suite ${suite}`;
}

/** Finds a case by its folder or file, or one of several as `<file>#<id>`. */
export async function findCase(
  named: string,
  folders: { cwd: string; projectRoot: string },
): Promise<LoadedAgentCase> {
  const hash = named.lastIndexOf("#");
  const path = hash === -1 ? named : named.slice(0, hash);
  const id = hash === -1 ? null : named.slice(hash + 1);
  const suites = await loadSuites([path], folders);
  const cases = suites.flatMap((suite) => suite.cases).filter(isAgentCase);
  const meant = id === null ? cases : cases.filter((loaded) => loaded.case.id === id);
  const [only, ...others] = meant;
  if (only !== undefined && others.length === 0) return only;
  if (cases.length === 0)
    throw new UserError("usage", `no agent case in ${path}`, {
      path,
      hint: "an L0 case has no run to grade",
    });
  const known = cases.map((loaded) => loaded.case.id).slice(0, 10);
  const problem = only === undefined ? `has no case ${id}` : `has ${meant.length} cases`;
  throw new UserError("usage", `${path} ${problem}`, {
    path,
    hint: `pick one: --case ${path}#${known[0] ?? "<id>"}${known.length > 1 ? ` (${known.join(", ")})` : ""}`,
  });
}
