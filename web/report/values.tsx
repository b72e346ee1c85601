import type { Fact } from "../../src/contract/view.ts";
import { readableText } from "../../src/report/text/html-text.ts";
import { intervalLabel } from "../../src/report/view/interval-words.ts";
import { showBounds, showValue } from "../../src/report/view/show-value.ts";
import { cutWords } from "../../src/report/view/wrap-words.ts";

/** Text that others wrote: only ever a text node, cut off from the direction of the text around it, and cut between words. */
export function StrangerText({ text, limit }: { text: string; limit?: number }) {
  return <bdi>{readableText(limit === undefined ? text : cutWords(text, limit))}</bdi>;
}

/** The value of a fact with its interval and its note. */
function FactValue({ fact }: { fact: Fact }) {
  const { value, unit = "text", interval, note, tone } = fact;
  return (
    <span class={tone === undefined ? "" : `tone-${tone}`}>
      {value === null ? <span class="unknown">–</span> : <StrangerText text={showValue(value, unit)} />}
      {interval != null && value !== null && (
        <span class="bounds">
          {" "}
          [{showBounds(interval, unit)}] {intervalLabel(interval)}
        </span>
      )}
      {note !== undefined && (
        <span class="fact-note">
          {" "}
          <StrangerText text={note} />
        </span>
      )}
    </span>
  );
}

/** Facts by name. */
export function Facts({ facts, class: name = "" }: { facts: readonly Fact[]; class?: string }) {
  return (
    <dl class={`facts ${name}`}>
      {facts.map((fact, at) => (
        <div key={at}>
          <dt>
            <StrangerText text={fact.label} />
          </dt>
          <dd>
            <FactValue fact={fact} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Facts by name; what is not known is left out. */
export function FactList(props: { facts: readonly (readonly [string, string | null])[]; class?: string }) {
  return (
    <dl class={`facts ${props.class ?? ""}`}>
      {props.facts.map(([name, value]) =>
        value === null ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <StrangerText text={value} />
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}

/** A number in a table; an unknown one says why it is not known. */
export function Figure({ label, text, why }: { label: string; text: string; why: string }) {
  return (
    <td class="number" data-label={label}>
      {text === "–" ? (
        <span class="unknown" title={why}>
          –<span class="unseen"> ({why})</span>
        </span>
      ) : (
        text
      )}
    </td>
  );
}

/** A whole number as people read it: `12,480`. */
export function grouped(count: number): string {
  return count.toLocaleString("en");
}
