import type { Answer, Score, Scorer, Unscored } from "../contract/scorer.ts";
import { type ScorerType, severalScorers } from "../contract/scorer-type.ts";
import type { SeenOutcome } from "../contract/seen-outcome.ts";
import type { ExpectItem } from "../contract/task.ts";
import type { Json } from "../shared/json/json.ts";
import { pluralize } from "../shared/text/phrases.ts";
import { shortenWords } from "../shared/text/visible-text.ts";
import type { ExpectationScore } from "./expectation-score.ts";
import { sumRecords } from "./llm-judge-ask.ts";
import { invalid, memberPath, type ScorerRequest } from "./scorer-request.ts";
import { type Part, type Parts, partsIn } from "./several-parts.ts";
import { combinedProbing, refuseEmptyPart } from "./several-probing.ts";

type PrepareOne = (request: ScorerRequest) => Promise<Scorer>;

/** Passes what meets every expectation of a task; the score is their mean. */
export async function several(request: ScorerRequest, prepareOne: PrepareOne): Promise<Scorer> {
  const items: Parts[] = [];
  for (const [at, item] of (request.task.expect ?? []).entries())
    items.push(await prepareItem(item, `.expect[${at}]`, request, prepareOne));
  refuseContradiction(items, request);
  refuseOtherJudges(items, request);
  for (const item of items) refuseEmptyPart(item, request);
  const sees = seenBy(items);
  return {
    type: severalScorers,
    identity: { type: severalScorers, all: items.map(identityOf) },
    sees,
    ...combinedProbing(items),
    score: (answer) => scoreAll(items, answer),
  };
}

async function prepareItem(
  { anyOf, ...single }: ExpectItem,
  path: string,
  request: ScorerRequest,
  prepareOne: PrepareOne,
): Promise<Parts> {
  const prepare = async ({ evaluator, ...expectedOutput }: ExpectItem, part: string): Promise<Part> => {
    const { expect: _, evaluator: __, ...rest } = request.task;
    const task = { ...rest, expectedOutput, ...(evaluator && { evaluator }) };
    const scorer = await prepareOne({ ...request, task, part });
    return { path: part, type: scorer.type as ScorerType, task, scorer };
  };
  if (anyOf === undefined) return { isAny: false, part: await prepare(single, path) };
  const parts: Part[] = [];
  for (const [at, one] of anyOf.entries()) parts.push(await prepare(one, `${path}.anyOf[${at}]`));
  return { isAny: true, path, parts };
}

function identityOf(item: Parts): Json {
  return item.isAny ? { any: item.parts.map(({ scorer }) => scorer.identity) } : item.part.scorer.identity;
}

function seenBy(items: readonly Parts[]): SeenOutcome[] {
  const seen = items.flatMap(partsIn).flatMap(({ scorer }) => scorer.sees ?? ["answer" as const]);
  return [...new Set(seen)];
}

/** The outcomes an expectation can be met by: an expected error is never an answer. */
function metBy({ type, scorer }: Part): readonly SeenOutcome[] {
  return type === "error" ? ["error", "timeout"] : (scorer.sees ?? ["answer"]);
}

/** Refuses expectations that no outcome can meet together: an error and an answer. */
function refuseContradiction(items: readonly Parts[], request: ScorerRequest): void {
  let possible: readonly SeenOutcome[] = ["answer", "error", "timeout"];
  for (const item of items) {
    const own = new Set(partsIn(item).flatMap(metBy));
    possible = possible.filter((outcome) => own.has(outcome));
    if (possible.length > 0) continue;
    const path = item.isAny ? item.path : item.part.path;
    throw invalid(
      request,
      path,
      "an answer and an error are expected at once, which nothing can meet",
      "put the two into `anyOf`, or into tasks of their own",
    );
  }
}

/** The cost of judging a cell is that of one model. */
function refuseOtherJudges(items: readonly Parts[], request: ScorerRequest): void {
  const judges = items.flatMap(partsIn).filter(({ type }) => type === "llm_judge");
  const [first, ...others] = judges.map(({ path, scorer: { identity } }) => ({
    path,
    model: JSON.stringify((identity as { model?: Json }).model),
  }));
  const other = others.find(({ model }) => model !== first?.model);
  if (other !== undefined)
    throw invalid(
      request,
      memberPath(other.path, ".evaluator.model"),
      "the expectations of one task ask different judges",
      "name one model for all of them, or make it two tasks",
    );
}

