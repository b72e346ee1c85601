import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Cache } from "../../contract/cache.ts";
import type { RunInput } from "../../contract/level.ts";
import { notLoadedLines } from "../../contract/not-loaded.ts";
import { type SkipReason, triggeringSuite } from "../../contract/trigger-report.ts";
import type { WantsCase } from "../../engine/case-selection.ts";
import { nothingRuns } from "../../engine/plain-suite.ts";
import type { PreparedRun } from "../../engine/prepared-run.ts";
import { inputPool } from "../../engine/run-inputs.ts";
import { noModel, unlessNoModel } from "../../engine/without-model.ts";
import { callCap } from "../../models/model-registry.ts";
import { findExclusion } from "../../routing/eligible.ts";
import { openOrClose } from "../../shared/async/open-or-close.ts";
import type { Json } from "../../shared/json/json.ts";
import { redactor } from "../../shared/text/redact.ts";
import { UserError } from "../../shared/user-error.ts";
import { discoverSkills, type FoundFolder } from "../../skills/discover/discover-skills.ts";
import { memoryCache } from "../../store/memory-cache.ts";
import { openCache } from "../../store/open-cache.ts";
import { checkJudging } from "./check-judging.ts";
import { chooseJudge, judgeChoice, lacksJudge } from "./choose-judge.ts";
import type { TriggerSettings } from "./details.ts";
import { triggerLevel } from "./level.ts";
import { type Catalog, loadCatalog } from "./load-catalog.ts";
import { type JudgeContext, openTriggerJudges, type TriggerJudges } from "./open-trigger-judges.ts";
import {
  hasBlock,
  hasEvalFile,
  type ReplaceTriggering,
  readTriggerSkills,
  selectQueries,
  type TriggerSkill,
  wantedQueries,
} from "./read-trigger-skills.ts";
import type { TriggerSuiteOptions } from "./request.ts";
import { openSubject, skippedSubject, skipReason, type TriggerSubject } from "./subject.ts";
import { triggerSuite } from "./suite.ts";

export interface TriggerSuiteContext extends JudgeContext {
  /** The store of replies, vectors and calibrations. */
  storePath: string;
  /** Never part of a skill's digest. */
  exclude: readonly string[];
  /** No model is called, so nothing is stored. */
  isDryRun?: boolean | undefined;
  /** Whether skills without a block are listed as skipped. */
  listsUntested: boolean;
  /** Replaces a skill's own block. */
  triggeringFor?: ReplaceTriggering | undefined;
  /** Whether an example of a skill that equals the request is left out of its routing text. */
  leavesExamplesOut?: boolean | undefined;
  /** Whether all skills of the catalog are tested: unreadable ones are left out with a warning. */
  isWholeCatalog?: boolean | undefined;
  /** Whether an invalid block is left out with a warning; else it is an error. */
  pardonsBlocks?: boolean | undefined;
  /** Whether only one task is run, which skips all trigger tests. */
  isSingleCase?: boolean | undefined;
  /** Chooses among the queries. */
  wants?: WantsCase | undefined;
  /** The folder of a skill → query sets that lie in it. */
  ownSets?: ReadonlyMap<string, readonly string[]> | undefined;
  /** Whether skills whose judge has no model are skipped; else that is an error. */
  leavesModelsOut?: boolean | undefined;
  /** Whether inconclusive queries count as known; else they have no verdict. */
  allowsInconclusive?: boolean | undefined;
}

/** Trigger tests that are ready to start: everything is read and checked, and no judge was asked. */
export interface ReadyTriggers extends PreparedRun {
  /** Including skipped ones. */
  subjects: readonly TriggerSubject[];
  catalog: Catalog;
  judges: TriggerJudges;
  cache: Cache;
  /** Skill id → what its judgments rest on. */
  inputs: ReadonlyMap<string, readonly RunInput[]>;
  warnings: string[];
  allowsInconclusive: boolean;
}

