import { useState } from "preact/hooks";
import { readableText } from "../../src/report/text/html-text.ts";
import { type Difference, diffJson } from "../../src/report/view/diff-json.ts";
import type { Json } from "../../src/shared/json/json.ts";
import { diffText, type Piece } from "./text-diff.ts";
import { grouped, StrangerText } from "./values.tsx";

const shownAtFirst = 50;

/** Every difference between what was expected and what came, and both values as a whole. */
export function DiffView({ expected, actual }: { expected: Json; actual: Json }) {
  const [isWhole, setWhole] = useState(false);
  const differences = diffJson(expected, actual);
  const shown = isWhole ? differences : differences.slice(0, shownAtFirst);
  const [only] = differences;
  if (only === undefined)
    return (
      <>
        <p class="under">Both values are the same.</p>
        <pre>{readableText(valueText(actual))}</pre>
      </>
    );
  const isAll = only.path === "$";
  return (
    <div class="diff">
      {!isAll && (
        <p class="under">
          {grouped(differences.length)} {differences.length === 1 ? "difference" : "differences"}
        </p>
      )}
      {shown.map((difference) => (
        <OneDifference key={difference.path} difference={difference} isAll={isAll} />
      ))}
      {shown.length < differences.length && (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          Show all {grouped(differences.length)} differences
        </button>
      )}
      {!isAll && (
        <details>
          <summary>Whole values</summary>
          <div class="sides">
            {[expected, actual].map((value, side) => (
              <div key={side}>
                <h4>{side === 0 ? "Expected" : "Actual"}</h4>
                <pre>{readableText(valueText(value))}</pre>
              </div>
            ))}
          </div>
        </details>
      )}
    </div>
  );
}

const absentWords = { missing: "missing", extra: "not expected" };

function OneDifference({ difference, isAll }: { difference: Difference; isAll: boolean }) {
  const { path, kind, expected = null, actual = null } = difference;
  const areTexts = typeof expected === "string" && typeof actual === "string";
  // A text is shown as it is, unless the other value is not a text.
  const textOfSide = (value: Json) => (areTexts ? valueText(value) : JSON.stringify(value, null, 2));
  const pieces =
    kind === "changed"
      ? diffText(textOfSide(expected), textOfSide(actual))
      : [
          {
            kind: kind === "missing" ? "expected" : "actual",
            text: valueText(kind === "missing" ? expected : actual),
          } as const,
        ];
  return (
    <div class="difference">
      {!isAll && (
        <p class="path mono">
          <StrangerText text={path} />
          {kind !== "changed" && <span class="badge">{absentWords[kind]}</span>}
        </p>
      )}
      <dl class="comparison">
        {kind !== "extra" && <Side side="expected" pieces={pieces} />}
        {kind !== "missing" && <Side side="actual" pieces={pieces} />}
      </dl>
    </div>
  );
}

function Side({ side, pieces }: { side: "expected" | "actual"; pieces: readonly Piece[] }) {
  return (
    <div class={side}>
      <dt>{side}</dt>
      <dd>
        {pieces.map(({ kind, text }, at) => {
          if (kind === "both") return readableText(text);
          return kind === side ? <mark key={at}>{readableText(text)}</mark> : null;
        })}
      </dd>
    </div>
  );
}

/** A text as it is, any other value as JSON. */
function valueText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
