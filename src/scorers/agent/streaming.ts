import { shownLines } from "../../base/visible-text.ts";
import type { AgentEvent } from "../../contract/agent-event.ts";
import type { Fault, Look } from "./dimension.ts";
import { faultAt } from "./fault-at.ts";
import { answerIn } from "./final-text.ts";
import { isRecorded, recordedText, wholeText } from "./recorded-text.ts";
import { type RunView, unknownWords } from "./run-view.ts";

const contentPath = "$.action.payload.content";
const typePath = "$.action.type";

/** Whether what was streamed is what was decided, and nothing was done before it was. */
export function lookAtStreaming(view: RunView): Look[] {
  const { streaming, recording } = view.started.data;
  if (!streaming) return [];
  const silence =
    recording === "minimal"
      ? "the recording keeps no streamed text"
      : view.tells("deltas")
        ? null
        : unknownWords("deltas");
  return [lookAtDeltas(view, silence), lookAtOtherTurns(view, silence), lookAtOrder(view)];
}

function lookAtDeltas(view: RunView, silence: string | null): Look {
  const answer = answerIn(view);
  const look = { name: "deltas add up to the answer", asked: false, exercised: answer !== null };
  if (silence !== null || answer === null) return { ...look, unseen: silence, faults: [] };
  const accepted = acceptedIn(view, answer.planned.turn);
  if (accepted === undefined)
    return { ...look, unseen: "the reply that was accepted is not told", faults: [] };
  const types = streamed(view, accepted, typePath);
  const pieces = streamed(view, accepted, contentPath);
  const at = [...pieces.slice(0, 1), ...pieces.slice(-1), answer.planned];
  const told = joined(view, pieces);
  const content = recordedText(answer.content);
  if (content === null || told === null)
    return { ...look, unseen: "a streamed text or the answer is not told", faults: [] };
  const type = types.length === 0 ? "final_answer" : joined(view, types);
  const faults: Fault[] = [];
  if (pieces.length === 0)
    faults.push({
      code: "DeltaMissing",
      message: "the answer was given and no piece of it was streamed",
      expected: `model_delta at ${contentPath}`,
      actual: 0,
      at,
    });
  else if (!isRecorded(content, told) || type !== "final_answer")
    faults.push({
      code: "DeltaMismatch",
      message:
        type === "final_answer"
          ? "the streamed pieces do not add up to the answer"
          : "another type of action was streamed than decided",
      expected:
        type === "final_answer"
          ? excerpt(wholeText(view.run, content) ?? "a text known by its hash")
          : "final_answer",
      actual: type === "final_answer" ? excerpt(told) : excerpt(type ?? ""),
      at,
    });
  return { ...look, unseen: null, faults };
}

/** Pieces of a reply that was thrown away are no answer, and none of ours to judge. */
function lookAtOtherTurns(view: RunView, silence: string | null): Look {
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
    asked: false,
    exercised: deltas.length > 0,
    unseen: silence,
    faults: faultAt(wrong, ([{ turn }]) => ({
      code: "DeltaOutsideAnswer",
      message: `text of an answer was streamed in turn ${turn}, which gave none`,
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

function lookAtOrder(view: RunView): Look {
  const acceptedAt = new Map(
    view.of("model_response").flatMap(({ turn, seq, data }) => (data.ok ? [[turn, seq] as const] : [])),
  );
  const done: AgentEvent[] = effects.flatMap((type) => [...view.of(type)]).sort((a, b) => a.seq - b.seq);
  const answered = new Set(view.of("model_response").map(({ turn }) => turn));
  const isTold = (event: AgentEvent) => answered.has(event.turn);
  const early = done.filter(
    (event) => isTold(event) && (acceptedAt.get(event.turn) ?? Number.POSITIVE_INFINITY) > event.seq,
  );
  return {
    name: "nothing is done before a reply is accepted",
    asked: false,
    exercised: done.length > 0,
    unseen: done.every(isTold) ? null : "the reply to an action is not told",
    faults: faultAt(early, ([{ turn, type }]) => ({
      code: "IoBeforeValidation",
      message: `${type} of turn ${turn} came before its reply was complete and accepted`,
      expected: "a higher line than that of the accepted model_response",
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
  const asked = view.of("model_request").findLast((event) => ofReply(event) && event.seq < seq)?.seq ?? 0;
  return view
    .of("model_delta")
    .filter((event) => ofReply(event) && event.seq > asked && event.data.path === path);
}

/** Characters; no model says more, but a log may point at one file a million times. */
const longestStream = 1 << 26;

/** Null where a piece is known by its hash alone, or all of them together are no answer of any model. */
function joined(view: RunView, pieces: readonly AgentEvent<"model_delta">[]): string | null {
  let text = "";
  for (const { data } of pieces) {
    const piece = recordedText(data.text ?? data);
    const part = piece === null ? null : wholeText(view.run, piece);
    if (part === null || text.length + part.length > longestStream) return null;
    text += part;
  }
  return text;
}

function excerpt(text: string): string {
  return shownLines(text, 200);
}
