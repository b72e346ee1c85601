import { readableText } from "../src/reporters/html-text.ts";
import { FactList } from "./fact-list.tsx";
import { JudgmentList } from "./judgment-list.tsx";
import { queryDigests, queryFacts } from "./query-facts.ts";
import type { ShownQuery } from "./shown-query.ts";

/** All that is kept about one query: its whole text, every answer, and what it was judged by. */
export function QueryDetails({ query }: { query: ShownQuery }) {
  const { judgments = [], reason } = query;
  return (
    <div class="details">
      <div class="details-main">
        <section class="part">
          <h3>Query</h3>
          <pre>{readableText(query.query)}</pre>
        </section>
        {judgments.length > 0 ? (
          <JudgmentList judgments={judgments} />
        ) : (
          reason !== null && (
            <section class="part">
              <h3>Reason</h3>
              <pre>{readableText(reason)}</pre>
            </section>
          )
        )}
      </div>
      <div class="details-side">
        <FactList facts={queryFacts(query)} />
        <FactList class="digests" facts={queryDigests(query)} />
      </div>
    </div>
  );
}
