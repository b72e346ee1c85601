import { existsSync } from "node:fs";
import type { Cache } from "../../contract/cache.ts";
import { triggeringSuite } from "../../contract/trigger-report.ts";
import { nothingRuns } from "../../engine/plain-suite.ts";
import type { PreparedRun } from "../../engine/prepared-run.ts";
import { exclusionOf } from "../../routing/eligible.ts";
import { openOrClose } from "../../shared/async/open-or-close.ts";
import type { Json } from "../../shared/json/json.ts";
import { redactor } from "../../shared/text/redact.ts";
import type { UserError } from "../../shared/user-error.ts";
import { discoverSkills } from "../../skills/discover/discover-skills.ts";
import { memoryCache } from "../../store/memory-cache.ts";
import { openCache } from "../../store/open-cache.ts";
import { checkJudging } from "./check-judging.ts";
import { chooseJudge } from "./choose-judge.ts";
import type { TriggerSettings } from "./details.ts";
import { triggerLevel } from "./level.ts";
import { type Catalog, loadCatalog } from "./load-catalog.ts";
import { type JudgeContext, openTriggerJudges, type TriggerJudges } from "./open-trigger-judges.ts";
import {
  hasBlock,
  hasEvalFile,
  readTriggerSkills,
  selectQueries,
  type TriggeringOf,
  type TriggerSkill,
} from "./read-trigger-skills.ts";
import type { TriggerSuiteOptions } from "./request.ts";
import { skipOf, skippedSubject, subjectOf, type TriggerSubject } from "./subject.ts";
import { triggerSuite } from "./suite.ts";

export interface TriggerSuiteContext extends JudgeContext {
  /** The file that replies, vectors and calibrations are kept in. */
  storePath: string;
  /** Never part of a skill's digest. */
  exclude: readonly string[];
  /** Nobody will be asked, so nothing has to be kept. */
  isDryRun?: boolean | undefined;
  /** Whether skills without a block are listed as skipped. */
  listsUntested: boolean;
  /** What is used in the place of a skill's own block. */
  triggeringOf?: TriggeringOf | undefined;
  /** Whether an example of a skill that is the request itself is left out of its routing text. */
  leavesExamplesOut?: boolean | undefined;
  /** Whether the skills are all those of the catalog: one of them that cannot be read takes no part, and that is told. */
  isWholeCatalog?: boolean | undefined;
  /** Whether a block that cannot be used is told and left out; else it stops the pass. */
  pardonsBlocks?: boolean | undefined;
  /** Whether one task alone is looked at, which leaves the whole pass out. */
  isSingleCase?: boolean | undefined;
  /** Whether queries whose interval leaves both sides open count as known; else they are without verdict. */
  allowsInconclusive?: boolean | undefined;
}

/** Trigger tests that could start: everything was read, checked and counted, and nobody has been asked. */
export interface ReadyTriggers extends PreparedRun {
  /** Those that are skipped among them. */
  subjects: readonly TriggerSubject[];
  catalog: Catalog;
  judges: TriggerJudges;
  cache: Cache;
  warnings: string[];
  allowsInconclusive: boolean;
}

