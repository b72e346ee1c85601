import { eachOf } from "../../base/each-of.ts";
import { parseCell } from "../../contract/report.ts";
import type { CellResult } from "../../contract/result.ts";
import type { SpanTree } from "../../contract/span.ts";
import type { Pages } from "../../contract/store.ts";
import { laidOut } from "./call-span.ts";
import { callsInCell } from "./calls-in-cell.ts";
import { isOfCase, testedModel } from "./tested-model.ts";

/** A run that ended, as spans tell it. */
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
        for await (const text of eachOf(cells())) yield cellTree(parseCell(text), content);
      },
    },
  };
}

function cellTree(result: CellResult, content: boolean): SpanTree {
  const { cellKey: key, skillId, taskId, trial, status, score, error, usage, beganAtMs } = result;
  const startMs = beganAtMs;
  return {
    key,
    name: `${skillId} ${taskId}`,
    kind: "internal",
    startMs,
    endMs: beganAtMs + result.latencyMs,
    attributes: {
      "eval.cell.key": key,
      "eval.skill.id": isOfCase(result) ? null : skillId,
      "gen_ai.request.model": testedModel(result),
      "eval.task.id": taskId,
      "eval.trial": trial,
      "eval.status": status,
      "eval.cause": error?.code ?? null,
      "eval.score": score,
      "eval.attempts": result.attempts.length,
      "gen_ai.usage.input_tokens": usage?.promptTokens ?? null,
      "gen_ai.usage.output_tokens": usage?.completionTokens ?? null,
      ...(content && {
        "eval.output": JSON.stringify(result.output),
        "eval.reason": result.reason,
      }),
    },
    // A wrong answer is an answer: only what kept a cell from one is an error of the span.
    status: status === "pass" || status === "fail" ? "ok" : "error",
    ...(error !== null && { message: content ? `${error.code}: ${error.message}` : error.code }),
    children: laidOut(callsInCell(result, content), { key, startMs }),
  };
}
