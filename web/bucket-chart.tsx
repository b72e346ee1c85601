import type { PlanTable } from "../src/contract/planbench-report.ts";
import { percent } from "../src/reporters/format-numbers.ts";
import { bucketParts, meanRepairsWords } from "../src/reporters/planbench/table-facts.ts";
import { grouped } from "./grouped.ts";

/** Samples by how many repairs they took: a bar for each number, and one for those that never became ok. There is at least one sample. */
export function BucketChart({ table }: { table: PlanTable }) {
  const parts = bucketParts(table);
  const mean = meanRepairsWords(table);
  return (
    <table class="buckets">
      <caption>Samples by repairs {mean !== "" && <span class="under">{mean}</span>}</caption>
      <tbody>
        {parts.map(({ bucket, word, count }) => (
          <tr key={bucket} class={`bucket bucket-${bucket}`}>
            <th scope="row">{word}</th>
            <td class="bucket-drawn">
              <svg aria-hidden="true" focusable="false">
                <rect width={`${(count / table.n) * 100}%`} height="100%" />
              </svg>
            </td>
            <td class="number">
              {grouped(count)} <span class="under bucket-share">{count > 0 && percent(count / table.n)}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