/** Checks everything that can be checked before the first question; null where no skill has trigger tests. */
export async function prepareTriggers(
  options: TriggerSuiteOptions,
  context: TriggerSuiteContext,
): Promise<ReadyTriggers | null> {
  const { cwd, skills: paths, sets, cases } = options;
  const all = context.isWholeCatalog ? [] : await discoverSkills({ paths, cwd, whenUnreadable: "keep" });
  const hasFile = context.isSingleCase ? hasBlock : hasEvalFile;
  const mayHaveTests = (one: FoundFolder) => hasFile(one) || context.ownSets?.has(one.dir) === true;
  const named = context.listsUntested || sets.length > 0 ? all : all.filter(mayHaveTests);
  if (named.length === 0 && !context.isWholeCatalog) return null;
  const isWhole = context.isWholeCatalog === true;
  const catalog = await loadCatalog({ cwd, dirs: options.catalog, named, isWhole });
  const found = isWhole ? catalog.skills.map((entry) => entry.found) : named;
  if (catalog.notLoaded.length > 0 && catalog.skills.length === 0) throw noneLoaded(catalog);
  if (found.length === 0) return null;
  const warnings = [...catalog.warnings];
  const reading = {
    sets,
    ownSets: context.ownSets,
    cwd,
    exclude: context.exclude,
    isSkipped: context.isSingleCase === true,
    triggeringFor: context.triggeringFor,
    pardon: context.pardonsBlocks ? (error: UserError) => void warnings.push(error.message) : undefined,
  };
  const read = await readTriggerSkills(found, catalog, reading);
  const isListed = ({ triggering }: TriggerSkill) => triggering !== null || context.isSingleCase === true;
  const listed = selectQueries(context.listsUntested ? read : read.filter(isListed), cases);
  const skills = context.wants === undefined ? listed : wantedQueries(listed, context.wants);
  if (skills.length === 0) return null;
  const cache = await cacheFor(context, keepsAnything(skills, options), (message) => warnings.push(message));
  const judges = await openOrClose(
    () => cache[Symbol.asyncDispose](),
    async () => openTriggerJudges(options, catalog, context, cache),
  );
  const close = async () => {
    await judges[Symbol.asyncDispose]();
    await cache[Symbol.asyncDispose]();
  };
  return openOrClose(close, async () => {
    const parts = { options, judges, cache };
    const oneSubject = async (skill: TriggerSkill, skipped: SkipReason | null) => {
      if (skipped !== null) return skippedSubject(skill, skipped, options);
      if (context.leavesModelsOut !== true) return openSubject(skill, parts);
      const lacking = lacksJudge(options, judgeChoice(options, skill.triggering));
      const opened = lacking === null ? await unlessNoModel(() => openSubject(skill, parts)) : null;
      return opened ?? skippedSubject(skill, lacking ?? noModel, options);
    };
    const subjects: TriggerSubject[] = [];
    for (const skill of skills) {
      const skipped = context.isSingleCase ? "single-case" : skipReason(skill);
      subjects.push(await oneSubject(skill, skipped));
    }
    await checkJudging(subjects);
    warnings.push(...subjects.flatMap((subject) => exclusionWarnings(subject, options)));
    if (options.judge.agent !== null && !subjects.some(({ judge }) => judge?.kind === "agent"))
      warnings.push("--agent has no effect: no skill is judged by an agent; add --judge agent");
    const inputs = triggerInputs(subjects, options, context);
    return readyTriggers({ subjects, catalog, judges, cache, inputs, warnings }, options, context, close);
  });
}

/** Where its requests are written; with an agent, which reads a skill itself, all of its files. */
function triggerInputs(
  subjects: readonly TriggerSubject[],
  { cwd, sets }: TriggerSuiteOptions,
  { exclude, triggeringFor, ownSets = new Map() }: TriggerSuiteContext,
): ReadyTriggers["inputs"] {
  if (triggeringFor !== undefined) return new Map();
  const pool = inputPool({ cwd, exclude });
  const given = sets.map((path) => resolve(cwd, path));
  return new Map(
    subjects.map(({ skill, found, digest, judge }) => {
      const own = ownSets.get(found.dir) ?? [];
      const read = judge?.kind === "agent" ? pool.skills([{ ...skill, digest }]) : [];
      return [skill.id, [...pool.files([join(found.dir, "eval.yaml"), ...given, ...own]), ...read]];
    }),
  );
}

function noneLoaded({ notLoaded }: Catalog): UserError {
  const [first = "no skill can be loaded"] = notLoadedLines(notLoaded);
  return new UserError("skill-invalid", first, {
    path: notLoaded[0]?.path,
    hint: "`eval-skills doctor` shows what is wrong with each",
  });
}

