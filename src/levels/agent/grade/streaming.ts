import type { CheckResult, Fault } from "../../../cases/grade/dimension.ts";
import type { AgentEvent } from "../../../contract/agent-event.ts";
import { shownLines } from "../../../shared/text/visible-text.ts";
import { whyHidden } from "./hidden-items.ts";
import { answerIn } from "./output.ts";
import { isRecorded, recordedText, wholeText } from "./recorded-text.ts";
import { faultAt, type RunView, unknownWords } from "./run-view.ts";

const contentPath = "$.action.payload.content";
const typePath = "$.action.type";

/** Whether what was streamed is what was decided, and nothing was done before it was. */
export function checkStreaming(view: RunView): CheckResult[] {
  const { streaming, recording } = view.started.data;
  if (!streaming) return [];
  const silence =
    recording === "minimal"
      ? "streamed text was not recorded"
      : view.records("deltas")
        ? whyHidden(view, ["turn"])
        : unknownWords("deltas");
  return [
    checkDeltas(view, silence),
    checkTypes(view, silence),
    checkOtherTurns(view, silence),
    checkArrival(view),
    checkOrder(view),
  ];
}

function checkDeltas(view: RunView, silence: string | null): CheckResult {
  const answer = answerIn(view);
  const check = { name: "deltas add up to the answer", isRequired: false, exercised: answer !== null };
  if (silence !== null || answer === null) return { ...check, unseen: silence, faults: [] };
  const accepted = acceptedIn(view, answer.planned.turn);
  if (accepted === undefined) return { ...check, unseen: "the accepted reply was not recorded", faults: [] };
  const pieces = streamed(view, accepted, contentPath);
  const at = [...pieces.slice(0, 1), ...pieces.slice(-1), answer.planned];
  const joinedText = joined(view, pieces);
  const content = recordedText(answer.content);
  if (content === null || joinedText === null)
    return { ...check, unseen: "streamed text or the answer was not recorded", faults: [] };
  const faults: Fault[] = [];
  if (pieces.length === 0)
    faults.push({
      code: "DeltaMissing",
      message: "the answer was not streamed",
      expected: `model_delta at ${contentPath}`,
      actual: 0,
      at,
    });
  else if (!isRecorded(content, joinedText))
    faults.push({
      code: "DeltaMismatch",
      message: "the streamed pieces do not add up to the answer",
      expected: excerpt(wholeText(view.run, content) ?? "a text known by its hash"),
      actual: excerpt(joinedText),
      at,
    });
  return { ...check, unseen: null, faults };
}

/** Whoever watches is told early what kind of action comes, and must be told the truth, in every turn. */
function checkTypes(view: RunView, silence: string | null): CheckResult {
  const early = view.of("action_planned").flatMap((planned) => {
    const accepted = acceptedIn(view, planned.turn);
    const pieces = accepted === undefined ? [] : streamed(view, accepted, typePath);
    return pieces.length === 0 ? [] : [{ planned, pieces, type: joined(view, pieces) }];
  });
  const wrong = early.filter(({ planned, type }) => type !== null && type !== planned.data.action.type);
  return {
    name: "the streamed action type is the decided one",
    isRequired: false,
    exercised: early.length > 0,
    unseen: silence,
    faults: wrong.slice(0, 1).map(({ planned, pieces, type }) => ({
      code: "DeltaMismatch",
      message: `the streamed action type of turn ${planned.turn} differs from the decided one`,
      expected: planned.data.action.type,
      actual: excerpt(type ?? ""),
      at: [...pieces, planned],
    })),
  };
}

/** What comes after its reply, or before its request, was not streamed. */
function checkArrival(view: RunView): CheckResult {
  const deltas = view.of("model_delta");
  const late: AgentEvent<"model_delta">[] = [];
  const awaited = new Map<number, number | null>();
  for (const event of view.run.events) {
    if (event.type === "model_request") awaited.set(event.turn, event.data.attempt);
    else if (event.type === "model_response") awaited.set(event.turn, null);
    else if (event.type === "model_delta" && awaited.get(event.turn) !== event.data.attempt) late.push(event);
  }
  return {
    name: "what is streamed comes before its reply is complete",
    isRequired: false,
    exercised: deltas.length > 0,
    unseen: null,
    faults: faultAt(late, ([{ turn }]) => ({
      code: "DeltaLate",
      message: `turn ${turn} streamed text outside of a reply`,
      expected: "model_delta between model_request and model_response of its attempt",
      actual: late.map(({ seq }) => seq).slice(0, 20),
    })),
  };
}

