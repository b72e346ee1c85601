import { countOf } from "../src/base/count-of.ts";
import type { AgentResult, Check } from "../src/contract/agent-report.ts";
import type { ScoreName } from "../src/reporters/agent/dimension-words.ts";
import { DimensionMark } from "./dimension-mark.tsx";
import { StrangerText } from "./stranger-text.tsx";

/** Every check of a cell, by dimension; closed at first, for most of them passed. */
export function CheckList({ scores, names }: { scores: AgentResult["scores"]; names: readonly ScoreName[] }) {
  const told = names.flatMap((name) => {
    const checks = scores[name]?.checks ?? [];
    return checks.length === 0 ? [] : [{ name, checks }];
  });
  const count = told.reduce((sum, { checks }) => sum + checks.length, 0);
  if (count === 0) return null;
  return (
    <details class="checks">
      <summary>{countOf(count, "check")}</summary>
      <dl>
        {told.map(({ name, checks }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <ul class="plain-list">
                {checks.map((check, place) => (
                  <OneCheck key={place} check={check} />
                ))}
              </ul>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function OneCheck({ check: { name, status, exercised, attempted } }: { check: Check }) {
  return (
    <li>
      <DimensionMark status={status} size={12} /> <StrangerText text={name} limit={200} />
      {!exercised && <span class="badge">not exercised</span>}
      {attempted === true && <span class="badge">attempted</span>}
    </li>
  );
}
