import type { SkillReport } from "../src/contract/report.ts";
import { fraction, percent } from "../src/reporters/format-numbers.ts";
import type { CellQuery } from "./choose-cells.ts";
import { Figure } from "./figure.tsx";
import { grouped } from "./grouped.ts";
import { StrangerText } from "./stranger-text.tsx";

/** The figures of a skill per tag of its tasks. */
export function TagTable(props: { skill: SkillReport; onChoose: (query: Partial<CellQuery>) => void }) {
  const { skill, onChoose } = props;
  const tags = Object.entries(skill.byTag);
  if (tags.length === 0) return null;
  return (
    <table class="tags">
      <caption>By tag</caption>
      <thead>
        <tr>
          <th scope="col">Tag</th>
          <th scope="col" class="number">
            Passed
          </th>
          <th scope="col" class="number">
            Completion
          </th>
          <th scope="col" class="number">
            Score
          </th>
        </tr>
      </thead>
      <tbody>
        {tags.map(([tag, { total, pass, completionRate, partialScore }]) => (
          <tr key={tag}>
            <th scope="row">
              <button
                type="button"
                class="link"
                title="Show its results"
                onClick={() => onChoose({ skill, tag })}
              >
                <StrangerText text={tag} limit={80} />
              </button>
            </th>
            <td class="number">
              {grouped(pass)} of {grouped(total)}
            </td>
            <Figure label="Completion" text={percent(completionRate)} why="no valid result" />
            <Figure label="Score" text={fraction(partialScore)} why="no valid result" />
          </tr>
        ))}
      </tbody>
    </table>
  );
}
