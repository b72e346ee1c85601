import { render } from "preact";
import { type Report, readEmbedded } from "./read-report.ts";
import { ReportPage } from "./report-page.tsx";

start();

/** Draws the report in place of the plain tables. */
function start(): void {
  const page = document.getElementById("page") as HTMLElement;
  try {
    const report = readEmbedded();
    draw(report, page, window.matchMedia("print").matches);
    document.getElementById("plain")?.remove();
    onPrint((isPrinting) => draw(report, page, isPrinting));
  } catch (error) {
    // If the report is too large or damaged for the interactive page, the plain tables stay.
    render(null, page);
    const note = document.createElement("p");
    note.className = "fault";
    note.textContent = `Only the plain tables can be shown: ${(error as Error).message}`;
    page.append(note);
  }
}

function draw(report: Report, page: HTMLElement, isPrinting: boolean): void {
  render(<ReportPage report={report} isPrinting={isPrinting} />, page);
}

/** Says when the page is about to be printed and when that is over, early enough to draw it anew. */
function onPrint(listener: (isPrinting: boolean) => void): void {
  window.addEventListener("beforeprint", () => listener(true));
  window.addEventListener("afterprint", () => listener(false));
  window.matchMedia("print").addEventListener("change", ({ matches }) => listener(matches));
}
