import { type ActionType, actionTypes } from "../../contract/agent-action.ts";
import type { Json } from "../../shared/json/json.ts";
import { JsonStream } from "./json-stream.ts";

/** Gets parts of a reply early. They may be shown; nothing may act on them. */
export interface DecisionListener {
  type?: ((type: ActionType) => void) | undefined;
  skill?: ((name: string) => void) | undefined;
  source?: ((source: string) => void) | undefined;
  /** New text of the answer. */
  content?: ((text: string) => void) | undefined;
  plan?: ((update: Json) => void) | undefined;
}

/** The path of an answer's text in a reply. */
export const contentPath = "$.action.payload.content";

/** Reads a reply while it comes. Text of an answer waits until the reply is known to be one. */
export function decisionStream({ maxChars, on }: { maxChars: number; on: DecisionListener }): JsonStream {
  let held = "";
  let isAnswer: boolean | null = null;

  const onType = (value: Json) => {
    isAnswer = value === "final_answer";
    if (isActionType(value)) on.type?.(value);
    if (isAnswer && held !== "") on.content?.(held);
    held = "";
  };
  const onContent = (text: string) => {
    if (isAnswer) on.content?.(text);
    else if (isAnswer === null) held += text;
  };

  return new JsonStream({
    maxChars,
    watch: [
      { path: "$.action.type", mode: "realtime", on: onType },
      { path: contentPath, mode: "incremental", on: onContent },
      { path: "$.action.payload.skills[*].name", mode: "realtime", on: ifText(on.skill) },
      { path: "$.action.payload.skills[*].source", mode: "realtime", on: ifText(on.source) },
      { path: "$.plan_update", mode: "realtime", on: (update) => on.plan?.(update) },
    ],
  });
}

function ifText(listener: ((text: string) => void) | undefined): (value: Json) => void {
  return (value) => {
    if (typeof value === "string") listener?.(value);
  };
}

function isActionType(value: Json): value is ActionType {
  return (actionTypes as readonly Json[]).includes(value);
}
