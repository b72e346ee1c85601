import type { Fact } from "../../src/contract/view.ts";
import { showBounds, showValue } from "../../src/report/view/show-value.ts";
import { StrangerText } from "./stranger-text.tsx";

/** The value of a fact with its interval and its note. */
function FactValue({ fact }: { fact: Fact }) {
  const { value, unit = "text", interval, note, tone } = fact;
  return (
    <span class={tone === undefined ? "" : `tone-${tone}`}>
      {value === null ? <span class="unknown">–</span> : <StrangerText text={showValue(value, unit)} />}
      {interval != null && value !== null && <span class="bounds"> {showBounds(interval, unit)}</span>}
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
