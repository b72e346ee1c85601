import { render } from "preact";
import { AgentPage } from "./agent-page.tsx";
import { onPrint } from "./on-print.ts";
import { PlanPage } from "./plan-page.tsx";
import { ReportPage } from "./report-page.tsx";
import { embeddedReport, type ReportSource, type ShownReport } from "./report-source.ts";
import { TriggerPage } from "./trigger-page.tsx";

start(embeddedReport);

/** Draws whatever the source shows, in place of the plain tables. */
function start(source: ReportSource): void {
  const page = document.getElementById("page") as HTMLElement;
  const plain = document.getElementById("plain");
  let report: ShownReport | null = null;
  let isPrinting = false;
  const draw = () => {
    if (report === null) return;
    if (report.command === "agent eval") render(<AgentPage report={report} isPrinting={isPrinting} />, page);
    else if (report.command === "planbench")
      render(<PlanPage report={report} isPrinting={isPrinting} />, page);
    else if (report.command === "trigger")
      render(<TriggerPage report={report} isPrinting={isPrinting} />, page);
    else render(<ReportPage report={report} isPrinting={isPrinting} />, page);
  };
  try {
    source((shown) => {
      report = shown;
      draw();
      plain?.remove();
    });
  } catch (error) {
    // What is too large or damaged for the interactive page still has its plain tables.
    const note = document.createElement("p");
    note.className = "fault";
    note.textContent = `Only the plain tables can be shown: ${(error as Error).message}`;
    page.append(note);
  }
  onPrint((now) => {
    isPrinting = now;
    draw();
  });
}
