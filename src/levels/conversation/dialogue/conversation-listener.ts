import type {
  CallWarning,
  ConversationEnd,
  ConversationTurnRecord,
  RecordedCall,
} from "../../../contract/conversation.ts";
import type { Usage } from "../../../contract/outcome.ts";

/** Listens to a conversation in progress: lengths, counts, names and times, never user text. */
export interface ConversationListener {
  started(fact: { message_chars: number; has_document: boolean }): void;
  /** A reply came, or none did. */
  modelCalled(fact: {
    turn: number;
    model: string;
    kind: ConversationTurnRecord["kind"] | "failed";
    ms: number;
    first_token_ms: number | null;
    usage: Usage | null;
  }): void;
  toolStarted(
    fact: Pick<RecordedCall, "skill" | "form" | "injected"> & {
      turn: number;
      tool: string;
      warnings: CallWarning[];
    },
  ): void;
  /** How it ended, also where it was refused and nothing ran. */
  toolEnded(
    fact: Pick<RecordedCall, "skill" | "injected" | "ok" | "code" | "ms" | "result_bytes" | "repeat"> & {
      turn: number;
      tool: string;
    },
  ): void;
  ended(fact: {
    /** `cancelled`: it was aborted and has no record. */
    end: ConversationEnd | "cancelled";
    ms: number;
    llm_ms: number;
    /** Of the first reply. */
    first_token_ms: number | null;
    /** All that is known of what the replies took. */
    usage: Usage | null;
  }): void;
}

export const noListener: ConversationListener = {
  started: () => {},
  modelCalled: () => {},
  toolStarted: () => {},
  toolEnded: () => {},
  ended: () => {},
};
