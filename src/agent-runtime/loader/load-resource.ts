import { extname } from "node:path";
import type { AgentError } from "../../contract/agent-error.ts";
import type { AgentSkill, Loaded, Loader } from "../../contract/agent-parts.ts";
import { readInside } from "../../shared/files/guarded-file.ts";
import { failedPath } from "../../shared/files/path-guard-refusal.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { hides } from "./hides.ts";
import { shownHeadings } from "./injected-block.ts";
import { largestResource, loadedText } from "./loaded-text.ts";
import type { LoaderSetup } from "./open-loader.ts";
import { refusedLoad } from "./refused-load.ts";
import { findSection, type Heading } from "./sections.ts";
import { textOf } from "./text-of.ts";
import { excerptOf } from "./truncate.ts";

/** A text file of a skill, or a section of it: as much as is shown at once. */
export function loadResource(
  skill: AgentSkill,
  { relativePath, sectionHint = "" }: Parameters<Loader["resource"]>[1],
  callId: string,
  { catalog, log, guardrails }: LoaderSetup,
): Loaded {
  const read = readInside(skill.dir, relativePath, largestResource);
  // Also where it is too large, or a folder: for an agent it does not exist.
  if (hides(catalog, read.path)) return refusedLoad(failedPath(relativePath, "ENOENT"));
  if (!read.ok) return refusedLoad(read);
  const { bytes, path } = read;
  const suffix = extname(path.resolved ?? "").toLowerCase();
  if (!guardrails.resource_suffixes.includes(suffix))
    return { ok: false, error: unsupported(relativePath, guardrails.resource_suffixes), path };
  const whole = textOf(bytes);
  if (whole === null) return { ok: false, error: notText(relativePath), path };
  const section = sectionHint.trim() === "" ? null : findSection(whole, sectionHint);
  if (section?.ok === false)
    return { ok: false, error: sectionNotFound(relativePath, sectionHint, section.headings), path };
  const shown = section?.text ?? whole;
  const excerpt = excerptOf(shown);
  const strategy = section !== null ? "section" : excerpt.truncated ? "head" : "full";
  const keep = () => log.keep(`${callId}-${skill.name}-resource.txt`, bytes);
  return loadedText({ skill, path, bytes, whole: shown, excerpt, strategy, keep });
}

/** What no tool of ours shows to a model, since it could not read it. */
export function notText(path: string): AgentError {
  return { code: "IOError", reason: "not_text", message: `${shownText(path)} is no UTF-8 text` };
}

function unsupported(path: string, suffixes: readonly string[]): AgentError {
  return {
    code: "IOError",
    reason: "unsupported_type",
    message: `${shownText(path)} is of no type that is read: ${suffixes.join(" ")}`,
  };
}

function sectionNotFound(path: string, hint: string, known: readonly Heading[]): AgentError {
  const headings = shownHeadings(known);
  const words =
    headings.length === 0
      ? "it has no headings"
      : `its headings: ${headings.map((heading) => JSON.stringify(heading)).join(", ")}`;
  return {
    code: "SectionNotFound",
    message: `${shownText(path)} has no section ${JSON.stringify(shownText(hint))}; ${words}`,
    details: { headings },
  };
}
