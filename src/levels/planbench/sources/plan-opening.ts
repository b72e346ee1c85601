import type { ChatMessage } from "../../../contract/model.ts";

export interface Opening {
  /** Of the selected skills, the best first. */
  prompts: readonly string[];
  /** The program the plan is for; null where the case names none. */
  host: string | null;
  input: string;
}

/** What every attempt at a plan begins with: the rules of the skills, where the plan is for, and the request. */
export function planOpening({ prompts, host, input }: Opening): ChatMessage[] {
  const rules = [
    ...prompts.filter((prompt) => prompt.trim() !== ""),
    ...(host === null ? [] : [`host_app: ${host}`]),
  ];
  return [
    ...(rules.length === 0 ? [] : [{ role: "system" as const, text: rules.join("\n\n") }]),
    { role: "user", text: input },
  ];
}
