import type { DoctorReport } from "../../operations/doctor/doctor-report.ts";
import { namedDiagnostics } from "./named-diagnostics.ts";

/** What was found in skills as programs read it: one list of everything, each file as the user would name it. */
export function doctorDocument(report: DoctorReport): object {
  const { skills, counts, profile, failOn } = report;
  return {
    skills: skills.map(({ diagnostics: _, ...facts }) => facts),
    diagnostics: namedDiagnostics(report),
    counts,
    profile,
    failOn,
  };
}
