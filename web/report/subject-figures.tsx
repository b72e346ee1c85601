import type { Unit } from "../../src/contract/view.ts";
import type { IntervalKey } from "../../src/report/view/interval-words.ts";
import type { PageFact } from "../../src/report/view/page-document.ts";
import { showBounds, showValue } from "../../src/report/view/show-value.ts";
import { toneClass } from "./blocks.tsx";
import { IntervalPlot } from "./subject-charts.tsx";
import { StrangerText } from "./values.tsx";

export function capital(label: string): string {
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** What the signs in a table of figures mean, and what its intervals are about. */
export function Legend({
  words,
  isPlotted,
  isLimited,
}: {
  words: string;
  isPlotted: boolean;
  isLimited: boolean;
}) {
  return (
    <p class="legend">
      {isPlotted && (
        <span>
          <span class="key key-dot" /> measured
        </span>
      )}
      <span>
        {isPlotted && <span class="key key-whisker" />} {words}
      </span>
      {isLimited && (
        <span>
          <span class="key key-gate" /> threshold
        </span>
      )}
    </p>
  );
}

/** The numbers of the axis that the plots below share. */
export function Scale() {
  return (
    <span class="scale" aria-hidden="true">
      <span>0</span>
      <span>50</span>
      <span>100%</span>
    </span>
  );
}

/** A figure of a subject; where there is room, drawn on the axis that all of its column share. */
export function FactCell(props: {
  fact: PageFact | undefined;
  label: string;
  unit: Unit;
  isPlot: boolean;
  intervals: IntervalKey;
}) {
  const { fact, label, unit, isPlot, intervals } = props;
  const { value = null, interval = null, limit, tone } = fact ?? {};
  const under = [fact === undefined ? "" : intervals.beside(fact), fact?.note ?? ""].filter(
    (text) => text !== "",
  );
  const isNumber = typeof value === "number";
  const hasFailed = limit !== undefined && limit.passed !== true;
  return (
    <td
      class={`${isPlot ? "plot" : unit === "text" ? "" : "number"} ${toneClass(tone)}`}
      data-label={capital(label)}
    >
      {isPlot && isNumber && (
        <IntervalPlot rate={value} interval={interval} gate={limit?.threshold ?? 0} isBelow={hasFailed} />
      )}
      <span class="rate">
        {value === null ? (
          <span class="unknown">–</span>
        ) : (
          <span class={isPlot ? "strong" : ""}>
            <StrangerText text={showValue(value, unit)} limit={120} />
          </span>
        )}
        {interval !== null && isNumber && <span class="bounds">[{showBounds(interval, unit)}]</span>}
      </span>
      {under.length > 0 && (
        <span class="under">
          <StrangerText text={under.join(", ")} limit={120} />
        </span>
      )}
    </td>
  );
}
