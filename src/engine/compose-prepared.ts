import type { Containment } from "../contract/containment.ts";
import type { Level, SuiteRun } from "../contract/level.ts";
import type { CallCap } from "../models/model-registry.ts";
import type { Json } from "../shared/json/json.ts";
import { redactor } from "../shared/text/redact.ts";
import { UserError } from "../shared/user-error.ts";
import { nothingRuns } from "./plain-suite.ts";
import type { PreparedRun } from "./prepared-run.ts";

/** One of the prepared runs that become one. */
export interface PreparedPart {
  ready: PreparedRun;
  /** What its settings and conditions are filed under; left out, they are those of the whole run. */
  label?: string;
}

/** What is known of the whole run besides its parts. */
interface OwnFacts
  extends Pick<PreparedRun, "seed">,
    Partial<Pick<PreparedRun, "warnings" | "skipped" | "notLoaded" | "skillIds">> {}

/** Makes one run of several: their suites one after the other, and everything else about them together. */
export function composePrepared(
  parts: readonly PreparedPart[],
  { seed, warnings = [], skipped = [], notLoaded = [], skillIds = [] }: OwnFacts,
): PreparedRun {
  const all = parts.map(({ ready }) => ready);
  const secrets = distinct(all.flatMap((ready) => ready.secrets));
  return {
    suites(context) {
      const suites = all.flatMap((ready) => ready.suites(context));
      refuseSameName(suites);
      return suites;
    },
    containment: weakest(all),
    secrets,
    // Over all of them at once: a secret may be the beginning of another one.
    redact: redactor(secrets),
    warnings: distinct([...warnings, ...all.flatMap((ready) => ready.warnings)]),
    skipped: [...all.flatMap((ready) => ready.skipped), ...skipped],
    notLoaded: distinctBy(
      [...notLoaded, ...all.flatMap((ready) => ready.notLoaded ?? [])],
      ({ path }) => path,
    ),
    vacuous: all.flatMap(({ vacuous = [] }) => vacuous),
    seed,
    callCap: commonCap(all),
    skillIds: distinct([...skillIds, ...all.flatMap((ready) => ready.skillIds)]),
    models: distinct(all.flatMap(({ models }) => models)),
    conditions: () => Object.assign({}, ...parts.map(labelledConditions)),
    settings: () => Object.assign({}, ...parts.map(labelledSettings)),
    isMixed: () => all.some((ready) => ready.isMixed?.() ?? false),
    async askCanaries(signal) {
      const asked = await Promise.all(all.map((ready) => ready.askCanaries?.(signal)));
      return new Map(asked.flatMap((figures) => [...(figures ?? [])]));
    },
    async finish() {
      const left = await Promise.all(all.map(async (ready) => (await ready.finish?.()) ?? []));
      return left.flat();
    },
    async abandon() {
      await Promise.all(all.map((ready) => ready.abandon?.()));
    },
    async [Symbol.asyncDispose]() {
      for (const ready of all.toReversed()) await ready[Symbol.asyncDispose]();
    },
  };
}

/** Results are stored by level and suite, so two suites of a level cannot share an id. */
function refuseSameName(suites: readonly SuiteRun[]): void {
  const seen = new Set<string>();
  for (const { level, id } of suites) {
    const { size } = seen;
    if (seen.add(JSON.stringify([level.name, id])).size === size) throw sameSuite(level, id, []);
  }
}

/** The error for two suites of one level with the same id; `files` are theirs. */
export function sameSuite(level: Pick<Level, "name">, id: string, files: readonly string[]): UserError {
  const where = files.length === 0 ? "" : ` in ${files.join(" and ")}`;
  return new UserError("suite-invalid", `two ${level.name} suites have the id ${id}${where}`, {
    path: files.at(-1),
    hint: "give one of them another `id`, or run them separately",
  });
}

const strengths: readonly Containment["level"][] = ["off", "process", "reduced", "strict"];

/** What holds for all that runs: a part that starts nothing does not count. */
function weakest(all: readonly PreparedRun[]): Containment {
  const [first = nothingRuns] = all
    .filter(({ startsNothing = false }) => !startsNothing)
    .map(({ containment }) => containment)
    .filter((containment) => containment !== nothingRuns)
    .sort((a, b) => strengths.indexOf(a.level) - strengths.indexOf(b.level));
  return first;
}

/** A cap on the calls of models limits the cells only where every cell makes some. */
function commonCap(all: readonly PreparedRun[]): CallCap | null {
  const caps = all.map(({ callCap = null }) => callCap);
  const known = caps.filter((cap) => cap !== null);
  if (known.length < caps.length) return null;
  return known.sort((a, b) => a.limit - b.limit)[0] ?? null;
}

function labelledConditions({ ready, label }: PreparedPart): Record<string, string | null> {
  const conditions = ready.conditions();
  if (label === undefined) return conditions;
  return Object.fromEntries(Object.entries(conditions).map(([name, value]) => [`${label}: ${name}`, value]));
}

function labelledSettings({ ready, label }: PreparedPart): Record<string, Json> {
  return label === undefined ? ready.settings() : { [label]: ready.settings() };
}

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}

function distinctBy<Value>(values: readonly Value[], key: (value: Value) => string): Value[] {
  return [...new Map(values.map((value) => [key(value), value])).values()];
}
