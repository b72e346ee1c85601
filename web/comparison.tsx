import { readableText } from "../src/reporters/html-text.ts";
import type { ComparedValues, Side } from "./read-comparison.ts";
import { StrangerText } from "./stranger-text.tsx";

/** What was expected above what came, with the part that differs marked. */
export function Comparison({ comparison }: { comparison: ComparedValues }) {
  return (
    <section class="part">
      <h3>
        Difference
        {comparison.path !== null && (
          <>
            {" at "}
            <StrangerText text={comparison.path} limit={200} />
          </>
        )}
      </h3>
      <dl class="comparison">
        <Line name="expected" side={comparison.expected} />
        <Line name="got" side={comparison.got} />
      </dl>
    </section>
  );
}

function Line({ name, side }: { name: "expected" | "got"; side: Side }) {
  return (
    <div class={name}>
      <dt>{name}</dt>
      <dd>
        {readableText(side.before)}
        {side.differs !== "" && <mark>{readableText(side.differs)}</mark>}
        {readableText(side.after)}
      </dd>
    </div>
  );
}
