import { hash } from "node:crypto";
import type { Judge, JudgeAnswer, JudgedSkill } from "../../../contract/judge.ts";
import { type Clock, systemClock } from "../../../shared/async/clock.ts";
import { canonicalJson } from "../../../shared/json/canonical-json.ts";
import type { Json } from "../../../shared/json/json.ts";
import { listed } from "../../../shared/text/phrases.ts";
import { shownText } from "../../../shared/text/visible-text.ts";
import { noEffort } from "./no-effort.ts";

export interface AgentJudgeOptions {
  agent: TriggerAgent;
  /** The skills that its projects hold. */
  catalog: readonly JudgedSkill[];
  /** Makes a project for one question: parallel agents must not see each other's. */
  openProject: (signal: AbortSignal) => Promise<AgentProject>;
  clock?: Clock;
}

/** Observes what an agent does with a request: yes means that it activated the skill at any point. */
export function agentJudge({ agent, catalog, openProject, clock = systemClock }: AgentJudgeOptions): Judge {
  const ownerIds = ownersByName(catalog);
  return {
    kind: "agent",
    model: null,
    prompt: null,
    label: `agent (${agent.name})`,
    isDeterministic: false,
    isPaid: true,
    identity: { kind: "agent", agent: agent.identity, catalog: catalogHash(catalog) },
    async judge({ skill, query }, signal) {
      signal.throwIfAborted();
      const began = clock.monotonic();
      const outcome = await observe();
      const ms = Math.round((clock.monotonic() - began) * 1000) / 1000;
      return { ...judgeAnswer(outcome, skill.id, ownerIds), ms };

      async function observe(): Promise<AgentOutcome> {
        try {
          await using project = await openProject(signal);
          return await agent.run({ query: query.text, project: project.path }, signal);
        } catch (error) {
          signal.throwIfAborted();
          return { status: "failed", message: (error as Error).message };
        }
      }
    },
  };
}

function judgeAnswer(
  outcome: AgentOutcome,
  id: string,
  ownerIds: ReadonlyMap<string, readonly string[]>,
): JudgeAnswer {
  if (outcome.status === "failed")
    return { outcome: "error", code: "agent", message: outcome.message, ...noEffort };
  if (outcome.status === "timed-out")
    return { outcome: "error", code: "timeout", message: outcome.message, ...noEffort };
  const { activated } = outcome;
  const owners = activated.map((name) => ownerIds.get(name) ?? []);
  const isActivated = owners.some((ids) => ids.includes(id));
  const names = activated.map((name) => shownText(name));
  return {
    outcome: isActivated ? "yes" : "no",
    reason: activated.length === 0 ? "activated no skill" : `activated ${listed(names, maxNames)}`,
    chosen: isActivated ? id : (owners.flat()[0] ?? null),
    ...noEffort,
  };
}

const maxNames = 10;

/** The skills with a name, exactly. An id refers to its skill alone, an alias to every skill that has it. */
function ownersByName(catalog: readonly JudgedSkill[]): Map<string, readonly string[]> {
  const owners = new Map<string, readonly string[]>();
  for (const { id, aliases } of catalog)
    for (const alias of aliases) owners.set(alias, [...(owners.get(alias) ?? []), id]);
  for (const { id } of catalog) owners.set(id, [id]);
  return owners;
}

function catalogHash(catalog: readonly JudgedSkill[]): string {
  const skills = catalog.map(({ id, aliases }) => canonicalJson([id, aliases]));
  return hash("sha256", canonicalJson(skills.toSorted()), "hex");
}

/** Which skills an agent used for a request. */
export type AgentOutcome =
  /** With the names of activated skills, in order. */
  | { status: "answered"; activated: readonly string[] }
  | { status: "failed"; message: string }
  | { status: "timed-out"; message: string };

/** A real or scripted agent: gets a request in a project folder that contains the catalog. */
export interface TriggerAgent {
  /** As reports name it. */
  readonly name: string;
  /** Everything about it that may change what it does: part of the identity of what it judges. Holds no secret. */
  readonly identity: Json;
  /** Throws only the signal's reason. */
  run(request: { query: string; project: string }, signal: AbortSignal): Promise<AgentOutcome>;
}

/** A folder for one run of an agent with every skill of a catalog installed; removed on disposal. */
export interface AgentProject extends AsyncDisposable {
  readonly path: string;
}
