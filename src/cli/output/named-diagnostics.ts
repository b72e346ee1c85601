import type { Diagnostic } from "../../contract/diagnostic.ts";
import { byPlace } from "../../contract/diagnostics.ts";
import type { DoctorReport } from "../../operations/doctor/doctor-report.ts";
import { fileIn } from "../../report/text/file-in.ts";
import { visibleText } from "../../shared/text/visible-text.ts";

/** Everything that was found in all skills, by file, line and code, with each file as the user would name it and words that can be shown. */
export function namedDiagnostics({ skills }: DoctorReport): Diagnostic[] {
  return skills
    .flatMap(({ folder, diagnostics }) =>
      diagnostics.map((diagnostic) => ({
        ...diagnostic,
        file: fileIn(folder, diagnostic.file),
        message: visibleText(diagnostic.message),
        hint: visibleText(diagnostic.hint),
      })),
    )
    .sort(byPlace);
}
