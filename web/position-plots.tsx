import type { PositionBias } from "../src/contract/trigger-report.ts";
import { RatePlot } from "./rate-plot.tsx";
import { Scale } from "./scale.tsx";

/** Whether the place of a card decides: how often the chosen one stood in the first third of its list, and in the last. */
export function PositionPlots({ bias }: { bias: PositionBias }) {
  const rows = [
    ["First third", bias.first],
    ["Last third", bias.last],
  ] as const;
  return (
    <div class="scroll">
      <table class="position">
        <caption>Where the chosen card stood; dashed: what chance alone would give</caption>
        <thead>
          <tr>
            <th scope="col">In the list</th>
            <th scope="col">
              Of the choices
              <Scale />
            </th>
            <th scope="col" class="number">
              Chosen
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, { rate, interval, count, of, expected }]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="ratio">
                <RatePlot rate={rate} interval={interval} line={expected ?? 0} />
              </td>
              <td class="number">
                {count} of {of}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
