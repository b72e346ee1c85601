import type { ContextField, StoredEvent } from "../../src/contract/telemetry.ts";
import { contextFields, durationFields } from "../../src/contract/telemetry-fields.ts";

/** A moment as the table shows it: `2026-03-01 07:24:05.120`; the number itself where it is not a valid time. */
export function timeWords(seconds: number): string {
  const time = new Date(seconds * 1000);
  if (Number.isNaN(time.getTime())) return String(seconds);
  return time.toISOString().replace("T", " ").replace("Z", "");
}

/** How it ended, as far as the payload says. */
export function eventEnd({ payload }: StoredEvent): { word: string; mark: "pass" | "fail" | null } | null {
  if (typeof payload.ok === "boolean")
    return payload.ok ? { word: "ok", mark: "pass" } : { word: "failed", mark: "fail" };
  for (const name of ["status", "outcome", "verdict"]) {
    const word = payload[name];
    if (typeof word === "string") return { word, mark: endMark(word) };
  }
  return null;
}

function endMark(word: string): "pass" | "fail" | null {
  if (word === "pass" || word === "ok") return "pass";
  return word === "fail" || word === "error" || word === "timeout" ? "fail" : null;
}

/** Null where the event does not say. */
export function eventDurationMs({ payload }: StoredEvent): number | null {
  const found = durationFields.map((name) => payload[name]).find((ms) => typeof ms === "number");
  return typeof found === "number" && found >= 0 ? found : null;
}

const mostInformative = ["skill_id", "case_id", "task_id", "host_app", "session_id", "run_id"] as const;

/** What it is about, in a few words: at most two of the fields, the most informative first. */
export function describeSubject(event: StoredEvent): string {
  const fields = [
    ...mostInformative,
    ...contextFields.filter((field) => !mostInformative.some((shown) => shown === field)),
  ];
  const present = fields.map((field) => event[field]).filter((value) => value !== undefined);
  return present.slice(0, 2).join(" · ");
}

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