/** Pieces of a discarded reply are not an answer and are not checked. */
function checkOtherTurns(view: RunView, silence: string | null): CheckResult {
  const answering = new Set(
    view
      .of("action_planned")
      .flatMap(({ turn, data }) => (data.action.type === "final_answer" ? [turn] : [])),
  );
  const thrownAway = new Set(
    view.of("model_response").flatMap(({ turn, data }) => (data.ok ? [] : [`${turn} ${data.attempt}`])),
  );
  const accepted = new Set(
    view.of("model_response").flatMap(({ turn, data }) => (data.ok ? [`${turn} ${data.attempt}`] : [])),
  );
  const deltas = view.of("model_delta").filter(({ data }) => data.path === contentPath);
  const wrong = deltas.filter(({ turn, data }) => {
    const reply = `${turn} ${data.attempt}`;
    return !answering.has(turn) && (accepted.has(reply) || !thrownAway.has(reply));
  });
  return {
    name: "only the answer is streamed",
    isRequired: false,
    exercised: deltas.length > 0,
    unseen: silence,
    faults: faultAt(wrong, ([{ turn }]) => ({
      code: "DeltaOutsideAnswer",
      message: `turn ${turn} streamed answer text but did not answer`,
      expected: [...answering],
      actual: turn,
    })),
  };
}

const effects = [
  "skill_loaded",
  "resource_loaded",
  "approval_required",
  "approval_granted",
  "approval_denied",
  "action_executed",
] as const;

function checkOrder(view: RunView): CheckResult {
  const acceptedAt = new Map(
    view.of("model_response").flatMap(({ turn, seq, data }) => (data.ok ? [[turn, seq] as const] : [])),
  );
  const done: AgentEvent[] = effects.flatMap((type) => [...view.of(type)]).sort((a, b) => a.seq - b.seq);
  const answered = new Set(view.of("model_response").map(({ turn }) => turn));
  const hasReply = (event: AgentEvent) => answered.has(event.turn);
  const early = done.filter(
    (event) => hasReply(event) && (acceptedAt.get(event.turn) ?? Number.POSITIVE_INFINITY) > event.seq,
  );
  return {
    name: "no action starts before its reply is accepted",
    isRequired: false,
    exercised: done.length > 0,
    unseen: done.every(hasReply) ? null : "the reply behind an action was not recorded",
    faults: faultAt(early, ([{ turn, type }]) => ({
      code: "IoBeforeValidation",
      message: `${type} in turn ${turn} came before its reply was complete and accepted`,
      expected: "an event after the accepted model_response",
      actual: early.map(({ seq }) => seq).slice(0, 20),
    })),
  };
}

function acceptedIn(view: RunView, turn: number): AgentEvent<"model_response"> | undefined {
  return view.of("model_response").findLast((event) => event.turn === turn && event.data.ok);
}

/** The pieces of the try that was accepted: a stream that broke off before it does not count. */
function streamed(
  view: RunView,
  { turn, seq, data }: AgentEvent<"model_response">,
  path: string,
): readonly AgentEvent<"model_delta">[] {
  const ofReply = (event: AgentEvent<"model_request" | "model_delta">) =>
    event.turn === turn && event.data.attempt === data.attempt;
  const requestSeq =
    view.of("model_request").findLast((event) => ofReply(event) && event.seq < seq)?.seq ?? 0;
  return view
    .of("model_delta")
    .filter(
      (event) => ofReply(event) && event.seq > requestSeq && event.seq < seq && event.data.path === path,
    );
}

/** In characters. No model writes more, but a log may refer to one file a million times. */
const maxStreamLength = 1 << 26;

/** Null where only the hash of a piece is known, or the pieces are longer than any answer of a model. */
function joined(view: RunView, pieces: readonly AgentEvent<"model_delta">[]): string | null {
  let text = "";
  for (const { data } of pieces) {
    const piece = recordedText(data.text ?? data);
    const part = piece === null ? null : wholeText(view.run, piece);
    if (part === null || text.length + part.length > maxStreamLength) return null;
    text += part;
  }
  return text;
}

function excerpt(text: string): string {
  return shownLines(text, 200);
}
