import { type ConfiguredGate, type GateLine, isAbout } from "../contract/configured-gate.ts";
import type { SubjectReport } from "../contract/document.ts";
import type { Level, SuiteRun } from "../contract/level.ts";
import { nearestSpelling } from "../shared/text/nearest.ts";
import { UserError } from "../shared/user-error.ts";
import type { GateRule } from "./gates.ts";

/** The gates of the configuration, and what was typed: a flag comes before them, key by key. */
export interface ConfiguredGates {
  entries: readonly ConfiguredGate[];
  /** How messages name where they are written. */
  file: string;
  /** The options of the command. */
  typed: Readonly<Record<string, unknown>>;
}

type Gated = Pick<SubjectReport, "skillId" | "model" | "arm">;

/**
 * All rules of a run: those of its command, and one per line of every entry that decides about something. An entry decides about
 * the subjects it is the first to match; the default threshold of a command gives way to it.
 */
export function withConfiguredGates(
  own: readonly GateRule[],
  suites: readonly SuiteRun[],
  configured: ConfiguredGates | undefined,
): GateRule[] {
  if (configured === undefined || configured.entries.length === 0) return [...own];
  const levels = [...new Set(suites.map(({ level }) => level))];
  const added = levels.flatMap((level) => {
    const subjects = gatedSubjects(level, suites);
    return configured.entries.flatMap((entry, index) => {
      refuseUnmeasured(entry, index, level, configured);
      const appliesTo = (subject: Gated) =>
        isGated(level, subject) && deciding(configured.entries, level, subject) === entry;
      if (!subjects.some(appliesTo)) return [];
      return entryRules(entry, level, configured).map((rule) => ({ ...rule, appliesTo }));
    });
  });
  return [...own.flatMap((rule) => givenWay(rule, added, suites)), ...added];
}

/** What may be a mistake in them, as far as this run shows it. */
export function configuredGateWarnings(
  suites: readonly SuiteRun[],
  configured: ConfiguredGates | undefined,
): string[] {
  if (configured === undefined) return [];
  const { entries, file } = configured;
  const levels = [...new Set(suites.map(({ level }) => level))];
  const all = levels.flatMap((level) => gatedSubjects(level, suites).map((subject) => ({ level, subject })));
  const ids = [...new Set(all.flatMap(({ subject }) => subject.skillId ?? []))];
  return entries.flatMap((entry, index) => {
    const name = `${file}: gates[${index}]`;
    const matched = all.filter(({ level, subject }) => isMatch(entry, level, subject));
    if (matched.length === 0) {
      const meant = entry.skill === undefined ? null : nearestSpelling(entry.skill, ids);
      return meant === null ? [] : [`${name} matches no skill of this run; did you mean ${meant}?`];
    }
    const deciders = matched.map(({ level, subject }) => deciding(entries, level, subject));
    const [first] = deciders;
    const isHidden = first !== undefined && first !== entry && deciders.every((one) => one === first);
    if (!isHidden || first.skill !== undefined || first.level !== undefined) return [];
    return [`${name} decides nothing: gates[${entries.indexOf(first)}] comes first and matches everything`];
  });
}

/** The share of a subject that may be without a verdict: what was typed, else what the first entry that matches says. */
export function maxInvalidOf(
  level: Level,
  subject: Gated,
  typedOrDefault: number,
  configured: ConfiguredGates | undefined,
): number {
  if (configured === undefined || configured.typed.maxInvalid !== undefined) return typedOrDefault;
  return deciding(configured.entries, level, subject)?.maxInvalid ?? typedOrDefault;
}

/** The figure that a line is about; undefined where a level does not measure it. */
function figureOf(line: GateLine, level: Level): string | undefined {
  const own = level.gatedFigures?.[line];
  if (own !== undefined) return own;
  const named = (wanted: string) => level.metrics.find(({ name }) => name === wanted)?.name;
  switch (line) {
    case "minCompletion":
      return level.metrics.find(({ isMain }) => isMain)?.name; // the share that passed
    case "minRecall":
      return named("recall");
    case "minPrecision":
      return named("precision");
    case "maxErrorRate":
      return "errorRate";
    case "maxP95Ms":
      return "latencyP95Ms";
    default:
      return line satisfies never;
  }
}

