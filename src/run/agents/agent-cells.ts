import { canonicalJson, sha256 } from "../../base/canonical-json.ts";
import { protocolVersion } from "../../contract/agent-action.ts";
import type { AgentLimits, AgentPolicy } from "../../contract/agent-limits.ts";
import { agentSuite } from "../../contract/agent-report.ts";
import type { Cell, ResolvedTask } from "../../contract/cell.ts";
import type { Json } from "../../contract/json.ts";
import type { LoadedCase } from "../../contract/loaded-case.ts";
import { reportScorer } from "./report-scorer.ts";

/** What a cell of an agent case is made of, besides the case. */
export interface CellFacts {
  loaded: LoadedCase;
  task: ResolvedTask;
  /** `mock`, an id, or `none` for a pure function. */
  model: string;
  /** With which skills: all, or none for the baseline. */
  condition: "with-skills" | "no-skills";
  trial: number;
  /** Everything about the model that may change what it says. */
  identity: Json;
  /** Digests of the skills in its roots. */
  skills: Json;
  limits: AgentLimits | null;
  policy: AgentPolicy | null;
  /** Who judges its rubric; null where it has none, or nobody does. */
  judge: Json;
  /** Of the whole cell. */
  deadlineMs: number;
}

export interface AgentJob extends CellFacts {
  cell: Cell;
}

/** The cell of one trial of a case. Its key leaves the grader out: a new one grades the run that is there. */
export function agentCell(facts: CellFacts, position: number): Cell {
  const { loaded, model, condition, trial, identity, skills, limits, policy, judge } = facts;
  const { suite, digest } = loaded;
  const key = sha256(
    canonicalJson({
      suite: agentSuite(suite),
      case: { id: loaded.case.id, digest },
      skills,
      limits,
      policy,
      ...(judge !== null && { judge }),
      model: { id: model, identity },
      condition,
      protocol: protocolVersion,
      trial,
    }),
  );
  return {
    key,
    position,
    suiteId: agentSuite(suite),
    skill: { id: subjectOf(facts), digest: sha256(canonicalJson(skills)) },
    task: facts.task,
    trial,
    deadlineMs: facts.deadlineMs,
  };
}

/** A case as the engine knows it: one for all its trials. */
export function taskOf(loaded: LoadedCase): ResolvedTask {
  return {
    task: {
      id: loaded.case.id,
      inputData: "request" in loaded ? loaded.request : loaded.case.input,
      expectedOutput: { type: "agent" },
      tags: loaded.case.tags,
      weight: 1,
    },
    digest: loaded.digest,
    scorer: reportScorer,
    scorerDigest: sha256("agent"),
  };
}

/** Who is tested, as the store and `history` name it. */
export function subjectOf({ model, condition }: Pick<CellFacts, "model" | "condition">): string {
  return condition === "no-skills" ? `${model} (no skills)` : model;
}
