import type { ConfusionSummary } from "../src/contract/trigger-report.ts";
import { describeConfusion } from "../src/reporters/describe-confusion.ts";
import { ConfusionMatrix, type MatrixField } from "./confusion-matrix.tsx";
import { grouped } from "./grouped.ts";
import { RatePlot } from "./rate-plot.tsx";
import { Scale } from "./scale.tsx";
import { StrangerText } from "./stranger-text.tsx";

/** Who was chosen for whose requests: the matrix, and the pairs that are mistaken most. */
export function ConfusionSection(props: {
  confusion: ConfusionSummary;
  textsOf: (field: MatrixField) => readonly string[];
  /** Said below, such as whether the place of a card decides. */
  note: string | null;
}) {
  const { confusion, textsOf, note } = props;
  return (
    <section aria-labelledby="confusion-title">
      <h2 id="confusion-title">Who was chosen</h2>
      <p class="legend">
        <span>
          <span class="key key-right" /> right, framed
        </span>
        <span>
          <span class="key key-wrong" /> another skill, bold
        </span>
        <span>
          <span class="key key-missed" /> none or undecided
        </span>
        <span>the stronger the shade, the larger the share of its row</span>
      </p>
      <ConfusionMatrix
        title="Whom requests are meant for, down, and who was chosen, across"
        rows={confusion.rows}
        textsOf={textsOf}
      />
      <p class="note">{describeConfusion(confusion)}</p>
      {note !== null && <p class="note">{note}</p>}
      <Pairs pairs={confusion.worstPairs} />
    </section>
  );
}

function Pairs({ pairs }: { pairs: ConfusionSummary["worstPairs"] }) {
  if (pairs.length === 0) return null;
  return (
    <div class="scroll">
      <table class="pairs">
        <caption>Worst pairs</caption>
        <thead>
          <tr>
            <th scope="col">Meant for</th>
            <th scope="col">Chosen instead</th>
            <th scope="col" class="number">
              Requests
            </th>
            <th scope="col">
              Share <Scale />
            </th>
          </tr>
        </thead>
        <tbody>
          {pairs.map(({ intended, chosen, count, of, rate, interval }) => (
            <tr key={JSON.stringify([intended, chosen])}>
              <th scope="row">
                <StrangerText text={intended} limit={80} />
              </th>
              <td>
                <StrangerText text={chosen} limit={80} />
              </td>
              <td class="number">
                {grouped(count)} of {grouped(of)}
              </td>
              <td class="ratio">
                <RatePlot rate={rate} interval={interval} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
