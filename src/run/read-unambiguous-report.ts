import { resolve } from "node:path";
import type { AgentResult } from "../contract/agent-report.ts";
import type { PlanResult } from "../contract/planbench-report.ts";
import { triggeringSuite } from "../contract/trigger-report.ts";
import { isRecorded } from "../contract/unrecorded-run.ts";
import { UserError } from "../contract/user-error.ts";
import { type AnyReport, readAnyReport } from "../spec/read-any-report.ts";

/** A report in which each skill stands once per benchmark, so that it is clear which one is meant. */
export function readUnambiguousReport(file: string, cwd: string): AnyReport {
  const report = readAnyReport(resolve(cwd, file), file);
  if (report.command === "agent eval") refuseTwinCells(file, report.results);
  else if (report.command === "planbench") refuseTwinSamples(file, report.results);
  else if (report.command === "trigger") refuseTwins(file, "$.results", report.results.map(triggeringOf));
  else {
    refuseTwins(file, isRecorded(report.run) ? "$.reports" : "$", report.reports);
    refuseTwins(file, "$.triggering", report.triggering.map(triggeringOf));
  }
  return report;
}

/** A cell that stands twice would count twice. */
function refuseTwinCells(file: string, results: readonly AgentResult[]): void {
  const seen = new Map<string, number>();
  for (const [at, { suite, case_id, model, trial, condition }] of results.entries()) {
    const key = JSON.stringify([suite, case_id, model, trial, condition]);
    const first = seen.get(key);
    if (first !== undefined)
      throw new UserError(
        "report-invalid",
        `${file} has two results of trial ${trial} of ${suite}/${case_id} with ${model}, the first at $.results[${first}]`,
        { path: file, jsonPath: `$.results[${at}]`, hint: "leave the one that counts" },
      );
    seen.set(key, at);
  }
}

function refuseTwinSamples(file: string, results: readonly PlanResult[]): void {
  const seen = new Map<string, number>();
  for (const [at, { caseId, sample }] of results.entries()) {
    const key = JSON.stringify([caseId, sample]);
    const first = seen.get(key);
    if (first !== undefined)
      throw new UserError(
        "report-invalid",
        `${file} has two results of sample ${sample} of ${caseId}, the first at $.results[${first}]`,
        { path: file, jsonPath: `$.results[${at}]`, hint: "leave the one that counts" },
      );
    seen.set(key, at);
  }
}

interface Named {
  skillId: string;
  benchmarkId: string;
}

function triggeringOf({ skillId }: { skillId: string }): Named {
  return { skillId, benchmarkId: triggeringSuite };
}

function refuseTwins(file: string, list: string, reports: readonly Named[]): void {
  const seen = new Map<string, number>();
  for (const [at, { skillId, benchmarkId }] of reports.entries()) {
    const key = JSON.stringify([skillId, benchmarkId]);
    const first = seen.get(key);
    if (first !== undefined)
      throw new UserError(
        "report-invalid",
        `${file} has two reports of ${skillId} on ${benchmarkId}, the first at ${list}[${first}]`,
        { path: file, jsonPath: `${list}[${at}]`, hint: "leave the one that counts" },
      );
    seen.set(key, at);
  }
}
