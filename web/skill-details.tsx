import { useState } from "preact/hooks";
import type { ReportFile, SkillReportWithCells } from "../src/contract/report.ts";
import { skillFigures } from "../src/reporters/skill-figures.ts";
import type { CellQuery } from "./choose-cells.ts";
import { FactList } from "./fact-list.tsx";
import { LatencyHistogram } from "./latency-histogram.tsx";
import { skillKey } from "./skill-cell.ts";
import { StrangerText } from "./stranger-text.tsx";
import { TagTable } from "./tag-table.tsx";

interface Props {
  report: ReportFile;
  isPrinting: boolean;
  onChoose: (query: Partial<CellQuery>) => void;
}

/** What the summary has no room for, per skill: figures, latencies, tags. */
export function SkillDetails({ report, isPrinting, onChoose }: Props) {
  const { reports } = report;
  return (
    <section aria-labelledby="details-title">
      <h2 id="details-title">In detail</h2>
      <div class="skills">
        {reports.map((skill) => (
          <OneSkill
            key={skillKey(skill)}
            skill={skill}
            isOpenAtFirst={reports.length === 1}
            isPrinting={isPrinting}
            onChoose={onChoose}
          />
        ))}
      </div>
    </section>
  );
}

function OneSkill(props: {
  skill: SkillReportWithCells;
  isOpenAtFirst: boolean;
  isPrinting: boolean;
  onChoose: (query: Partial<CellQuery>) => void;
}) {
  const { skill, isPrinting, onChoose } = props;
  const [isOpen, setOpen] = useState(props.isOpenAtFirst);
  const isShown = isOpen || isPrinting;
  return (
    <details
      class="skill"
      open={isShown}
      onToggle={(event) => {
        if (!isPrinting) setOpen(event.currentTarget.open);
      }}
    >
      <summary>
        <StrangerText text={skill.skillId} limit={160} />{" "}
        <span class="under">
          version <StrangerText text={skill.skillVersion} limit={40} />, benchmark{" "}
          <StrangerText text={`${skill.benchmarkId} ${skill.benchmarkVersion}`} limit={120} />
        </span>
      </summary>
      {isShown && (
        <div class="skill-body">
          <FactList facts={[...skillFigures(skill), ["Content", skill.skillDigest || null]]} />
          <LatencyHistogram skill={skill} />
          <TagTable skill={skill} onChoose={onChoose} />
        </div>
      )}
    </details>
  );
}
