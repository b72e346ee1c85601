import type { AgentContext, AgentPlan } from "../../cases/case-request.ts";
import { protocolVersion } from "../../contract/agent-action.ts";
import { subjectName } from "../../contract/cell.ts";
import { type ConfiguredModels, resumedModels } from "../../engine/resumed-models.ts";
import { type Planning, type SessionContext, sessionsFor } from "../../engine/session.ts";
import { shortDigest, shortHash } from "../../engine/stored-plan.ts";
import { prepareAgents, type ReadyAgents } from "./prepare.ts";

export interface AgentSessionContext extends AgentContext, SessionContext {
  /** The models configured now, for a run that was planned before. */
  configuredModels?: ConfiguredModels | undefined;
}

export const agentPlanning: Planning<AgentPlan, ReadyAgents, AgentSessionContext> = {
  command: "agent eval",
  format: 7,
  prepare: prepareAgents,
  identity: runIdentity,
  resumed: (planned, now, { configuredModels }) => ({
    ...now,
    agent: resumedLimits(planned.agent, now.agent),
    settings: resumedModels(planned.settings, configuredModels),
  }),
};

export const agentSessions = sessionsFor(agentPlanning);

/** The limits of agents as planned; programs, models and what may be spent are those of now. */
function resumedLimits(planned: AgentPlan["agent"], now: AgentPlan["agent"]): AgentPlan["agent"] {
  const { interpreters, fallback_model, max_cost_usd } = now;
  return { ...planned, interpreters, fallback_model, max_cost_usd };
}

/** Name of each input → hash. The part after `|` only affects how a run is graded. */
function runIdentity({ plans, cases: all }: ReadyAgents): Record<string, string> {
  const judges = new Set(all.flatMap(({ judge }) => (judge === null ? [] : [shortHash(judge)])));
  const identity: Record<string, string> = {
    "the judges": `|${[...judges].join(" ")}`,
    "the protocol of actions": String(protocolVersion),
  };
  for (const { suite, cases, subjects } of plans) {
    for (const { id, digest, loaded, skills, limits, policy } of cases) {
      const name = `${suite}/${id}`;
      identity[`case ${name}`] = `${shortDigest(loaded.requestDigest)}|${shortDigest(digest)}`;
      identity[`the skills of ${name}`] = shortHash(skills);
      identity[`the limits of ${name}`] = shortHash({ limits, policy });
    }
    for (const subject of subjects)
      identity[`the model ${subjectName(subject)}`] = shortHash(subject.identity);
  }
  return identity;
}
