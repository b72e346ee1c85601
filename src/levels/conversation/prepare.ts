import { openToolHosts } from "../../adapters/tool-hosts.ts";
import type { AgentContext, AgentPlan } from "../../cases/case-request.ts";
import { type ConversationRegistry, conversationRegistry } from "../../cases/conversation-registry.ts";
import type { Cache } from "../../contract/cache.ts";
import type { LoadedConversationCase } from "../../contract/loaded-case.ts";
import type { Sandbox } from "../../contract/sandbox.ts";
import { closing } from "../../engine/session.ts";
import { openOrClose } from "../../shared/async/open-or-close.ts";
import { memoryCache } from "../../store/memory-cache.ts";
import { openCache } from "../../store/open-cache.ts";
import { checkConversations } from "./check-conversations.ts";

/** Gets ready for the conversations of a run, and checks what they name. */
export async function openConversations(
  cases: readonly LoadedConversationCase[],
  plan: AgentPlan,
  context: Pick<AgentContext, "env" | "models" | "exclude" | "storePath" | "isDryRun"> & {
    sandbox: Sandbox;
  },
): Promise<ConversationRegistry> {
  const { env, exclude, sandbox, models } = context;
  const warnings: string[] = [];
  const cache = await openVectors(plan, context, warnings);
  const { toolHost: mode, envKeys, maxOutputBytes } = plan;
  const hosts = openToolHosts({ mode, sandbox, env, envKeys, maxOutputBytes });
  const registry = conversationRegistry(
    { ...plan, timeoutMs: plan.agent.timeout_ms },
    { env, apiKey: models.apiKey, exclude, cache, hosts, warnings },
  );
  return openOrClose(closing(registry), async () => {
    warnings.push(...(await checkConversations(cases, plan, registry)));
    return registry;
  });
}

/** Vectors of skills are kept between runs; words need no store. */
async function openVectors(
  { router }: Pick<AgentPlan, "router">,
  { storePath, isDryRun }: Pick<AgentContext, "storePath" | "isDryRun">,
  warnings: string[],
): Promise<Cache> {
  if (router.embedding === null || isDryRun === true) return memoryCache();
  return openCache(storePath, { warn: (message) => warnings.push(message) });
}
