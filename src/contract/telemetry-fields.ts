/** What an event can be filtered by; each is a column of its own. */
export const contextFields = [
  "run_id",
  "cell_id",
  "skill_id",
  "mode",
  "host_app",
  "doc_id",
  "doc_key",
  "session_id",
  "story_id",
  "turn_id",
  "case_id",
  "task_id",
  "message_id",
  "block_id",
  "client_id",
] as const;
export type ContextField = (typeof contextFields)[number];

/** The fields of a payload that say how long it took; the first that is there counts. */
export const durationFields = ["ms", "chat_ms", "llm_ms", "exec_ms"] as const;

/** What events can be grouped by. */
export const groupFields: readonly string[] = ["event_name", "source", ...contextFields];
