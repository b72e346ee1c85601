import type { CellCounts } from "../src/reporters/agent/cell-words.ts";
import { CountBar } from "./count-bar.tsx";
import { suiteParts } from "./count-parts.ts";
import { StrangerText } from "./stranger-text.tsx";

/** One row per suite: how its cells ended. */
export function SuiteTable(props: {
  suites: ReadonlyMap<string, CellCounts>;
  onChoose: (suite: string) => void;
}) {
  const { suites, onChoose } = props;
  return (
    <table class="summary suites">
      <caption class="unseen">How the cells of each suite ended</caption>
      <thead>
        <tr>
          <th scope="col">Suite</th>
          <th scope="col">Cells</th>
        </tr>
      </thead>
      <tbody>
        {[...suites].map(([suite, counts]) => (
          <tr key={suite}>
            <th scope="row" class="name">
              <button type="button" class="link" title="Show its cells" onClick={() => onChoose(suite)}>
                <StrangerText text={suite} limit={160} />
              </button>
            </th>
            <td data-label="Cells">
              <CountBar parts={suiteParts(counts)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
