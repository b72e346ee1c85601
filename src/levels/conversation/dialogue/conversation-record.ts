import type {
  ConversationEnd,
  ConversationRecord,
  ConversationTurnRecord,
  SelectedSkill,
} from "../../../contract/conversation.ts";
import type { ConversationSkill } from "../../../contract/conversation-parts.ts";
import type { Usage } from "../../../contract/outcome.ts";
import { countCharacters } from "../../../engine/skills/prompted-skills.ts";
import { sha256 } from "../../../shared/json/canonical-json.ts";
import { truncationTag } from "../../../shared/text/visible-text.ts";
import { toolLines } from "./conversation-tools.ts";
import type { ConversationSession } from "./session.ts";

export interface Ending {
  end: ConversationEnd;
  /** Null where there is a final reply. */
  problem: string | null;
  final: string | null;
}

/** All of a conversation that is over. */
export function conversationRecord(
  { options, turns, passedMs }: ConversationSession,
  ending: Ending,
): ConversationRecord {
  const { host, document, skills, forced, routing, speaker } = options;
  return {
    host,
    document: document && {
      name: document.name,
      chars: document.text.length,
      sha256: sha256(document.text),
    },
    ...{ forced, routing },
    selected: skills.map(selectedSkill),
    tools: toolLines(skills),
    turns: turns.map((turn) => ({ ...turn, reply: truncateReply(turn.reply) })),
    ...ending,
    unused_turns: speaker.unused(),
    ms: Math.round(passedMs()),
  };
}

/** Replies are stored for people to read; the final reply is also stored whole, because it is judged. */
const maxReplyChars = 20_000;

function truncateReply(reply: string): string {
  return reply.length <= maxReplyChars ? reply : `${reply.slice(0, maxReplyChars)}${truncationTag}`;
}

function selectedSkill(skill: ConversationSkill): SelectedSkill {
  const { id, version, digest, priority, routed, prompt, truncated } = skill;
  const { score = null, lex = null, emb = null, phrase = null, text = null } = routed ?? {};
  return {
    ...{ id, version, digest, priority, score, lex, emb, phrase, text },
    injected_chars: countCharacters(prompt),
    truncated,
  };
}

/** All that is known of what replies took; null where nothing is. */
export function sumTurnUsage(turns: readonly Pick<ConversationTurnRecord, "usage">[]): Usage | null {
  const usages = turns.flatMap(({ usage }) => (usage === null ? [] : [usage]));
  if (usages.length === 0) return null;
  const sum = (key: keyof Usage) => {
    const known = usages.flatMap((usage) => usage[key] ?? []);
    return known.length === 0 ? null : known.reduce((total, one) => total + one, 0);
  };
  return {
    promptTokens: sum("promptTokens"),
    completionTokens: sum("completionTokens"),
    totalTokens: sum("totalTokens"),
    costUsd: sum("costUsd"),
  };
}
