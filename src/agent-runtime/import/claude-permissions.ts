import { shorten } from "../../shared/text/visible-text.ts";
import { refusal } from "./claude-values.ts";
import { listIn, mapIn, textIn } from "./read-values.ts";
import type { TraceCall } from "./trace.ts";
import type { TraceBuilder } from "./trace-builder.ts";

type Line = Record<string, unknown>;

/** Which calls of Claude Code were not allowed: it says so in results, in the end of a run, and in questions to whoever decides. */
export class ClaudePermissions {
  readonly #builder: TraceBuilder;
  /** What was asked about and not allowed so far, by the id of the question. */
  readonly #asked = new Map<string, string>();
  /** Whether denials are recorded at all. */
  areRecorded = false;

  constructor(builder: TraceBuilder) {
    this.#builder = builder;
  }

  readQuestion(line: Line): void {
    const request = mapIn(line.request);
    const id = textIn(request.tool_use_id);
    const question = textIn(line.request_id);
    if (request.subtype === "can_use_tool" && id !== null && question !== null) this.#asked.set(question, id);
    else this.#builder.ignore("control_request");
  }

  readDecision(line: Line): void {
    const response = mapIn(line.response);
    const { behavior, message } = mapIn(response.response);
    const question = textIn(response.request_id) ?? "";
    const call = this.#builder.lastCall(this.#asked.get(question) ?? null);
    if (call !== undefined && behavior === "deny") this.#deny(call, textIn(message) ?? "");
    if (behavior === "allow") this.#asked.delete(question);
    this.#builder.ignore("control_response");
  }

  /** `result` is what the program keeps of it, beside what the model sees. */
  readResult(call: TraceCall, { tool_result_meta, result }: Line): void {
    const { text = "", isError = null } = call.result ?? {};
    const decision = textIn(mapIn(tool_result_meta).permission_decision) ?? "";
    const isRejected = typeof result === "string" && result.startsWith("User rejected tool use");
    if (
      /^(?:den|reject|abort|cancel)/i.test(decision) ||
      isRejected ||
      (isError === true && refusal.test(text))
    )
      this.#deny(call, text);
  }

  readDenials(denials: unknown): void {
    if (Array.isArray(denials)) this.areRecorded = true;
    for (const denial of listIn(denials).map(mapIn)) {
      const call = this.#builder.lastCall(textIn(denial.tool_use_id));
      if (call !== undefined) this.#deny(call, call.result?.text ?? "");
      else this.#builder.unknown("no call", denial);
    }
  }

  /** A question that nobody answered allows nothing. */
  end(): void {
    for (const id of this.#asked.values()) {
      const call = this.#builder.openCall(id);
      if (call !== undefined) this.#deny(call, "the question for permission was not answered");
    }
  }

  #deny(call: TraceCall, why: string): void {
    call.denied ??= shorten(why, 300) || "permission denied";
    this.areRecorded = true;
  }
}