function readyTriggers(
  parts: Pick<ReadyTriggers, "subjects" | "catalog" | "judges" | "cache" | "inputs" | "warnings">,
  options: TriggerSuiteOptions,
  { allowsInconclusive = false, models: { replay }, wants }: TriggerSuiteContext,
  close: () => Promise<void>,
): ReadyTriggers {
  const { subjects, judges, catalog, inputs } = parts;
  const judged = subjects.filter(({ skipped }) => skipped === null);
  const models = [...new Set(judged.flatMap(({ judgeName }) => judgeName.model ?? []))];
  const { seed, timeoutMs } = options;
  const isSelected = wants !== undefined;
  const secrets = judges.secrets();
  const redact = redactor(secrets);
  const replaysModels = replay !== null && models.length > 0;
  const facts = { subjects, judges, inputs, seed, redact, allowsInconclusive, timeoutMs, replaysModels };
  return {
    ...parts,
    allowsInconclusive,
    suites: (context) => [
      triggerSuite(
        { ...facts, redact: context.redact, isPartial: options.cases.length > 0 || isSelected },
        context,
      ),
    ],
    containment: nothingRuns,
    secrets,
    redact,
    notLoaded: catalog.notLoaded,
    skipped: subjects.flatMap(({ skill, skipped }) =>
      skipped === null
        ? []
        : [
            {
              level: triggerLevel.name,
              suite: triggeringSuite,
              skillId: skill.id,
              caseId: null,
              reason: skipped,
            },
          ],
    ),
    seed,
    skillIds: subjects.map(({ skill }) => skill.id),
    models,
    callCap: models.length === 0 ? null : callCap(options.models, models),
    conditions: () =>
      Object.fromEntries(judged.map((subject) => [`judge of ${subject.skill.id}`, judgeWords(subject)])),
    askCanaries: judges.askCanaries,
    settings: () => ({ triggering: triggerSettings(subjects, options) as unknown as Json }),
    [Symbol.asyncDispose]: close,
  };
}

/** Who judged and how. If it differs, that may explain the difference between two reports. */
function judgeWords({ judgeName, repeats, threshold }: TriggerSubject): string {
  const { kind, label = kind, model, prompt } = judgeName;
  const words = [label, model, prompt].filter((part) => part !== null).join(" ");
  return `${words}, repeats ${repeats}, threshold ${threshold}`;
}

function triggerSettings(
  subjects: readonly TriggerSubject[],
  { repeats, threshold }: Pick<TriggerSuiteOptions, "repeats" | "threshold">,
): TriggerSettings {
  const judged = subjects.filter(({ skipped }) => skipped === null);
  const skipped = subjects.filter((subject) => subject.skipped !== null);
  return {
    repeats: repeats ?? Math.max(1, ...judged.map((subject) => subject.repeats)),
    threshold: threshold ?? judged[0]?.threshold ?? 0.5,
    skipped: skipped.map(({ skill, digest, judgeName, ...subject }) => ({
      skillId: skill.id,
      skillDigest: digest,
      judge: judgeName,
      threshold: subject.threshold,
    })),
  };
}

/** An excluded skill is never chosen, so its negatives always pass: that must not look like a good skill. */
function exclusionWarnings({ judge, routable }: TriggerSubject, { filters }: TriggerSuiteOptions): string[] {
  if (judge?.kind !== "router" && judge?.kind !== "catalog") return [];
  const excluded = findExclusion(routable, filters);
  return excluded === null ? [] : [`no request can load ${routable.id}: it takes no part (${excluded})`];
}

/** Dry runs and lexical runs do not create a store. */
async function cacheFor(
  { storePath, isDryRun = false }: TriggerSuiteContext,
  keeps: boolean,
  warn: (message: string) => void,
): Promise<Cache> {
  if ((isDryRun || !keeps) && !existsSync(storePath)) return memoryCache();
  return openCache(storePath, { warn });
}

/** Whether there will be replies or vectors that the next run can use. */
function keepsAnything(skills: readonly TriggerSkill[], options: TriggerSuiteOptions): boolean {
  if (options.router.embedding !== null) return true;
  return skills.some(
    (skill) =>
      skipReason(skill) === null && chooseJudge(options, skill.triggering, skill.skill.id).model !== null,
  );
}
