import { extname } from "node:path";
import type { AgentError } from "../../contract/agent-error.ts";
import type { RunLog } from "../../contract/agent-log.ts";
import type { AgentCatalog, AgentSkill, Loaded, Loader } from "../../contract/agent-parts.ts";
import type { Profile } from "../../contract/findings.ts";
import type { AgentGuardrails } from "../../contract/limits.ts";
import { readInside } from "../../shared/files/guarded-file.ts";
import { locateInside } from "../../shared/files/guarded-path.ts";
import { failedPath } from "../../shared/files/path-guard.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { decodeText, hides, refusedLoad } from "./guarded-text.ts";
import { largestResource, loadedText, shownHeadings } from "./loaded-text.ts";
import { findSection, type Heading } from "./sections.ts";
import { makeExcerpt, type TruncatedText, truncateText } from "./truncate.ts";

/** What loading takes. */
export interface LoaderSetup {
  catalog: AgentCatalog;
  log: Pick<RunLog, "keep">;
  guardrails: AgentGuardrails;
  profile: Profile;
}

/** The loader of a run: bodies of skills that were selected, and the files somebody asks for by name. */
export function openLoader(setup: LoaderSetup): Loader {
  /** Called after reading, which proves that what was read is of the indexed skill. */
  async function unlessChanged(skill: AgentSkill, loaded: Loaded): Promise<Loaded> {
    if (!loaded.ok && loaded.error.reason === "lexical") return loaded;
    if (await setup.catalog.isUnchanged(skill)) return loaded;
    return { ok: false, error: skillChanged(skill), path: loaded.path };
  }

  return {
    body: async (skill, callId) => unlessChanged(skill, await loadBody(skill, callId, setup)),
    resource: (skill, request, callId) => unlessChanged(skill, loadResource(skill, request, callId, setup)),
  };
}

function skillChanged({ name }: AgentSkill): AgentError {
  return { code: "SkillChanged", message: `the files of ${name} have changed since the run began` };
}

/** The instructions of a skill. One that is too long is an error in the strict profile, else it is cut. */
async function loadBody(
  skill: AgentSkill,
  callId: string,
  { catalog, log, guardrails, profile }: LoaderSetup,
): Promise<Loaded> {
  const located = locateInside(skill.dir, skill.instructions.path, "file");
  if (!located.ok) return refusedLoad(located);
  const { path } = located;
  const read = await catalog.readBody(skill);
  if (!read.ok) return { ok: false, error: read.error, path };
  const { bytes, body } = read;
  const { max_skill_body_lines: maxLines, max_skill_body_chars: maxChars } = guardrails;
  const excerpt = truncateText(body, { maxLines, maxChars });
  if (excerpt.truncated && profile === "strict")
    return { ok: false, error: bodyTooLarge(skill, excerpt, guardrails), path };
  // The bytes of the file where they are text, so that the stored file has the reported hash.
  const content = skill.instructions.format === "docx" ? body : bytes;
  return loadedText({
    skill,
    path,
    bytes,
    whole: body,
    excerpt,
    strategy: excerpt.truncated ? "head" : "full",
    keep: () => log.keep(`${callId}-${skill.name}-body.txt`, content),
  });
}

function bodyTooLarge(
  skill: AgentSkill,
  { lines, chars }: TruncatedText,
  limits: AgentGuardrails,
): AgentError {
  const { max_skill_body_lines, max_skill_body_chars } = limits;
  return {
    code: "SkillBodyTooLarge",
    message: `the instructions of ${skill.name} have ${lines} lines and ${chars} characters, ${max_skill_body_lines} lines and ${max_skill_body_chars} characters are allowed; move material to references/`,
    details: { lines, chars, max_lines: max_skill_body_lines, max_chars: max_skill_body_chars },
  };
}

/** A text file of a skill, or a section of it: as much as is shown at once. */
function loadResource(
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
  const whole = decodeText(bytes);
  if (whole === null) return { ok: false, error: notText(relativePath), path };
  const section = sectionHint.trim() === "" ? null : findSection(whole, sectionHint);
  if (section?.ok === false)
    return { ok: false, error: sectionNotFound(relativePath, sectionHint, section.headings), path };
  const shown = section?.text ?? whole;
  const excerpt = makeExcerpt(shown);
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
