import { countOf } from "../src/base/count-of.ts";
import type { Judgment, UnusableReply } from "../src/contract/judge.ts";
import type { Verdict } from "../src/contract/verdict.ts";
import { readableText } from "../src/reporters/html-text.ts";
import { judgmentEffort } from "./judgment-effort.ts";
import { StatusMark } from "./status-mark.tsx";
import { StrangerText } from "./stranger-text.tsx";

/** The answers of a judge to one query, one by one. */
export function JudgmentList({ judgments }: { judgments: readonly Judgment[] }) {
  return (
    <section class="part">
      <h3>{countOf(judgments.length, "answer")}</h3>
      <ol class="judgments">
        {judgments.map((judgment) => (
          <OneJudgment key={judgment.repeat} judgment={judgment} />
        ))}
      </ol>
    </section>
  );
}

function OneJudgment({ judgment }: { judgment: Judgment }) {
  const { outcome, reasked = [], order = [] } = judgment;
  const chosen = "chosen" in judgment ? judgment.chosen : undefined;
  return (
    <li>
      <span class="judgment-head">
        <StatusMark status={marks[outcome]} size={13} />
        <strong>{outcome}</strong>
        {chosen !== undefined && (
          <span>chose {chosen === null ? "NONE" : <StrangerText text={chosen} limit={80} />}</span>
        )}
        <span class="under">{judgmentEffort(judgment)}</span>
      </span>
      {reasked.map((reply, place) => (
        <Unusable key={place} reply={reply} title={`Reply ${place + 1}, asked again`} />
      ))}
      {judgment.outcome === "invalid" ? (
        <Unusable reply={judgment} title={reasked.length === 0 ? null : "Last reply"} />
      ) : (
        <p>
          <StrangerText
            text={judgment.outcome === "error" ? `${judgment.code}: ${judgment.message}` : judgment.reason}
            limit={600}
          />
        </p>
      )}
      {order.length > 0 && (
        <details class="order">
          <summary>{countOf(order.length, "card")}, in the order shown</summary>
          <ol>
            {order.map((skillId, place) => (
              <li key={place} class={skillId === chosen ? "picked" : ""}>
                <StrangerText text={skillId} limit={80} />
                {skillId === chosen && " (chosen)"}
              </li>
            ))}
          </ol>
        </details>
      )}
    </li>
  );
}

/** A yes or no is an answer, not yet a verdict: neither gets the colour of one. */
const marks: Readonly<Record<Judgment["outcome"], Verdict | "none">> = {
  yes: "none",
  no: "none",
  invalid: "invalid",
  error: "error",
};

function Unusable({ reply, title }: { reply: UnusableReply; title: string | null }) {
  const meant = reply.lenientDecision ?? "neither";
  return (
    <div class="unusable">
      <p>
        {title !== null && `${title}: `}
        <StrangerText text={reply.why} limit={300} />
      </p>
      <pre>{reply.raw === "" ? "(an empty reply)" : readableText(reply.raw)}</pre>
      <p class="under">To a lenient reader: {meant}. That informs only and decides nothing.</p>
    </div>
  );
}
