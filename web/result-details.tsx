import { countOf } from "../src/base/count-of.ts";
import type { AgentResult, Failure } from "../src/contract/agent-report.ts";
import { noVerdictWords } from "../src/reporters/agent/cell-words.ts";
import type { ScoreName } from "../src/reporters/agent/dimension-words.ts";
import { eventWords, quotedLines } from "../src/reporters/agent/event-words.ts";
import { readableText } from "../src/reporters/html-text.ts";
import { CheckList } from "./check-list.tsx";
import { Conversation } from "./conversation.tsx";
import { FactList } from "./fact-list.tsx";
import { resultDigests, resultFacts } from "./result-facts.ts";
import { StatusMark } from "./status-mark.tsx";
import { StrangerText } from "./stranger-text.tsx";

/** All that is kept about one cell of an agent case: its failures with the lines that show them, its checks, its run. */
export function ResultDetails({ result, names }: { result: AgentResult; names: readonly ScoreName[] }) {
  const { title, status, failures, quotes, not_exercised, warnings } = result;
  return (
    <div class="details">
      {title !== undefined && (
        <p class="description">
          <StrangerText text={title} limit={1000} />
        </p>
      )}
      <div class="details-main">
        {status === "invalid" && (
          <section class="part">
            <h3>No verdict</h3>
            <pre>{readableText(noVerdictWords(result))}</pre>
          </section>
        )}
        {failures.length > 0 && (
          <section class="part">
            <h3>{countOf(failures.length, "failure")}</h3>
            <ol class="failures">
              {failures.map((failure, place) => (
                <OneFailure key={place} failure={failure} quotes={quotes} />
              ))}
            </ol>
          </section>
        )}
        {result.conversation !== undefined && <Conversation record={result.conversation} />}
        <Lines title="Not exercised: nothing in the run could have tripped it" lines={not_exercised} />
        <Lines title={countOf(warnings.length, "warning")} lines={warnings} />
        <CheckList scores={result.scores} names={names} />
      </div>
      <div class="details-side">
        <FactList facts={resultFacts(result)} />
        <FactList class="digests" facts={resultDigests(result)} />
      </div>
    </div>
  );
}

function OneFailure({ failure, quotes }: { failure: Failure; quotes: AgentResult["quotes"] }) {
  const { dimension, code, message, expected, actual } = failure;
  const events = eventWords(failure);
  const quoted = quotedLines(failure, quotes);
  return (
    <li>
      <p class="failure-head">
        <StatusMark status="fail" size={13} /> <strong>{dimension}</strong>{" "}
        <span class="mono">
          <StrangerText text={code} limit={100} />
        </span>
      </p>
      <p>
        <StrangerText text={message} limit={2000} />
      </p>
      {expected !== null && <Value title="Expected" value={expected} />}
      {actual !== null && <Value title="Actual" value={actual} />}
      {events !== null && (
        <p class="under">
          <StrangerText text={events} limit={400} />
        </p>
      )}
      {quoted.length > 0 && (
        <pre class="quoted">
          {quoted.map(({ line, text }) => `${line}  ${readableText(text).replaceAll("\n", " ")}`).join("\n")}
        </pre>
      )}
    </li>
  );
}

function Value({ title, value }: { title: string; value: unknown }) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return (
    <p class="value">
      <span class="under">{title}</span> <StrangerText text={text} limit={600} />
    </p>
  );
}

function Lines({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <section class="part">
      <h3>{title}</h3>
      <ul class="plain-list">
        {lines.map((line, place) => (
          <li key={place}>
            <StrangerText text={line} limit={600} />
          </li>
        ))}
      </ul>
    </section>
  );
}
