import type { ReportFile } from "../src/contract/report.ts";
import { skillFigures } from "../src/reporters/skill-figures.ts";
import type { CellQuery } from "./choose-cells.ts";
import { FactList } from "./fact-list.tsx";
import { Fold } from "./fold.tsx";
import { LatencyHistogram } from "./latency-histogram.tsx";
import { skillKey } from "./skill-cell.ts";
import { StrangerText } from "./stranger-text.tsx";
import { TagTable } from "./tag-table.tsx";

/** What the summary has no room for, per skill: figures, latencies, tags. */
export function SkillDetails(props: {
  report: ReportFile;
  isPrinting: boolean;
  onChoose: (query: Partial<CellQuery>) => void;
}) {
  const { report, isPrinting, onChoose } = props;
  const { reports } = report;
  return (
    <section aria-labelledby="details-title">
      <h2 id="details-title">In detail</h2>
      <div class="skills">
        {reports.map((skill) => (
          <Fold
            key={skillKey(skill)}
            isOpenAtFirst={reports.length === 1}
            isPrinting={isPrinting}
            title={
              <>
                <StrangerText text={skill.skillId} limit={160} />{" "}
                <span class="under">
                  version <StrangerText text={skill.skillVersion} limit={40} />, benchmark{" "}
                  <StrangerText text={`${skill.benchmarkId} ${skill.benchmarkVersion}`} limit={120} />
                </span>
              </>
            }
            body={() => (
              <div class="skill-body">
                <FactList facts={[...skillFigures(skill), ["Content", skill.skillDigest || null]]} />
                <LatencyHistogram skill={skill} />
                <TagTable skill={skill} onChoose={onChoose} />
              </div>
            )}
          />
        ))}
      </div>
    </section>
  );
}
