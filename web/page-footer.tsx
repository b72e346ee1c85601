import { StrangerText } from "./stranger-text.tsx";

/** What made the page, and what two runs may differ in. */
export function PageFooter({ report }: { report: { schemaVersion: number; tool: { version: string } } }) {
  return (
    <footer>
      Made by eval-skills <StrangerText text={report.tool.version} />. Two runs over the same inputs differ
      only in times, durations, run id and the paths of this machine.
    </footer>
  );
}
