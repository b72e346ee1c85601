import { resolve } from "node:path";
import type { Calibration } from "../../contract/cache.ts";
import type { Judge, Judgment } from "../../contract/judge.ts";
import type { JudgeName } from "../../contract/trigger-report.ts";
import { type Clock, isoTime } from "../../shared/async/clock.ts";
import { forEachLimited } from "../../shared/async/each-of.ts";
import { openOrClose } from "../../shared/async/open-or-close.ts";
import { readTextFile } from "../../shared/files/read-text-file.ts";
import { sha256 } from "../../shared/json/canonical-json.ts";
import { didYouMean } from "../../shared/text/nearest.ts";
import { UserError } from "../../shared/user-error.ts";
import { openCache } from "../../store/open-cache.ts";
import { calibratedJudge, chooseJudge } from "./choose-judge.ts";
import { type Catalog, type CatalogSkill, loadCatalog } from "./load-catalog.ts";
import { openTriggerJudges } from "./open-trigger-judges.ts";
import type { TriggerSuiteContext } from "./prepare.ts";
import type { TriggerSuiteOptions } from "./request.ts";
import { quorum } from "./verdict/decide-query.ts";
import { calibrationFigures, type GoldLabel, readGold } from "./verdict/gold-labels.ts";
import { askOnce } from "./verdict/judge-query.ts";

interface CalibrationRequest {
  /** The file of labels. */
  gold: string;
  options: TriggerSuiteOptions;
  context: TriggerSuiteContext;
  concurrency: number;
  clock: Clock;
  signal: AbortSignal;
}

/** Asks a judge about every labelled query once, and stores the agreement. */
export async function calibrateJudge(request: CalibrationRequest): Promise<JudgeCalibration> {
  const { options, context, clock } = request;
  const text = readGoldFile(request.gold, options.cwd);
  const labels = readGold(text, request.gold);
  const catalog = await loadCatalog({ cwd: options.cwd, dirs: options.catalog, named: [] });
  const skills = skillsByName(labels, catalog, request.gold);
  const cache = await openCache(context.storePath);
  return openOrClose(
    () => cache[Symbol.asyncDispose](),
    async () => {
      // The labels are the check.
      const unchecked = { ...context, reliance: "unchecked" as const };
      await using judges = openTriggerJudges(options, catalog, unchecked, cache);
      const choice = chooseJudge(options, null, "the labels");
      const judge = await judges.judgeFor(choice);
      const answers = await judgeAll(labels, skills, judge, request);
      const { kind, model, prompt, label } = judge;
      const calibration: Calibration = {
        ...calibratedJudge(judge, choice.rank),
        ...calibrationFigures(answers, options.seed),
        goldSha256: sha256(text),
        at: isoTime(clock.now()),
      };
      const isKept = isConclusive(calibration);
      if (isKept) cache.keepCalibration(calibration);
      await cache[Symbol.asyncDispose]();
      return {
        judge: { kind, model, prompt, label, why: choice.why },
        calibration,
        isKept,
        disagreements: answers.filter(({ label, answer }) => label !== answer),
        minKappa: choice.minKappa,
      };
    },
  );
}

/** An outage says nothing about a judge: as with repeats, 80 % of the answers must be usable. */
function isConclusive({ labels, unanswered, kappa }: Calibration): boolean {
  return kappa !== null && labels - unanswered >= quorum(labels);
}

async function judgeAll(
  labels: readonly GoldLabel[],
  skills: ReadonlyMap<string, CatalogSkill>,
  judge: Judge,
  { concurrency, signal }: CalibrationRequest,
): Promise<JudgedLabel[]> {
  const judged = new Map<GoldLabel, JudgedLabel>();
  await forEachLimited(labels, concurrency, async (gold) => {
    const { skill, query, label } = gold;
    const { judged: card } = skills.get(skill) as CatalogSkill;
    // Labels are about cards, not files: the same card gives the same question whatever else changed.
    const digest = sha256(JSON.stringify(card.card));
    const labelledQuery = { id: sha256(query).slice(7, 19), text: query };
    const answer = await askOnce(
      { skill: { ...card, digest }, query: labelledQuery, repeat: 0 },
      { judge, signal },
    );
    const isDecided = answer.outcome === "yes" || answer.outcome === "no";
    judged.set(gold, {
      skill,
      query,
      label,
      answer: isDecided ? answer.outcome : null,
      why: isDecided ? answer.reason : whyNot(answer),
    });
  });
  return labels.map((gold) => judged.get(gold) as JudgedLabel);
}

function whyNot(answer: Judgment): string {
  if (answer.outcome === "invalid") return answer.why;
  return answer.outcome === "error" ? `${answer.code}: ${answer.message}` : "no answer";
}

const maxGoldBytes = 16 * 1024 * 1024;

function readGoldFile(path: string, cwd: string): string {
  const rules = { code: "suite-invalid", capBytes: maxGoldBytes, shownPath: path } as const;
  return readTextFile(resolve(cwd, path), rules);
}

function skillsByName(
  labels: readonly GoldLabel[],
  catalog: Catalog,
  gold: string,
): Map<string, CatalogSkill> {
  const byName = new Map<string, CatalogSkill>();
  for (const entry of catalog.skills) for (const alias of entry.skill.aliases) byName.set(alias, entry);
  for (const entry of catalog.skills) byName.set(entry.skill.id, entry);
  for (const { skill, line } of labels) {
    if (byName.has(skill)) continue;
    throw new UserError(
      "suite-invalid",
      `line ${line} of ${gold} refers to ${skill}, which is not in the catalog`,
      {
        path: gold,
        hint: didYouMean(skill, [...byName.keys()]) ?? "add its folder with --catalog <dirs...>",
      },
    );
  }
  return byName;
}

/** A gold label and the answer of a judge. */
interface JudgedLabel {
  skill: string;
  query: string;
  label: "yes" | "no";
  /** Null where it gave no usable one. */
  answer: "yes" | "no" | null;
  why: string;
}

/** How far a judge agrees with people, and where it does not. */
export interface JudgeCalibration {
  judge: JudgeName;
  calibration: Calibration;
  /** Whether it was stored for later runs; with too few answers the previous one stays. */
  isKept: boolean;
  disagreements: readonly JudgedLabel[];
  /** Below this a judge informs but cannot gate, unless a skill's file says otherwise. */
  minKappa: number;
}
