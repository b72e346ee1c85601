import { plainLine } from "../../../agent-runtime/loop/quoted-text.ts";
import { shownName, toolSignature } from "../../../agent-runtime/loop/tool-signature.ts";
import type { ConversationSkill } from "../../../contract/conversation-parts.ts";
import { inOrder } from "../../../shared/async/in-order.ts";

const maxAboutLength = 300;

/** The tools a model may call, as a prompt lists them: one line each, by skill and name, whatever a description contains. */
export function toolLines(skills: readonly Pick<ConversationSkill, "id" | "tools">[]): string[] {
  return skills
    .flatMap(({ id, tools }) => tools.map((tool) => ({ id, ...tool })))
    .sort((a, b) => inOrder(a.id, b.id) || inOrder(a.name, b.name))
    .map(({ id, name, description, parameters }) => {
      const about = plainLine(description.trim().replace(/\s+/g, " "), maxAboutLength);
      return `${toolSignature(name, parameters)}${about === "" ? "" : ` — ${about}`} @${shownName(id)}`;
    });
}
