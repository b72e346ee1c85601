import type { ReportFile } from "../src/contract/report.ts";
import { describeInvalid } from "../src/reporters/describe-invalid.ts";
import { grouped } from "./grouped.ts";
import { StrangerText } from "./stranger-text.tsx";

const shownAtFirst = 5;

/** What a reader should hear before the figures: that there is no verdict, and what the run warned of. */
export function Notices({ report, isPrinting }: { report: ReportFile; isPrinting: boolean }) {
  const invalid = describeInvalid(report);
  const { warnings } = report;
  const rest = warnings.slice(shownAtFirst);
  if (invalid === null && warnings.length === 0) return null;
  return (
    <div class="notices">
      {invalid !== null && <p class="notice notice-invalid">{invalid}</p>}
      {warnings.slice(0, shownAtFirst).map((warning) => (
        <Warning key={warning} text={warning} />
      ))}
      {rest.length > 0 && (
        <details open={isPrinting}>
          <summary>{grouped(rest.length)} more warnings</summary>
          <div class="notices">
            {rest.map((warning) => (
              <Warning key={warning} text={warning} />
            ))}
          </div>
        </details>
      )}
    </div>
  );
}

function Warning({ text }: { text: string }) {
  return (
    <p class="notice">
      Warning: <StrangerText text={text} />
    </p>
  );
}