/** What one expectation came to, with what asking for it took. */
interface Ended {
  shown: ExpectationScore;
  unscored: Unscored | null;
  scores: readonly Score[];
}

async function scoreAll(items: readonly Parts[], answer: Answer): Promise<Score> {
  const ended: Ended[] = [];
  for (const item of items) ended.push(await scoreItem(item, answer));
  const scores = ended.flatMap(({ scores }) => scores);
  const warnings = [...new Set(scores.flatMap(({ warnings = [] }) => warnings))];
  const judges = scores.flatMap(({ judge }) => judge ?? []);
  const rest = {
    judge: judges[0] && sumRecords(judges[0].model, judges),
    details: { expectations: ended.map(({ shown }) => shown) },
    ...(warnings.length > 0 && { warnings }),
  };
  const broken = ended.findIndex(({ unscored }) => unscored !== null);
  const unscored = ended[broken]?.unscored;
  if (unscored) {
    const message = `expectation ${broken + 1}: ${unscored.message}`;
    return { ...rest, score: null, cause: unscored.cause, message };
  }
  const mean = ended.reduce((sum, { shown }) => sum + (shown.score ?? 0), 0) / ended.length;
  return { ...rest, score: mean, passed: ended.every(({ shown }) => shown.passed), reason: reasonOf(ended) };
}

/** Alternatives are tried in their order until one passes, so that a judge is only asked where it has to be. */
async function scoreItem(item: Parts, answer: Answer): Promise<Ended> {
  if (!item.isAny) return scorePart(item.part, answer);
  const tried: Ended[] = [];
  for (const part of item.parts) {
    const ended = await scorePart(part, answer);
    tried.push(ended);
    if (ended.shown.passed) break;
  }
  const passed = tried.find(({ shown }) => shown.passed);
  const unscored =
    passed === undefined ? (tried.find((one) => one.unscored !== null)?.unscored ?? null) : null;
  const best = Math.max(...tried.map(({ shown }) => shown.score ?? 0));
  const anyOf = tried.flatMap(({ shown }) => ("scorerType" in shown ? [shown] : []));
  const reason = passed ? passed.shown.reason : `no alternative is met: ${reasons(tried).join("; ")}`;
  return {
    shown: { passed: passed !== undefined, score: unscored === null ? best : null, reason, anyOf },
    unscored,
    scores: tried.flatMap(({ scores }) => scores),
  };
}

async function scorePart({ type, task, scorer }: Part, answer: Answer): Promise<Ended> {
  const { failure } = answer;
  if (failure !== undefined && scorer.sees?.includes(failure.status) !== true) {
    const reason = shortenWords(`there is no answer: ${failure.code}: ${failure.message}`, 300);
    return { shown: { scorerType: type, passed: false, score: 0, reason }, unscored: null, scores: [] };
  }
  const score = await scorer.score({ ...answer, task });
  if (score.score !== null) {
    const shown = { scorerType: type, passed: score.passed, score: score.score, reason: score.reason };
    return { shown, unscored: null, scores: [score] };
  }
  const shown = { scorerType: type, passed: false, score: null, reason: score.message };
  return { shown, unscored: score, scores: [score] };
}

/** Which are not met, and why; what those that are met say is shown with them. */
function reasonOf(ended: readonly Ended[]): string | null {
  const unmet = ended.flatMap(({ shown }, at) =>
    shown.passed ? [] : [`${at + 1}. ${shown.reason ?? "not met"}`],
  );
  if (unmet.length === 0) return null;
  const count = `${unmet.length} of ${pluralize(ended.length, "expectation")} not met`;
  return shortenWords(`${count}: ${unmet.join("; ")}`, 600);
}

function reasons(tried: readonly Ended[]): string[] {
  return tried.map(({ shown }) => shown.reason ?? "not met");
}