/** Checks everything that can be checked before the first question; null where no skill has trigger tests. */
export async function prepareTriggers(
  pass: TriggerSuiteOptions,
  context: TriggerSuiteContext,
): Promise<ReadyTriggers | null> {
  const { cwd, skills: paths, sets, cases } = pass;
  const all = context.isWholeCatalog ? [] : await discoverSkills({ paths, cwd });
  const mayHaveTests = context.isSingleCase ? hasBlock : hasEvalFile;
  const named = context.listsUntested || sets.length > 0 ? all : all.filter(mayHaveTests);
  if (named.length === 0 && !context.isWholeCatalog) return null;
  const catalog = await loadCatalog({ cwd, dirs: pass.catalog, named });
  const found = context.isWholeCatalog ? catalog.skills.map((entry) => entry.found) : named;
  if (found.length === 0) return null;
  const warnings = [...catalog.warnings];
  const reading = {
    sets,
    cwd,
    exclude: context.exclude,
    isSkipped: context.isSingleCase === true,
    triggeringOf: context.triggeringOf,
    pardon: context.pardonsBlocks ? (error: UserError) => void warnings.push(error.message) : undefined,
  };
  const read = await readTriggerSkills(found, catalog, reading);
  const isListed = ({ triggering }: TriggerSkill) => triggering !== null || context.isSingleCase === true;
  const skills = selectQueries(context.listsUntested ? read : read.filter(isListed), cases);
  if (skills.length === 0) return null;
  const cache = await cacheFor(context, keepsAnything(skills, pass), (message) => warnings.push(message));
  const judges = await openOrClose(
    () => cache[Symbol.asyncDispose](),
    async () => openTriggerJudges(pass, catalog, context, cache),
  );
  const close = async () => {
    await judges[Symbol.asyncDispose]();
    await cache[Symbol.asyncDispose]();
  };
  return openOrClose(close, async () => {
    const parts = { pass, judges, cache };
    const subjects: TriggerSubject[] = [];
    for (const skill of skills) {
      const skipped = context.isSingleCase ? "single-case" : skipOf(skill);
      const isSkipped = skipped !== null;
      subjects.push(isSkipped ? skippedSubject(skill, skipped, pass) : await subjectOf(skill, parts));
    }
    await checkJudging(subjects);
    warnings.push(...subjects.flatMap((subject) => tellLeftOut(subject, pass)));
    return readyTriggers({ subjects, catalog, judges, cache, warnings }, pass, context, close);
  });
}

function readyTriggers(
  parts: Pick<ReadyTriggers, "subjects" | "catalog" | "judges" | "cache" | "warnings">,
  pass: TriggerSuiteOptions,
  { allowsInconclusive = false }: TriggerSuiteContext,
  close: () => Promise<void>,
): ReadyTriggers {
  const { subjects, judges } = parts;
  const judged = subjects.filter(({ skipped }) => skipped === null);
  const { seed, timeoutMs } = pass;
  const redact = redactor(judges.secrets());
  const facts = { subjects, judges, seed, redact, allowsInconclusive, timeoutMs };
  return {
    ...parts,
    allowsInconclusive,
    suites: (context) => [
      triggerSuite({ ...facts, redact: context.redact, isPartial: pass.cases.length > 0 }, context),
    ],
    containment: nothingRuns,
    redact,
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
    models: [...new Set(judged.flatMap(({ judgeName }) => judgeName.model ?? []))],
    conditions: () =>
      Object.fromEntries(judged.map((subject) => [`judge of ${subject.skill.id}`, judgeWords(subject)])),
    settings: () => ({ triggering: settingsOf(subjects, pass) as unknown as Json }),
    [Symbol.asyncDispose]: close,
  };
}

/** Who judged and how: other words are another judge, which may be the whole difference between two reports. */
function judgeWords({ judgeName, repeats, threshold }: TriggerSubject): string {
  const { kind, label = kind, model, prompt } = judgeName;
  const words = [label, model, prompt].filter((part) => part !== null).join(" ");
  return `${words}, repeats ${repeats}, threshold ${threshold}`;
}

function settingsOf(
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

/** What takes no part is never chosen, so its negatives pass whatever it says: that must not look like a good skill. */
function tellLeftOut({ judge, routable }: TriggerSubject, { filters }: TriggerSuiteOptions): string[] {
  if (judge?.kind !== "router" && judge?.kind !== "catalog") return [];
  const excluded = exclusionOf(routable, filters);
  return excluded === null ? [] : [`no request can load ${routable.id}: it takes no part (${excluded})`];
}

/** A dry run and whoever goes by words alone leave no file behind. */
async function cacheFor(
  { storePath, isDryRun = false }: TriggerSuiteContext,
  keeps: boolean,
  warn: (message: string) => void,
): Promise<Cache> {
  if ((isDryRun || !keeps) && !existsSync(storePath)) return memoryCache();
  return openCache(storePath, { warn });
}

/** Whether there will be replies or vectors that the next run can use. */
function keepsAnything(skills: readonly TriggerSkill[], pass: TriggerSuiteOptions): boolean {
  if (pass.router.embedding !== null) return true;
  return skills.some(
    (skill) => skipOf(skill) === null && chooseJudge(pass, skill.triggering, skill.skill.id).model !== null,
  );
}
