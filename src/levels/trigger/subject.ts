import type { Cache } from "../../contract/cache.ts";
import type { Judge } from "../../contract/judge.ts";
import type { JudgeName, SkipReason } from "../../contract/trigger-report.ts";
import { maxRepeats, type TriggerGate, type TriggerQuery } from "../../contract/triggering.ts";
import { canonicalJson, sha256 } from "../../shared/json/canonical-json.ts";
import { UserError } from "../../shared/user-error.ts";
import { calibratedJudge, chooseJudge, judgeChoice } from "./choose-judge.ts";
import type { TriggerJudges } from "./open-trigger-judges.ts";
import type { TriggerSkill } from "./read-trigger-skills.ts";
import type { TriggerSuiteOptions } from "./request.ts";
import { isUnreplicated, minRepeats } from "./verdict/decide-query.ts";
import type { GoldAgreement } from "./verdict/gold-agreement.ts";

/** The trigger tests of one skill, ready to be judged. */
export interface TriggerSubject extends TriggerSkill {
  /** Empty where they are skipped. */
  queries: readonly TriggerQuery[];
  skipped: SkipReason | null;
  /** Null where they are skipped. */
  judge: Judge | null;
  judgeName: JudgeName;
  repeats: number;
  threshold: number;
  gate: TriggerGate;
  cardSha256: string;
  /** How far its judge agrees with people; null where it is not calibrated. */
  agreement: GoldAgreement | null;
}

interface SubjectParts {
  options: TriggerSuiteOptions;
  judges: TriggerJudges;
  cache: Cache;
}

export async function openSubject(
  skill: TriggerSkill,
  { options, judges, cache }: SubjectParts,
): Promise<TriggerSubject> {
  const { triggering, judged } = skill;
  const { id } = skill.skill;
  const choice = chooseJudge(options, triggering, id);
  const judge = await judges.judgeFor(choice);
  const { kind, model, prompt, label } = judge;
  const written = triggering?.judge ?? {};
  const calibration = cache.calibration(calibratedJudge(judge, choice.rank));
  const { description, triggers, notFor } = judged.card;
  if (triggering !== null && description === "")
    throw new UserError("suite-invalid", `${id} has no description for a judge to read`, {
      path: skill.found.dir,
      hint: "add a description to its manifest: what it does and when to use it",
    });
  const repeats = judge.isDeterministic ? 1 : (options.repeats ?? written.repeats ?? 1);
  const threshold = options.threshold ?? written.threshold ?? 0.5;
  refuseHopeless(id, repeats, threshold);
  return {
    ...skill,
    queries: triggering?.queries ?? [],
    skipped: null,
    judge,
    judgeName: { kind, model, prompt, label, why: choice.why },
    repeats,
    threshold,
    gate: triggering?.gate ?? {},
    cardSha256: sha256(canonicalJson({ description, triggers, notFor })).slice("sha256:".length),
    agreement: calibration && { kappa: calibration.kappa, minKappa: choice.minKappa },
  };
}

/** Refuses repeats that could never decide a query, even if all answers agree. Fewer than four decide by agreeing. */
function refuseHopeless(skillId: string, repeats: number, threshold: number): void {
  const needed = minRepeats(threshold);
  if (isUnreplicated({ repeats }) || repeats >= needed) return;
  throw new UserError(
    "usage",
    `${repeats} judgments can never reach a threshold of ${threshold} for ${skillId}, even if all agree`,
    {
      hint:
        needed > maxRepeats
          ? "choose a threshold closer to 0.5"
          : `ask with --runs ${needed}, or choose a threshold closer to 0.5`,
    },
  );
}

export function skippedSubject(
  skill: TriggerSkill,
  skipped: SkipReason,
  options: TriggerSuiteOptions,
): TriggerSubject {
  const { kind, model, why } = judgeChoice(options, skill.triggering);
  return {
    ...skill,
    queries: [],
    skipped,
    judge: null,
    judgeName: { kind, model, prompt: null, why },
    repeats: 0,
    threshold: options.threshold ?? 0.5,
    gate: {},
    cardSha256: "",
    agreement: null,
  };
}

export function skipReason({ triggering }: TriggerSkill): SkipReason | null {
  if (triggering === null) return "no-block";
  return triggering.queries.length === 0 ? "empty-lists" : null;
}
