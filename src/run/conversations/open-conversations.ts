import { openToolHosts } from "../../adapters/tool-hosts.ts";
import { openOrClose } from "../../base/open-or-close.ts";
import type { LoadedConversationCase } from "../../contract/loaded-case.ts";
import type { Sandbox } from "../../contract/sandbox.ts";
import type { Shelf } from "../../contract/shelf.ts";
import { memoryShelf } from "../../store/memory-shelf.ts";
import { openShelf } from "../../store/open-shelf.ts";
import type { AgentPlan } from "../agents/agent-request.ts";
import type { AgentSurroundings } from "../agents/prepare-agents.ts";
import { closing } from "../session.ts";
import { checkConversations } from "./check-conversations.ts";
import { type ConversationDesk, conversationDesk } from "./conversation-desk.ts";

/** Gets ready for the conversations of a run, and checks what they name. */
export async function openConversations(
  cases: readonly LoadedConversationCase[],
  plan: AgentPlan,
  around: Pick<AgentSurroundings, "env" | "models" | "exclude" | "storePath" | "isDryRun"> & {
    sandbox: Sandbox;
  },
): Promise<ConversationDesk> {
  const { env, exclude, sandbox, models } = around;
  const warnings: string[] = [];
  const shelf = await openVectors(plan, around, warnings);
  const { toolHost: mode, envKeys, maxOutputBytes } = plan;
  const hosts = openToolHosts({ mode, sandbox, env, envKeys, maxOutputBytes });
  const desk = conversationDesk(
    { ...plan, timeoutMs: plan.agent.timeout_ms },
    { env, apiKey: models.apiKey, exclude, shelf, hosts, warnings },
  );
  return openOrClose(closing(desk), async () => {
    warnings.push(...(await checkConversations(cases, plan, desk)));
    return desk;
  });
}

/** Vectors of skills are kept between runs; words need no store. */
async function openVectors(
  { router }: Pick<AgentPlan, "router">,
  { storePath, isDryRun }: Pick<AgentSurroundings, "storePath" | "isDryRun">,
  warnings: string[],
): Promise<Shelf> {
  if (router.embedding === null || isDryRun === true) return memoryShelf();
  return openShelf(storePath, { warn: (message) => warnings.push(message) });
}
