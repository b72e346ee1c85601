import type { AgentError } from "../../contract/agent-error.ts";
import type { AgentGuardrails } from "../../contract/agent-limits.ts";
import type { AgentSkill, Loaded } from "../../contract/agent-parts.ts";
import { locateInside } from "../../shared/files/guarded-path.ts";
import { loadedText } from "./loaded-text.ts";
import type { LoaderSetup } from "./open-loader.ts";
import { refusedLoad } from "./refused-load.ts";
import { type TruncatedText, truncateText } from "./truncate.ts";

/** The instructions of a skill. One that is too long is an error in the strict profile, else it is cut. */
export async function loadBody(
  skill: AgentSkill,
  callId: string,
  { catalog, log, guardrails, profile }: LoaderSetup,
): Promise<Loaded> {
  const place = locateInside(skill.dir, skill.instructions.path, "file");
  if (!place.ok) return refusedLoad(place);
  const { path } = place;
  const read = await catalog.readBody(skill);
  if (!read.ok) return { ok: false, error: read.error, path };
  const { bytes, body } = read;
  const { max_skill_body_lines: maxLines, max_skill_body_chars: maxChars } = guardrails;
  const excerpt = truncateText(body, { maxLines, maxChars });
  if (excerpt.truncated && profile === "strict")
    return { ok: false, error: bodyTooLarge(skill, excerpt, guardrails), path };
  // The bytes of the file where they are text, so that what is kept has the hash that is reported.
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
