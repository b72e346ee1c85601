import { subjectName } from "../../contract/cell.ts";
import { type CellResult, parseCell } from "../../contract/result.ts";
import type { Pages, Store } from "../../contract/store.ts";
import { flattenPages } from "../../shared/async/each-of.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import type { SpanTree } from "../../telemetry/otlp/export-spans.ts";
import type { OtlpSettings } from "../../telemetry/otlp/otlp-settings.ts";
import { layOutSpans } from "./call-span.ts";
import { callsInCell } from "./calls-in-cell.ts";

/** Sends a finished run as spans. A failure is returned as a message, so that it never fails the run. */
export async function sendRun(
  { url, content }: OtlpSettings,
  run: SpannedRun,
  store: Pick<Store, "results">,
  version: string,
): Promise<{ ok: boolean; words: string }> {
  const { exportSpans } = await import("../../telemetry/otlp/export-spans.ts");
  const root = runTree(run, () => store.results(run.id), content);
  const sent = await exportSpans({ runId: run.id, root, url, version });
  if (sent.ok) return { ok: true, words: `${pluralize(sent.spans, "span")} sent` };
  const { host } = new URL(url);
  return { ok: false, words: `the spans of this run could not be sent to ${host}: ${sent.problem}` };
}

/** A finished run, as exported in spans. */
export interface SpannedRun {
  id: string;
  command: string;
  startedAt: string;
  finishedAt: string;
  exitCode: number;
}

/** A run as spans: itself, its cells, their calls. Cells are read page by page. */
export function runTree(run: SpannedRun, cells: () => Pages<string>, content: boolean): SpanTree {
  const startMs = Date.parse(run.startedAt);
  return {
    key: "run",
    name: `eval-skills ${run.command}`,
    kind: "internal",
    startMs,
    endMs: Date.parse(run.finishedAt),
    attributes: { "eval.run.id": run.id, "eval.command": run.command, "eval.exit_code": run.exitCode },
    status: run.exitCode === 0 ? "ok" : "error",
    ...(run.exitCode !== 0 && { message: `exit code ${run.exitCode}` }),
    children: {
      async *[Symbol.asyncIterator]() {
        for await (const text of flattenPages(cells())) yield cellTree(parseCell(text), content);
      },
    },
  };
}

function cellTree(result: CellResult, content: boolean): SpanTree {
  const { key, level, suite, skillId, model, caseId, trial, status, score, cause, usage, beganAtMs } = result;
  const startMs = beganAtMs;
  return {
    key,
    name: `${subjectName(result)} ${caseId}`,
    kind: "internal",
    startMs,
    endMs: beganAtMs + (result.latencyMs ?? 0),
    attributes: {
      "eval.cell.key": key,
      "eval.level": level,
      "eval.suite": suite,
      "eval.skill.id": skillId,
      // A pure function has no model.
      "gen_ai.request.model": model === "none" ? null : model,
      "eval.task.id": caseId,
      "eval.trial": trial,
      "eval.status": status,
      "eval.cause": cause,
      "eval.score": score,
      "eval.attempts": result.attempts.length,
      "gen_ai.usage.input_tokens": usage?.promptTokens ?? null,
      "gen_ai.usage.output_tokens": usage?.completionTokens ?? null,
      ...(content && {
        "eval.output": JSON.stringify(result.output),
        "eval.reason": result.reason,
      }),
    },
    // A wrong answer is an answer: only a cell without one is an error of the span.
    status: status === "pass" || status === "fail" ? "ok" : "error",
    ...(cause !== null && { message: content ? `${cause}: ${result.reason}` : cause }),
    children: layOutSpans(callsInCell(result, content), { key, startMs }),
  };
}
