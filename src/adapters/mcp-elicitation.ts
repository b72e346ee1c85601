import type { ElicitRequest, ElicitResult } from "@modelcontextprotocol/client";

/** Answers a server that asks the user something: with the defaults where they are enough, else with no. Nobody is ever asked. */
export function answerElicitation({ params }: Pick<ElicitRequest, "params">): ElicitResult {
  if (!("requestedSchema" in params)) return { action: "decline" };
  const { properties, required = [] } = params.requestedSchema;
  const defaults = Object.entries(properties).flatMap(([name, { default: value }]) =>
    value === undefined ? [] : [[name, value]],
  );
  const content = Object.fromEntries(defaults);
  const isEnough = required.every((name) => Object.hasOwn(content, name));
  return isEnough ? { action: "accept", content } : { action: "decline" };
}
