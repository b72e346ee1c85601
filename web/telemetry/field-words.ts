import type { ContextField } from "../../src/contract/telemetry.ts";

/** What a field of the context is called on the page. */
export const fieldWords: Readonly<Record<ContextField, string>> = {
  run_id: "Run",
  cell_id: "Cell",
  skill_id: "Skill",
  mode: "Mode",
  host_app: "Host",
  doc_id: "Document",
  doc_key: "Document key",
  session_id: "Session",
  story_id: "Story",
  turn_id: "Turn",
  case_id: "Case",
  task_id: "Task",
  message_id: "Message",
  block_id: "Block",
  client_id: "Client",
};
