import { resumedModels, type SaidModels } from "../resumed-models.ts";
import { type Session, type SessionContext, sessionsFor } from "../session.ts";
import { shortDigest, shortHash } from "../short-digest.ts";
import { subjectOf } from "./agent-cells.ts";
import type { AgentPlan } from "./agent-request.ts";
import { type AgentSurroundings, prepareAgents, type ReadyAgents } from "./prepare-agents.ts";

/** A run of `agent eval` with everything it needs to go on. */
export type AgentSession = Session<AgentPlan, ReadyAgents>;

export interface SessionSurroundings extends AgentSurroundings, SessionContext {
  /** What is said about models now, for a run that was planned before. */
  said?: SaidModels | undefined;
}

export const agentSessions = sessionsFor<AgentPlan, ReadyAgents, SessionSurroundings>({
  command: "agent eval",
  format: 2,
  prepare: prepareAgents,
  identity: identityOf,
  resumed: (plan, { said }) => ({ ...plan, settings: resumedModels(plan.settings, said) }),
});

/** What a run is made of, in words that name what changed. */
function identityOf({ jobs }: ReadyAgents): Record<string, string> {
  const identity: Record<string, string> = {};
  for (const job of jobs) {
    const { loaded, limits, policy } = job;
    const name = `${loaded.suite}/${loaded.case.id}`;
    identity[`case ${name}`] = shortDigest(loaded.digest);
    identity[`the skills of ${name}`] = shortHash(job.skills);
    identity[`the limits of ${name}`] = shortHash({ limits, policy });
    identity[`the model ${subjectOf(job)}`] = shortHash(job.identity);
    if (job.judge !== null) identity["the judge of rubrics"] = shortHash(job.judge);
  }
  return identity;
}
