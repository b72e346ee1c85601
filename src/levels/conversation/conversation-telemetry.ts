import type { ConversationRecord } from "../../contract/conversation.ts";
import type { ConversationSkill } from "../../contract/conversation-parts.ts";
import type { Usage } from "../../contract/outcome.ts";
import type { Telemetry, TelemetryContext } from "../../contract/telemetry.ts";
import type { SelectedPrompts } from "../../engine/skills/prompt-skills.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import type { ConversationListener } from "./dialogue/conversation-listener.ts";

/** Reports a conversation as telemetry: names, lengths, counts and times, never user text. */
export interface ConversationTelemetry extends ConversationListener {
  /** Which skills it was given, before it began. */
  selected(chosen: Pick<SelectedPrompts, "skills" | "forced" | "routing">): void;
  /** Which skills its answer shows signs of, after it ended. */
  applied(skills: readonly ConversationSkill[], final: ConversationRecord["final"]): void;
}

const maxIds = 50;

/** Turns a conversation into telemetry. `context` identifies its session, which has one turn. */
export function conversationTelemetry(
  telemetry: Telemetry,
  context: TelemetryContext,
): ConversationTelemetry {
  const turn = { ...context, turn_id: "1" };
  const ofSkill = (skill: string | null) => (skill === null ? turn : { ...turn, skill_id: skill });
  return {
    selected: (chosen) => telemetry.emit("skills.selected", selectedPayload(chosen), turn),
    started: ({ message_chars, has_document }) =>
      telemetry.emit(
        "chat.turn_start",
        { message_len: message_chars, bench: true, has_frontend_context: has_document },
        turn,
      ),
    modelCalled: ({ turn: iteration, model, kind, ms, usage }) =>
      telemetry.emit(
        "chat.llm_call",
        { iteration, llm_ms: ms, model, kind, tokens: tokenCounts(usage) },
        turn,
      ),
    toolStarted: ({ turn: iteration, tool, skill, form, warnings, injected }) =>
      telemetry.emit("tool.call_start", { iteration, tool, skill, form, warnings, injected }, ofSkill(skill)),
    toolEnded: ({ turn: iteration, tool, skill, injected, ok, code, ms, result_bytes, repeat }) =>
      telemetry.emit(
        "tool.call_done",
        { iteration, tool, skill, injected, ok, code, ms, result_bytes, repeat },
        ofSkill(skill),
      ),
    ended: ({ end, ms, llm_ms, first_token_ms, usage }) =>
      telemetry.emit(
        "chat.turn_done",
        {
          ok: end === "final",
          chat_ms: ms,
          first_token_ms,
          llm_total_ms: llm_ms,
          token_usage: tokenCounts(usage),
          cancelled: end === "cancelled",
          error: end === "final" ? null : end,
        },
        turn,
      ),
    applied(skills, final) {
      const applied_ids = skills.filter((skill) => isApplied(skill, final)).map(({ id }) => id);
      telemetry.emit("skills.applied", { applied_ids, selected_ids: skills.map(({ id }) => id) }, turn);
    },
  };
}

function selectedPayload({
  skills,
  forced,
  routing,
}: Pick<SelectedPrompts, "skills" | "forced" | "routing">): JsonObject {
  return {
    mode: forced ? "forced" : (routing?.mode ?? null),
    skills: skills.map(({ id, version, priority, routed }) => ({
      ...{ id, version, priority },
      ...{ score: routed?.score ?? null, lex: routed?.lex ?? null, emb: routed?.emb ?? null },
      ...{ phrase: routed?.phrase ?? null, text: routed?.text ?? null },
    })),
    excluded: (routing?.excluded ?? []).slice(0, maxIds).map(({ id, reason }) => ({ id, reason })),
    catalog_sha256: routing?.catalog_sha256 ?? null,
    query_sha256: routing?.query_sha256 ?? null,
    injected_chars: skills.reduce((sum, { prompt }) => sum + prompt.length, 0),
    truncated: skills.some(({ truncated }) => truncated),
    forced,
  };
}

function tokenCounts(usage: Usage | null): JsonObject | null {
  if (usage === null) return null;
  const { promptTokens, completionTokens, totalTokens } = usage;
  return { prompt: promptTokens, completion: completionTokens, total: totalTokens };
}

/** At least one marker, and a third of all, occur in the answer: a hint, never a criterion. */
function isApplied({ output }: ConversationSkill, final: string | null): boolean {
  const markers = output?.markers ?? [];
  const found = markers.filter((marker) => final?.includes(marker)).length;
  return found > 0 && 3 * found >= markers.length;
}
