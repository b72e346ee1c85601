import type { JudgeKind } from "../../contract/judge-kind.ts";
import type { Triggering } from "../../contract/triggering.ts";
import { UserError } from "../../contract/user-error.ts";
import type { PassOptions } from "./trigger-request.ts";

/** Who judges the queries of a skill, how often, and why that one. */
export interface JudgeChoice {
  kind: JudgeKind;
  /** Null where none speaks. */
  model: string | null;
  why: string;
  reask: number;
  rank: "selected" | "top1";
  minKappa: number;
}

const usualKappa = 0.6;

/**
 * Decides who judges. Nothing but flags and the skill's own file names a model, so that no paid call starts by
 * accident.
 */
export function chooseJudge(
  { judge: flags }: Pick<PassOptions, "judge">,
  triggering: Triggering | null,
  skillId: string,
): JudgeChoice {
  const said = triggering?.judge ?? {};
  const model = flags.model ?? said.model ?? triggering?.defaultModel ?? null;
  const { kind, why } = kindOf(flags.kind, said.kind ?? null, model);
  const asksModel = kind === "model" || kind === "catalog";
  if (asksModel && model === null) {
    throw new UserError("usage", `the judge ${kind} of ${skillId} needs a model, and none is named`, {
      hint: "name one with --judge-model <provider/model>, or in eval.yaml: triggering.judge.model",
    });
  }
  if (kind === "agent" && flags.agent === null) {
    throw new UserError("usage", `the judge agent of ${skillId} needs an agent, and none is named`, {
      hint: `eval-skills trigger … --agent "<command>" names the program that runs one; eval and run have none, so name another kind for them in eval.yaml`,
    });
  }
  return {
    kind,
    model: asksModel ? model : null,
    why,
    reask: said.reask ?? 0,
    rank: said.rank ?? "selected",
    minKappa: said.min_kappa ?? usualKappa,
  };
}

function kindOf(
  flag: JudgeKind | null,
  said: JudgeKind | null,
  model: string | null,
): { kind: JudgeKind; why: string } {
  if (flag !== null) return { kind: flag, why: "--judge" };
  if (said !== null) return { kind: said, why: "eval.yaml" };
  if (model !== null) return { kind: "model", why: "a model is named" };
  return { kind: "router", why: noModel };
}

/** Why the router judges where nobody chose it. */
export const noModel = "no model configured";
