import type { AgentCaseFile } from "../../contract/agent-case.ts";
import { askRead } from "../../contract/asks.ts";
import type { Ask } from "../../contract/grant.ts";
import type { InputFile } from "../../contract/loaded-case.ts";
import { jsonPath } from "../../shared/json/locations.ts";
import { type CaseFiles, statPath } from "./case-files.ts";
import type { CaseReporter, RawCase } from "./raw-case.ts";

/**
 * The hosts that a case lets `network_request` reach. Its own approvals do not count: a file may not open the network,
 * on this machine or elsewhere.
 */
export function hostAsks(
  { id, enable_tools, constraints }: AgentCaseFile,
  suite: string,
  report: CaseReporter,
): Ask[] {
  if (!enable_tools.includes("network_request")) return [];
  return constraints.network_hosts.map((host, n) => ({
    kind: "host",
    value: host,
    subject: `${suite}/${id}`,
    asker: "case",
    to: host,
    purpose: "receives requests of an agent (constraints.network_hosts)",
    ...report.place(["constraints", "network_hosts", n]),
  }));
}

/** Every file that a case rests on. Called when all of them were noted. */
export function filesRead(
  { document, defaults }: RawCase,
  report: CaseReporter,
  inputs: readonly InputFile[] = [],
): string[] {
  const own = [document.file, ...(defaults === null ? [] : [defaults.document.file])];
  const all = [...own, ...[...report.named, ...inputs].map(({ path }) => path)];
  return [...new Set(all)].filter((path) => statPath(path)?.isFile() === true);
}

/** The paths outside of the project that a case names or that lie behind its links. Called when all of them were noted. */
export function pathAsks(subject: string, raw: RawCase, files: CaseFiles, report: CaseReporter): Ask[] {
  const own = { path: raw.document.file, steps: [] };
  return [own, ...report.named].flatMap(({ path, steps }) =>
    askRead(path, files.folders, {
      subject,
      asker: "case",
      purpose: steps.length === 0 ? "read as part of it" : `read for ${jsonPath(steps)}`,
      ...report.place(steps),
    }),
  );
}
