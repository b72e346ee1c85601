import { resolve } from "node:path";
import * as z from "zod";
import type { NotLoaded } from "../../contract/not-loaded.ts";
import type { Strategy } from "../../contract/strategy.ts";
import type { UnitSkill } from "../../contract/unit-skill.ts";
import { neverPartOfSkill } from "../../engine/run-context.ts";
import { levels } from "../../levels/levels.ts";
import { unitLevel } from "../../levels/unit/level.ts";
import { readReport } from "../../report/convert/read-report.ts";
import { checkDocument } from "../../shared/files/check-document.ts";
import { isFile, nearPath } from "../../shared/files/paths.ts";
import { readJsonFile } from "../../shared/files/read-text-file.ts";
import { writtenPath } from "../../shared/files/written-path.ts";
import { didYouMean } from "../../shared/text/nearest.ts";
import { listed } from "../../shared/text/phrases.ts";
import { UserError } from "../../shared/user-error.ts";
import { loadSkills } from "../../skills/targets/load-skills.ts";
import { findReportFiles } from "./find-report-files.ts";
import {
  changedCases,
  type MeasuredSkill,
  measuredSkill,
  mergeReports,
  storedReports,
} from "./merge-reports.ts";
import { type Candidate, selectSkills } from "./select-skills.ts";
import type { Selection } from "./selection.ts";

interface ChoiceRequest {
  /** A folder, a `skill.json`, a list of paths or an earlier selection. */
  from: string;
  /** Report files and patterns; null for the newest reports of the store. */
  reports: readonly string[] | null;
  /** Id of the only benchmark whose results count; null for all of them. */
  benchmark: string | null;
  strategy: Strategy;
  store: string;
  outputDir: string;
  telemetryPath: string;
  cwd: string;
}

/** Loads the candidates and what is known of them, and chooses. */
export async function chooseSkills(
  request: ChoiceRequest,
): Promise<{ selection: Selection; notLoaded: NotLoaded[]; warnings: string[] }> {
  const { from, strategy, cwd } = request;
  const store = writtenPath(request.store, cwd);
  // The same paths that `eval` leaves out, or every digest would differ from the report's.
  const exclude = neverPartOfSkill({ ...request, evalLog: null }, cwd);
  const { skills, notLoaded, warnings } = await loadSkills(candidatePaths(from, cwd), { cwd, exclude });
  const found =
    request.reports === null ? await storedReports(store, request.store) : readReports(request.reports, cwd);
  const reports = request.benchmark === null ? found : measuredOn(request.benchmark, found);
  const candidates = skills.map(({ skill }) => makeCandidate(skill, cwd));
  const skillIds = candidates.map(({ skillId }) => skillId);
  const unlike = unlikeBenchmarks(skillIds, reports);
  return {
    selection: selectSkills(candidates, reports, strategy),
    notLoaded,
    warnings: [
      ...warnings,
      ...(unlike === null ? [] : [unlike]),
      ...changedCases(skillIds, mergeReports(reports)),
    ],
  };
}

function measuredOn(benchmark: string, reports: readonly MeasuredSkill[]): MeasuredSkill[] {
  const measured = reports.filter(({ benchmarkId }) => benchmarkId === benchmark);
  if (measured.length > 0) return measured;
  const known = [...new Set(reports.map(({ benchmarkId }) => benchmarkId))].sort();
  throw new UserError("nothing-to-do", `no results of benchmark ${benchmark}`, {
    hint: didYouMean(benchmark, known),
  });
}

function readReports(namesOrPatterns: readonly string[], cwd: string): MeasuredSkill[] {
  return findReportFiles(namesOrPatterns, cwd).flatMap((file) => measuredIn(file, cwd));
}

function measuredIn(file: string, cwd: string): MeasuredSkill[] {
  const { report } = readReport(resolve(cwd, file), levels, file);
  const measured = report.subjects.filter(({ level }) => level === unitLevel.name);
  if (measured.length > 0) return measured.map((subject) => measuredSkill(subject, report.run.finishedAt));
  throw new UserError(
    "report-invalid",
    `${file} is a report of ${report.run.command}; expected a report of eval or run`,
    {
      path: file,
      jsonPath: "$.subjects",
      hint: "`eval-skills eval` writes its report to ./reports/eval-result.json",
    },
  );
}

/** What choosing needs to know of a skill. */
export function makeCandidate(skill: UnitSkill, cwd: string): Candidate {
  const { config } = skill.adapter;
  return {
    skillId: skill.id,
    skillVersion: skill.version,
    skillDigest: skill.digest,
    adapterType: skill.adapter.type,
    tags: skill.tags,
    path: `${nearPath(skill.manifest, cwd)}${config.type === "tool" ? `#${config.function}` : ""}`,
  };
}

/** The part of a selection that counts when it is read again. */
const EarlierSelection = z.looseObject({ selected: z.array(z.looseObject({ path: z.string().min(1) })) });

/** The skill paths that a `--from` means: itself, or what a list or an earlier selection in that file names. */
function candidatePaths(from: string, cwd: string): string[] {
  const path = resolve(cwd, from);
  if (!isFile(path)) return [from];
  const content = readJsonFile(path, "skill-invalid", from);
  const document = { path: from, code: "skill-invalid" } as const;
  if (Array.isArray(content))
    return notEmpty(checkDocument(content, z.array(z.string().min(1)), document).value, from);
  if (!isSelection(content)) return [from];
  const { selected } = checkDocument(content, EarlierSelection, document).value;
  return notEmpty(
    selected.map((skill) => skill.path),
    from,
  );
}

function notEmpty(paths: string[], from: string): string[] {
  if (paths.length > 0) return paths;
  throw new UserError("nothing-to-do", `${from} contains no skills to select from`, { path: from });
}

function isSelection(content: unknown): boolean {
  return (
    typeof content === "object" && content !== null && "command" in content && content.command === "select"
  );
}

const maxNamed = 3;

/** The warning that skills were measured on different benchmarks, so that their figures do not compare; null where they do. */
export function unlikeBenchmarks(
  skillIds: readonly string[],
  reports: readonly Pick<MeasuredSkill, "skillId" | "benchmarkId">[],
): string | null {
  const groups = new Map<string, { benchmarks: string[]; skills: string[] }>();
  for (const skillId of skillIds) {
    const own = reports.filter((report) => report.skillId === skillId);
    const benchmarks = [...new Set(own.map(({ benchmarkId }) => benchmarkId))].sort();
    if (benchmarks.length === 0) continue;
    const key = JSON.stringify(benchmarks);
    const group = groups.get(key) ?? { benchmarks, skills: [] };
    groups.set(key, group);
    group.skills.push(skillId);
  }
  if (groups.size < 2) return null;
  const sets = [...groups.values()].map(
    ({ benchmarks, skills }) => `${listed(skills, maxNamed)} on ${listed(benchmarks, maxNamed)}`,
  );
  return `the skills were measured on different benchmarks and cannot be compared: ${listed(sets, maxNamed, "; ")}`;
}
