import type { Json } from "../shared/json/json.ts";
import type { ChatMessage } from "./model.ts";
import type { Usage } from "./outcome.ts";
import type { RoutedSkill } from "./routing.ts";
import type { DescribedSkill } from "./skill.ts";
import type { HostedTool } from "./tool-host.ts";

/** A skill that was selected for a conversation, read from the disk as it is now. */
export interface ConversationSkill {
  id: string;
  version: string | null;
  digest: string;
  priority: number;
  /** How the router saw it; null where it was forced. */
  routed: Pick<RoutedSkill, "score" | "lex" | "emb" | "phrase" | "text"> | null;
  /** Its prompt, cut to what there is room for; empty where there was none left. */
  prompt: string;
  truncated: boolean;
  tools: readonly (HostedTool & { description: string })[];
  /** What its answers promise to look like; null if unspecified. */
  output: DescribedSkill["output"];
  /** Absolute. */
  dir: string;
}

/** What came of asking for a reply. */
export type SpokenReply =
  | {
      status: "answered";
      text: string;
      ms: number;
      /** Null unless it was streamed. */
      firstTokenMs: number | null;
      usage: Usage | null;
      answeredBy?: string | undefined;
    }
  | {
      status: "failed";
      /** `mock-invalid`: the script quotes what no result has. */
      fault: "mock-exhausted" | "mock-invalid" | "model-failed" | "cassette-miss";
      message: string;
      ms: number;
    };

/** Who speaks in a conversation: a script, or a model. */
export interface Speaker {
  /** `mock`, or `<provider>/<model>`. */
  readonly id: string;
  /** `results`: the data of every call so far, null for one that failed: scripts quote them. Throws only the signal's reason. */
  reply(
    messages: readonly ChatMessage[],
    call: { results: readonly Json[]; signal: AbortSignal },
  ): Promise<SpokenReply>;
  /** Replies of a script that were not used; null for a model. */
  unused(): number | null;
}
