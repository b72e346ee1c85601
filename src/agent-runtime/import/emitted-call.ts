import type { EventData, EventType } from "../../contract/agent-event.ts";
import type { LoadReport } from "../../contract/agent-record.ts";
import { sha256 } from "../../shared/json/canonical-json.ts";
import { shorten } from "../../shared/text/visible-text.ts";
import type { SkillFile } from "./skill-locator.ts";
import type { TraceCall } from "./trace.ts";

type Planned = EventData<"action_planned">["action"];
type CallError = NonNullable<EventData<"action_executed">["error"]>;

/** Characters of a result that are stored. */
const maxSummaryLength = 4000;

/** One action that a call of the trace became. */
export class EmittedCall {
  readonly id: string;
  readonly #emit: <Type extends EventType>(type: Type, data: EventData<Type>) => void;
  readonly #call: TraceCall;
  readonly #parent: string | null;
  readonly #kind: string;
  /** The action of the same call that this one is a part of. */
  readonly #partOf: string | null;

  constructor(
    emit: <Type extends EventType>(type: Type, data: EventData<Type>) => void,
    id: string,
    call: TraceCall,
    { parent, kind, partOf }: { parent: string | null; kind: string; partOf: string | null },
  ) {
    this.#emit = emit;
    this.id = id;
    this.#call = call;
    this.#parent = parent;
    this.#kind = kind;
    this.#partOf = partOf;
  }

  /** Nobody knows whether it ran. */
  get isOpen(): boolean {
    return this.#call.denied === null && this.#call.result === null;
  }

  get isRefused(): boolean {
    return this.#call.denied !== null || this.#call.result?.isError === true;
  }

  plan(
    action: Planned,
    { inferred = false, sourceHint = null }: { inferred?: boolean; sourceHint?: string | null },
  ): void {
    this.#emit("action_planned", {
      call_id: this.id,
      action,
      ...(inferred ? { inferred } : {}),
      ...(sourceHint === null ? {} : { source_hint: sourceHint }),
      ...(this.#parent === null ? {} : { parent_call_id: this.#parent }),
      ...(this.#call.id === null ? {} : { foreign_id: this.#call.id }),
      ...(this.#partOf === null ? {} : { part_of: this.#partOf }),
    });
  }

  /** Emits whether it was accepted. With a code the call was refused, and nothing more is emitted for it. */
  accept(code: string | null): boolean {
    const error = code === null || !this.isRefused ? null : this.#error(code);
    this.#emit("action_validated", {
      call_id: this.id,
      ok: error === null,
      ...(error === null ? {} : { error }),
      warnings: [],
    });
    if (this.#call.denied !== null)
      this.#emit("approval_denied", {
        approval_id: `a${this.id.slice(1)}`,
        call_id: this.id,
        by: this.#kind,
        reason: this.#call.denied,
      });
    return error === null;
  }

  load(type: "skill_loaded" | "resource_loaded", file: SkillFile, callId: string = this.id): void {
    this.#emit(type, {
      call_id: callId,
      skill: { name: file.skill, digest: null },
      path: file.path,
      report: unknownReport(file.path),
      ...(file.inferred ? { inferred: true } : {}),
    });
  }

  /** Only a denial shows that a call with a result was not done. */
  execute(action: string, { skill, tool }: { skill?: string; tool?: string } = {}): void {
    const { denied, result } = this.#call;
    const isKnown = denied !== null || typeof result?.isError === "boolean";
    this.#emit("action_executed", {
      call_id: this.id,
      action,
      ...(tool === undefined ? {} : { tool }),
      ...(skill === undefined ? {} : { skill: { name: skill } }),
      started: denied === null,
      ok: isKnown ? !this.isRefused : null,
      ...(this.isRefused ? { error: this.#error(tool === undefined ? "IOError" : "ToolFailed") } : {}),
      result: {},
      ...(this.#partOf === null ? {} : { part_of: this.#partOf }),
    });
  }

  observe(): void {
    const { result } = this.#call;
    if (result === null) return;
    this.#emit("observation_recorded", {
      call_id: this.id,
      success: result.isError === null ? null : !this.isRefused,
      summary: shorten(result.text, maxSummaryLength),
      sha256: sha256(result.text),
    });
  }

  #error(code: string): CallError {
    const { denied, result } = this.#call;
    if (denied !== null) return { code: "ApprovalDenied", message: denied };
    return { code, message: shorten(result?.text ?? "", 300) || "no details recorded" };
  }
}

function unknownReport(path: string): LoadReport {
  return {
    path,
    bytes: null,
    sha256: null,
    excerpt_sha256: null,
    bytes_read: null,
    chars_returned: null,
    truncated: null,
    strategy: null,
  };
}
