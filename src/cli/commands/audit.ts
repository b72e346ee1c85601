import type { AuditReport } from "../../contract/audit.ts";
import type { AuditFormat } from "../../contract/findings.ts";
import { auditRuleFacts, auditSkills } from "../../operations/doctor/audit-skills.ts";
import { packageVersion } from "../../shared/files/own-package.ts";
import { inertJson } from "../../shared/text/visible-text.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { loadCommandConfig } from "../io/load-command-config.ts";
import { writeInFormats } from "../io/write-output.ts";
import { auditSarif } from "../output/audit-sarif.ts";
import { auditText, noFindingsIsNotSafe } from "../output/audit-text.ts";
import type { AuditFlags } from "./audit-options.ts";

/** `audit`: reasons not to trust a skill, from its files alone. */
export async function auditCommand(flags: AuditFlags, io: CommandIo): Promise<ExitCode> {
  const { paths, failOn } = flags;
  const { skills, outputDir } = (await loadCommandConfig(io)).config;
  const report = await auditSkills({ paths, roots: ["./skills", ...skills.roots], failOn, cwd: io.cwd });
  for (const link of report.linksNotFollowed)
    io.warn(`${link} is a symlink and was not followed; pass its path to audit it`);
  writeInFormats<AuditFormat>(
    {
      name: "audit-result",
      formats: flags.format,
      outputDir: flags.outputDir,
      defaultDir: outputDir,
      endings: { text: "txt", json: "json", sarif: "sarif" },
      render: (format) => render(report, format),
      document: (files) => auditDocument(report, files),
      text: () => auditText(report, io.color),
    },
    io,
  );
  return report.exitCode;
}

function render(report: AuditReport, format: AuditFormat): string {
  switch (format) {
    case "text":
      return auditText(report, false);
    case "json":
      return `${inertJson({ schemaVersion: 1, command: "audit", ...auditDocument(report) }, 2)}\n`;
    case "sarif":
      return `${inertJson(auditSarif(report, auditRuleFacts(), packageVersion()), 2)}\n`;
    default:
      return format satisfies never;
  }
}

function auditDocument(report: AuditReport, files: readonly string[] = []): object {
  return { ...report, notice: noFindingsIsNotSafe, files };
}