const gateLines = [
  "minCompletion",
  "minRecall",
  "minPrecision",
  "maxErrorRate",
  "maxP95Ms",
] as const satisfies readonly GateLine[];

/** The first entry about a subject. One that demands only what its level does not measure is about others. */
function deciding(entries: readonly ConfiguredGate[], level: Level, subject: Gated) {
  return entries.find((entry) => isMatch(entry, level, subject));
}

function isMatch(entry: ConfiguredGate, level: Level, { skillId }: Gated): boolean {
  if (!isAbout(entry, { level: level.name, skillId })) return false;
  if (level.isGatedByName === true && entry.level !== level.name) return false;
  return (
    entry.maxInvalid !== undefined ||
    gateLines.some((line) => entry[line] !== undefined && figureOf(line, level) !== undefined)
  );
}

/** Who demands of a level what it does not measure would wait for a verdict forever. */
function refuseUnmeasured(entry: ConfiguredGate, index: number, level: Level, { file }: ConfiguredGates) {
  if (entry.level !== level.name) return;
  const line = gateLines.find((one) => entry[one] !== undefined && figureOf(one, level) === undefined);
  if (line === undefined) return;
  const known = gateLines.filter((one) => figureOf(one, level) !== undefined);
  throw new UserError(
    "config-invalid",
    `${file}: $.gates[${index}].${line} is not measured at ${level.name}`,
    {
      path: file,
      jsonPath: `$.gates[${index}].${line}`,
      hint: `use one of ${known.join(", ")}`,
    },
  );
}

function entryRules(entry: ConfiguredGate, level: Level, { typed }: ConfiguredGates): GateRule[] {
  const bound = (typed.gateOn ?? entry.on ?? "point") === "lower";
  return gateLines.flatMap((line): GateRule[] => {
    const threshold = entry[line];
    const figure = figureOf(line, level);
    if (threshold === undefined || figure === undefined || isTyped(line, level, typed)) return [];
    const isCeiling = line.startsWith("max");
    const isRate = line !== "maxP95Ms";
    return [
      {
        level: level.name,
        metric: line === "maxErrorRate" && typed.countRetries === true ? "errorRateWithRetries" : figure,
        on: !bound || !isRate ? "point" : isCeiling ? "upper" : "lower",
        op: isCeiling ? "<=" : ">=",
        threshold,
        enforced: typed.exitOnFail !== false,
        scope: "subject",
        ...(level.gateCoverage !== undefined && { minCoverage: level.gateCoverage }),
      },
    ];
  });
}

/** Whether the flag that takes the place of a line at this level was typed. */
function isTyped(line: GateLine, level: Level, typed: ConfiguredGates["typed"]): boolean {
  return Object.entries(level.options ?? {}).some(
    ([name, { gate }]) => gate === line && typed[name] !== undefined,
  );
}

/** A default threshold is left for the subjects that no entry sets one for. */
function givenWay(rule: GateRule, added: readonly GateRule[], suites: readonly SuiteRun[]): GateRule[] {
  if (rule.isDefault !== true) return [rule];
  const over = added.filter(({ level, metric }) => level === rule.level && metric === rule.metric);
  if (over.length === 0) return [rule];
  const appliesTo = (subject: Gated) =>
    (rule.appliesTo?.(subject) ?? true) && !over.some((one) => one.appliesTo?.(subject));
  const own = suites.filter(({ level }) => level.name === rule.level);
  return own.some(({ subjects }) => subjects.some(appliesTo)) ? [{ ...rule, appliesTo }] : [];
}

function gatedSubjects(level: Level, suites: readonly SuiteRun[]) {
  return suites
    .filter((suite) => suite.level === level)
    .flatMap(({ subjects }) => subjects.filter((subject) => isGated(level, subject)));
}

/** What others are compared with, such as an agent without skills, passes no gate. */
function isGated({ view }: Level, subject: Gated): boolean {
  return view?.isReference?.(subject) !== true;
}
