import { join } from "node:path";
import { packageVersion } from "../base/own-package.ts";
import type { AuditReport } from "../contract/audit.ts";
import type { AuditFormat } from "../contract/severity.ts";
import { auditSarif } from "../reporters/audit-sarif.ts";
import { auditText, noFindingsIsNotSafe } from "../reporters/audit-text.ts";
import { auditRuleFacts, auditSkills } from "../run/audit-skills.ts";
import type { AuditFlags } from "./audit-options.ts";
import type { CommandIo } from "./command-io.ts";
import type { ExitCode } from "./exit-codes.ts";
import { toldConfig } from "./told-config.ts";
import { writeOutput } from "./write-output.ts";

/** `audit`: what speaks against trusting a skill, from its files alone. */
export async function auditCommand(flags: AuditFlags, io: CommandIo): Promise<ExitCode> {
  const { paths, failOn } = flags;
  const { skills, outputDir } = (await toldConfig(io)).config;
  const report = await auditSkills({ paths, roots: ["./skills", ...skills.roots], failOn, cwd: io.cwd });
  for (const link of report.linksNotFollowed)
    io.warn(`${link} is a link and was not followed; name it to audit it`);
  const formats = [...new Set(flags.format)];
  const [only] = formats;
  const isForStdout = formats.length === 1 && flags.outputDir === undefined;
  const files = isForStdout ? [] : filesOf(formats, flags.outputDir ?? outputDir);
  for (const { file, format } of files) writeOutput(file, [render(report, format)], io, "--output-dir");
  if (isForStdout && only === "sarif" && !io.json) io.resultPieces([render(report, "sarif")]);
  else if (isForStdout && only === "json" && !io.json) io.resultPieces([render(report, "json")]);
  else
    io.result(
      documentOf(
        report,
        files.map(({ file }) => file),
      ),
      auditText(report, io.color),
    );
  for (const { file } of files) io.note(`written to ${file}`);
  return report.exitCode;
}

/** Text is for the terminal; a copy of it in a file is made only where nothing else was asked for. */
function filesOf(formats: readonly AuditFormat[], dir: string): { file: string; format: AuditFormat }[] {
  const wanted = formats.length === 1 ? formats : formats.filter((format) => format !== "text");
  return wanted.map((format) => ({ file: join(dir, `audit-result.${extensions[format]}`), format }));
}

const extensions: Record<AuditFormat, string> = { text: "txt", json: "json", sarif: "sarif" };

function render(report: AuditReport, format: AuditFormat): string {
  switch (format) {
    case "text":
      return auditText(report, false);
    case "json":
      return `${JSON.stringify({ schemaVersion: 1, command: "audit", ...documentOf(report) }, null, 2)}\n`;
    case "sarif":
      return `${JSON.stringify(auditSarif(report, auditRuleFacts(), packageVersion()), null, 2)}\n`;
    default:
      return format satisfies never;
  }
}

function documentOf(report: AuditReport, files: readonly string[] = []): object {
  return { ...report, notice: noFindingsIsNotSafe, files };
}
