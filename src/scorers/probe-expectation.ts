import type { Probing } from "../contract/probing.ts";
import { canonicalJson } from "../shared/json/canonical-json.ts";
import type { Json } from "../shared/json/json.ts";
import { isMap } from "../shared/json/json-values.ts";
import { seededRandom } from "../shared/statistics/seeded-random.ts";
import { shorten } from "../shared/text/visible-text.ts";

type ProbeKind = "null" | "text" | "number" | "object" | "array";

/** A wrong answer to nearly everything. */
interface Probe {
  kind: ProbeKind;
  value: Json;
}

/** What wrong answers showed about an expectation. */
export interface ProbeFinding {
  /** `vacuous`: nearly anything passes. `weak`: one kind of wrong answer does. `other`: the answer of another case does. */
  verdict: "vacuous" | "weak" | "other";
  accepted: string[];
  reason: string;
}

const wordLength = 12;

/** The wrong answers of a run, the same for the same seed. */
export function defaultProbes(seed: number): readonly Probe[] {
  const random = seededRandom(seed);
  const word = Array.from({ length: wordLength }, () => String.fromCharCode(97 + random.below(26)));
  return [
    { kind: "null", value: null },
    { kind: "text", value: "" },
    { kind: "number", value: 0 },
    { kind: "object", value: {} },
    { kind: "array", value: [] },
    { kind: "text", value: word.join("") },
  ];
}

/** The answers to try an expectation with, in an order that `judgeProbes` understands. */
export function probeAnswers(
  probes: readonly Probe[],
  { near, readsWrappers, others = [] }: Pick<Probing, "near" | "readsWrappers" | "others">,
  other: Json | undefined,
): Json[] {
  const usual = near ?? probes.map(({ value }) => value);
  const wrapped = near === undefined && readsWrappers === true ? probes.filter(isScalar).map(wrap) : [];
  return [...usual, ...wrapped, ...others, ...(other === undefined ? [] : [other])];
}

/** What the answers say that passed; null where the expectation is sound. `passed` is in the order of `probeAnswers`. */
export function judgeProbes(
  probes: readonly Probe[],
  probing: Pick<Probing, "near" | "readsWrappers" | "others" | "isRight" | "advice">,
  other: Json | undefined,
  passed: readonly (boolean | null)[],
): ProbeFinding | null {
  const { near, readsWrappers, others = [], isRight, advice } = probing;
  const counts = (answer: Json, at: number) => passed[at] === true && isRight?.(answer) !== true;
  if (near !== undefined) {
    if (near.every(counts)) return vacuous(near.map(show), "values far from the right one pass");
  } else {
    const accepted = probes.filter(({ value }, at) => counts(value, at));
    const inside = readsWrappers === true ? probes.filter(isScalar) : [];
    const wrapped = inside.filter(
      (probe, at) => counts(wrap(probe), probes.length + at) && isRight?.(probe.value) !== true,
    );
    // Where any object passes, what is in it says nothing more.
    const isAnyObject = accepted.some(({ kind }) => kind === "object");
    const seen = [...accepted, ...(isAnyObject ? [] : wrapped)];
    const shown = [...accepted.map(({ value }) => show(value)), ...wrapped.map((probe) => show(wrap(probe)))];
    const kinds = new Set(seen.map(({ kind }) => kind));
    if (kinds.size > 1) return vacuous(shown, "wrong answers of several kinds pass");
    if (new Set(seen.filter(({ kind }) => kind === "text").map(({ value }) => value)).size > 1)
      return vacuous(shown, "any text passes");
    if (seen.length > 0) return { verdict: "weak", accepted: shown, reason: advice };
  }
  const last = other === undefined ? others : [...others, other];
  const begin = passed.length - last.length;
  const taken = last.filter((answer, at) => counts(answer, begin + at));
  return taken.length === 0 ? null : { verdict: "other", accepted: taken.map(show), reason: advice };
}

function vacuous(accepted: string[], reason: string): ProbeFinding {
  return { verdict: "vacuous", accepted, reason };
}

/** Tries an expectation that can be asked here and now. */
export function probeExpectation(
  probing: Probing,
  probes: readonly Probe[],
  other?: Json,
): ProbeFinding | null {
  const passed = defaultResults(probing, probes);
  const all = other === undefined ? passed : [...passed, probing.accepts(other)];
  return all.includes(true) ? judgeProbes(probes, probing, other, all) : null;
}

/** What passes but for the answer of another case. Cases that share an expectation share this. */
function defaultResults(probing: Probing, probes: readonly Probe[]): readonly boolean[] {
  const known = results.get(probing);
  if (known?.probes === probes) return known.passed;
  const passed = probeAnswers(probes, probing, undefined).map((answer) => probing.accepts(answer));
  results.set(probing, { probes, passed });
  return passed;
}

const results = new WeakMap<Probing, { probes: readonly Probe[]; passed: readonly boolean[] }>();

function isScalar({ kind }: Probe): boolean {
  return kind !== "object" && kind !== "array";
}

function wrap({ value }: Probe): Json {
  return { result: value };
}

function show(value: Json): string {
  return shorten(JSON.stringify(value), 60);
}

/** Whether an answer is one of these, bare or as `{"result": …}`. */
export function isOneOf(values: readonly Json[]): (answer: Json) => boolean {
  const known = new Set(values.map((value) => canonicalJson(value)));
  return (answer) => {
    if (known.has(canonicalJson(answer))) return true;
    const inside = isMap(answer) && Object.keys(answer).length === 1 ? answer.result : undefined;
    return inside !== undefined && known.has(canonicalJson(inside as Json));
  };
}
