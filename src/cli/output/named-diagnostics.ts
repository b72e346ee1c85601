import { byLocation } from "../../contract/diagnostics.ts";
import type { Diagnostic } from "../../contract/findings.ts";
import type { DoctorReport } from "../../operations/doctor/doctor-report.ts";
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
    .sort(byLocation);
}

/** A file of a skill as the user would name it, from the folder of the skill and the path in it; `.` is the folder itself. */
export function fileIn(folder: string, file: string): string {
  if (file === ".") return folder;
  return folder === "." ? file : `${folder}/${file}`;
}

/** What was found in skills as programs read it: one list of everything, each file as the user would name it. */
export function doctorDocument(report: DoctorReport): object {
  const { skills, notes, counts, profile, failOn } = report;
  return {
    skills: skills.map(({ diagnostics: _, ...facts }) => facts),
    diagnostics: namedDiagnostics(report),
    notes,
    counts,
    profile,
    failOn,
  };
}
