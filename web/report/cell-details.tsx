import type { Fact } from "../../src/contract/view.ts";
import type { PageBlock } from "../../src/report/view/page-document.ts";
import { Blocks } from "./blocks.tsx";
import { firstState, writeState } from "./page-state.ts";
import { type Cell, cellValue } from "./read-report.ts";
import { Facts, StrangerText } from "./values.tsx";

/** Why a cell is what it is: the input and the output in the middle, its facts at the side. */
export function CellDetails({ cell }: { cell: Cell }) {
  const { one, subject, trial, key } = cell;
  const blocks = cell.blocks ?? [];
  const isAside = ({ kind, title }: PageBlock) => kind === "facts" && title === undefined;
  const shownBefore = new Set(
    blocks.flatMap((block) => (block.kind === "facts" ? block.facts : [])).map(({ label }) => label),
  );
  const own: Fact[] = [
    { label: "Subject", value: subject.name },
    { label: "Case", value: one.name === one.id ? null : one.id },
    { label: "Trial", value: subject.trials > 1 ? `${trial} of ${subject.trials}` : null },
    { label: "Tags", value: one.tags.length === 0 ? null : one.tags.join(", ") },
    ...subject.suite.columns.map(({ id, label, unit = "text" }) => ({
      ...{ label, unit },
      value: cellValue(cell, id)?.value ?? null,
    })),
  ].filter(({ label, value }) => value !== null && value !== "" && !shownBefore.has(label));
  return (
    <div class="details">
      {one.title !== null && one.title !== one.name && (
        <p class="description">
          <StrangerText text={one.title} />
        </p>
      )}
      <div class="details-main">
        {cell.blocks === null && (
          <p class="under">
            The explanation of this cell is not in the page, which would become too large. It is in the JSON
            report under its key.
          </p>
        )}
        <Blocks blocks={blocks.filter((block) => !isAside(block))} cell={cell} />
        {one.isShortened && <p class="under">Input and expected value are shortened.</p>}
      </div>
      <div class="details-side">
        <Facts facts={own} />
        <Blocks blocks={blocks.filter(isAside)} cell={cell} />
        <p class="under">
          <a href={`#${writeState({ ...firstState, open: [key] })}`}>Link to this result</a>
        </p>
      </div>
    </div>
  );
}
