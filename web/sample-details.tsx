import type { ComponentChildren } from "preact";
import { countOf } from "../src/base/count-of.ts";
import type { PlanAttempt, PlanResult } from "../src/contract/planbench-report.ts";
import { milliseconds } from "../src/reporters/format-numbers.ts";
import { readableText } from "../src/reporters/html-text.ts";
import { noOutcomeWords } from "../src/reporters/planbench/sample-words.ts";
import { FactList } from "./fact-list.tsx";
import { grouped } from "./grouped.ts";
import { sampleDigests, sampleFacts } from "./sample-facts.ts";
import { StatusMark } from "./status-mark.tsx";
import { StrangerText } from "./stranger-text.tsx";

/** All that is kept about one sample: its attempts with what was wrong with each, and the last plan where the report has it. */
export function SampleDetails({ result }: { result: PlanResult }) {
  const { outcome, problem, attempts, plan } = result;
  return (
    <div class="details">
      <div class="details-main">
        {outcome === "error" && (
          <Part title="No outcome">
            <pre>{readableText(noOutcomeWords(result))}</pre>
          </Part>
        )}
        {outcome !== "error" && problem !== null && (
          <Part title="Problem">
            <pre>{readableText(problem)}</pre>
          </Part>
        )}
        {attempts.length > 0 && (
          <Part title={countOf(attempts.length, "attempt")}>
            <ol class="tries" start={0}>
              {attempts.map((attempt, place) => (
                <Try key={place} attempt={attempt} />
              ))}
            </ol>
          </Part>
        )}
        {plan !== undefined && (
          <Part title="Last plan">
            <pre>{readableText(typeof plan === "string" ? plan : JSON.stringify(plan, null, 2))}</pre>
          </Part>
        )}
      </div>
      <div class="details-side">
        <FactList facts={sampleFacts(result)} />
        <FactList class="digests" facts={sampleDigests(result)} />
      </div>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="part">
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function Try({ attempt }: { attempt: PlanAttempt }) {
  const { valid, ms, tokens, executed, violations } = attempt;
  const isGood = valid && executed !== false;
  return (
    <li>
      <span class="attempt-line">
        <StatusMark status={isGood ? "pass" : "fail"} size={13} /> {valid ? "valid" : "not valid"}
        {executed !== null && (executed ? ", carried out" : ", not carried out")}, {milliseconds(ms)}
        {tokens !== null && `, ${grouped(tokens)} tokens`}
      </span>
      {violations.length > 0 && (
        <ul class="violations">
          {violations.map(({ pointer, reason }, place) => (
            <li key={place}>
              {pointer !== "" && (
                <span class="mono">
                  <StrangerText text={pointer} limit={200} />
                </span>
              )}{" "}
              <StrangerText text={reason} limit={600} />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
