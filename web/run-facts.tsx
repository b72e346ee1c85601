import type { ReportFile } from "../src/contract/report.ts";
import { runFacts } from "../src/reporters/run-facts.ts";
import { FactList } from "./fact-list.tsx";

/** What a reader must know to judge the numbers, and to get them again. */
export function RunFacts({ report }: { report: ReportFile }) {
  return (
    <section aria-labelledby="run-title">
      <h2 id="run-title">Run</h2>
      <FactList class="facts-wide" facts={runFacts(report)} />
    </section>
  );
}
