import { randomUUID } from "node:crypto";
import { converse } from "../../agent/conversation/converse.ts";
import { modelSpeaker } from "../../agent/conversation/model-speaker.ts";
import { scriptSpeaker } from "../../agent/conversation/script-speaker.ts";
import type { CaseReport } from "../../contract/agent-report.ts";
import { builtInTools } from "../../contract/built-in-tools.ts";
import type { ConversationRecord } from "../../contract/conversation.ts";
import type { Speaker } from "../../contract/conversation-parts.ts";
import type { LoadedConversationCase } from "../../contract/loaded-case.ts";
import type { Skill } from "../../contract/skill.ts";
import type { TelemetryContext } from "../../contract/telemetry.ts";
import type { AgentJob } from "../agents/agent-cells.ts";
import type { AgentWorld } from "../agents/execute-agent.ts";
import { conversationTelemetry } from "../telemetry/conversation-telemetry.ts";
import { judgeConversation } from "./judge-conversation.ts";
import { openDocument } from "./open-document.ts";

export type ConversationJob = AgentJob & { loaded: LoadedConversationCase };

/** Holds the conversation of a case once, and grades what was said. */
export async function executeConversation(
  job: ConversationJob,
  world: AgentWorld,
  signal: AbortSignal,
): Promise<CaseReport> {
  const { loaded, trial, model } = job;
  const { conversations, clock } = world;
  const { setup, constraints } = loaded.case;
  const document = loaded.document === null ? null : await openDocument(loaded.document);
  const host = setup.host ?? null;
  const chosen = await conversations
    .skillsOf(loaded)
    .select({ query: loaded.request, host, documentName: document?.name, forced: loaded.forced }, signal);
  const told = conversationTelemetry(world.telemetry, contextOf(job, world));
  told.selected(chosen);
  const held = await converse(
    {
      request: loaded.request,
      host,
      document,
      ...chosen,
      builtIns: builtInTools,
      speaker: await speakerOf(job, world),
      hosts: conversations.hosts,
      limits: {
        maxTurns: constraints.max_turns,
        maxToolCalls: constraints.max_tool_calls,
        timeoutMs: conversations.deadlineOf(loaded),
      },
      clock,
      listen: told,
    },
    signal,
  );
  const record = withEdits(held, await conversations.skillsOf(loaded).current());
  told.applied(chosen.skills, record.final);
  return judgeConversation(record, loaded, { trial, model }, world);
}

/** What was saved in the middle of it: a tool that was called after that was the newer one. */
function withEdits(record: ConversationRecord, skills: readonly Skill[]): ConversationRecord {
  const selected = record.selected.map((skill) => {
    const edited_to = skills.find(({ id }) => id === skill.id)?.digest ?? "";
    return edited_to === skill.digest ? skill : { ...skill, edited_to };
  });
  return { ...record, selected };
}

function contextOf({ cell, loaded }: ConversationJob, { evalRunId }: AgentWorld): TelemetryContext {
  const { host } = loaded.case.setup;
  return {
    run_id: evalRunId,
    cell_id: cell.key,
    case_id: loaded.case.id,
    session_id: randomUUID(),
    ...(host !== undefined && { host_app: host }),
  };
}

async function speakerOf({ loaded, model, trial }: ConversationJob, world: AgentWorld): Promise<Speaker> {
  const { mock } = loaded.case;
  if (model === "mock" && mock !== undefined) return scriptSpeaker(mock);
  const { temperature } = world.plan.settings.llm;
  return modelSpeaker(await world.models.plain(model), { trial, temperature });
}
