import type { Telemetry, TelemetryContext } from "../../contract/telemetry.ts";
import { shortenWords } from "../../shared/text/visible-text.ts";
import type { Executed, PlanExecutor } from "./sources/plan-source.ts";

const maxMessageChars = 300;

/** An executor that reports every execution and its result as telemetry, never the plan. */
export function reportingExecutor(
  executor: PlanExecutor,
  telemetry: Telemetry,
  { context, redact }: { context: TelemetryContext; redact: (text: string) => string },
): PlanExecutor {
  return {
    async run(plan, limits) {
      const { attempt } = limits;
      const turn = { ...context, turn_id: String(attempt) };
      telemetry.emit("macro.exec_start", { type: "plan" }, turn);
      const result = await executor.run(plan, limits);
      const kind = failureKind(result);
      telemetry.emit(
        "macro.exec_done",
        {
          type: "plan",
          ok: kind === null,
          exec_ms: result.status === "refused" ? null : Math.round(result.ms),
          repaired: attempt > 0,
          error: kind,
        },
        turn,
      );
      if (result.status !== "done")
        telemetry.emit(
          "macro.error_report",
          {
            error_type: kind,
            error_message: shortenWords(redact(result.message), maxMessageChars),
            severity: result.status === "refused" ? "fatal" : "error",
            has_code: false,
          },
          turn,
        );
      return result;
    },
  };
}

function failureKind(result: Executed): string | null {
  if (result.status === "done") return null;
  return result.status === "refused" ? "refused" : result.kind;
}
