import type { CalibratedJudge } from "../../contract/cache.ts";
import type { Judge } from "../../contract/judge.ts";
import type { JudgeKind } from "../../contract/judge-kind.ts";
import type { Triggering } from "../../contract/triggering.ts";
import { UserError } from "../../shared/user-error.ts";
import type { TriggerSuiteOptions } from "./request.ts";
import type { TriggerSubject } from "./subject.ts";

/** Who judges the queries of a skill, how often, and why that one. */
export interface JudgeChoice {
  kind: JudgeKind;
  /** Null where no model is used. */
  model: string | null;
  why: string;
  reask: number;
  rank: "selected" | "top1";
  minKappa: number;
}

const defaultKappa = 0.6;

type Flags = Pick<TriggerSuiteOptions, "judge">;

/**
 * Decides who judges. Nothing but flags and the skill's own file names a model, so that no paid call starts by
 * accident.
 */
export function chooseJudge(flags: Flags, triggering: Triggering | null, skillId: string): JudgeChoice {
  const choice = judgeChoice(flags, triggering);
  const { kind } = choice;
  switch (lacksJudge(flags, choice)) {
    case null:
      return choice;
    case "no-model":
      throw new UserError("usage", `the ${kind} judge of ${skillId} needs a model`, {
        hint: "pass --judge-model <provider/model>, or set triggering.judge.model in eval.yaml",
      });
    default:
      throw new UserError("usage", `the agent judge of ${skillId} needs an agent command`, {
        hint: `eval-skills trigger … --agent "<command>" sets the command; other commands do not support agent judges, so use another kind in eval.yaml for them`,
      });
  }
}

/** What a judge lacks: a model, or the command of an agent; null where it can be asked. */
export function lacksJudge({ judge }: Flags, { kind, model }: JudgeChoice): "no-model" | "no-agent" | null {
  if (kind === "agent") return judge.agent === null ? "no-agent" : null;
  return kind !== "router" && model === null ? "no-model" : null;
}

/** Who would judge, whether or not it can be asked. */
export function judgeChoice({ judge: flags }: Flags, triggering: Triggering | null): JudgeChoice {
  const written = triggering?.judge ?? {};
  const model = flags.model ?? written.model ?? triggering?.defaultModel ?? null;
  const { kind, why } = chooseKind(flags.kind, written.kind ?? null, model);
  return {
    kind,
    model: kind === "model" || kind === "catalog" ? model : null,
    why,
    reask: written.reask ?? 0,
    rank: written.rank ?? "selected",
    minKappa: written.min_kappa ?? defaultKappa,
  };
}

function chooseKind(
  flag: JudgeKind | null,
  written: JudgeKind | null,
  model: string | null,
): { kind: JudgeKind; why: string } {
  if (flag !== null) return { kind: flag, why: "--judge" };
  if (written !== null) return { kind: written, why: "eval.yaml" };
  if (model !== null) return { kind: "model", why: "a model is named" };
  return { kind: "router", why: noModel };
}

const noModel = "no model configured";

/** Why the router judges although it was not chosen, in one line for all affected skills. */
export function unchosenRouter(subjects: readonly TriggerSubject[], howToNameOne: string): string | null {
  const unchosen = subjects.filter(({ judgeName, skipped }) => skipped === null && judgeName.why === noModel);
  if (unchosen.length === 0) return null;
  const hasVectors = unchosen.some(({ judgeName }) => judgeName.label?.includes("vectors"));
  const means = hasVectors ? "words and vectors" : "words";
  return `no model configured: the router judges by ${means}, without understanding the text (${howToNameOne})`;
}

/** The key of a calibration: another model, prompt, agent or way to count a yes is another judge. */
export function calibratedJudge(judge: Judge, rank: "selected" | "top1"): CalibratedJudge {
  const { kind, label } = judge;
  const prompt = judge.prompt ?? "";
  return {
    kind,
    model: kind === "agent" ? label : (judge.model ?? ""),
    prompt: kind === "router" && rank === "top1" ? `${prompt} top1` : prompt,
  };
}
