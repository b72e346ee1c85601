import type { ConversationRecord } from "../src/contract/conversation.ts";
import { conversationEnd, conversationHead, transcript } from "../src/reporters/agent/transcript.ts";
import { StatusMark } from "./status-mark.tsx";
import { StrangerText } from "./stranger-text.tsx";

/** What was said in a conversation, and what came of it. */
export function Conversation({ record }: { record: ConversationRecord }) {
  const end = conversationEnd(record);
  return (
    <section class="part">
      <h3>Conversation</h3>
      <p class="under">
        <StrangerText text={conversationHead(record)} limit={600} />
      </p>
      <ol class="transcript">
        {transcript(record).map(({ turn, kind, words, result, isGood }) => (
          <li key={turn}>
            <p>
              <StatusMark status={isGood ? "pass" : "fail"} size={13} /> <strong>{kind}</strong>{" "}
              <span class={kind === "final" ? "" : "mono"}>
                <StrangerText text={words} limit={600} />
              </span>
            </p>
            {result !== "" && (
              <p class="under mono">
                <StrangerText text={result} limit={600} />
              </p>
            )}
          </li>
        ))}
      </ol>
      {end !== null && (
        <p class="under">
          <StrangerText text={end} limit={600} />
        </p>
      )}
    </section>
  );
}
