import type { StoredText } from "../../contract/agent-log.ts";
import type { AgentSkill, Loaded } from "../../contract/agent-parts.ts";
import type { LoadReport, PathAudit } from "../../contract/agent-record.ts";
import { sha256 } from "../../shared/json/canonical-json.ts";
import { shorten, visibleText } from "../../shared/text/visible-text.ts";
import { type Heading, headingLine, headingsIn } from "./sections.ts";
import type { TruncatedText } from "./truncate.ts";

/** In bytes. */
export const largestResource = 2_000_000;

interface ReadText {
  skill: AgentSkill;
  path: PathAudit;
  bytes: Uint8Array;
  /** What there is to show: the body, the file, the section. */
  whole: string;
  /** What of it is shown. */
  excerpt: TruncatedText;
  strategy: LoadReport["strategy"];
  /** Called where something was cut. */
  keep(): StoredText;
}

/** A text that was read for the model, with its report and its form in a prompt. */
export function loadedText({ skill, path, bytes, whole, excerpt, strategy, keep }: ReadText): Loaded {
  const { text, truncated, excerpt_sha256 } = excerpt;
  const stored = truncated ? keep() : null;
  const report: LoadReport = {
    path: path.requested,
    bytes: bytes.length,
    sha256: sha256(bytes),
    excerpt_sha256,
    bytes_read: Buffer.byteLength(text),
    chars_returned: text.length,
    truncated,
    strategy,
    ...(stored !== null && { storage_ref: stored.ref, storage_sha256: stored.sha256 }),
  };
  const rest = truncated ? listHeadings(whole).filter(({ start }) => start >= text.length) : [];
  return {
    ok: true,
    report,
    text,
    block: injectedBlock(skill, report, text, rest),
    get outline() {
      return outlineText(skill, report, listHeadings(whole)); // seldom needed
    },
    path,
  };
}

/** Instructions may be far longer than anything that is read on request; nobody needs the headings of all that. */
function listHeadings(text: string): Heading[] {
  return headingsIn(text.slice(0, largestResource));
}

/** An excerpt in a prompt: a header line, then the text between delimiters that it does not contain. */
function injectedBlock(
  skill: AgentSkill,
  report: LoadReport,
  text: string,
  rest: readonly Heading[],
): string {
  const { path, sha256, truncated, bytes_read } = report;
  const delimiter = makeDelimiter(text, report.excerpt_sha256 ?? "");
  const lines = [
    `skill file ${inOneLine({ skill: skill.name, source: skill.source, path, sha256, truncated, bytes_read })}`,
    `--- begin ${delimiter} ---`,
    text.endsWith("\n") ? text.slice(0, -1) : text,
    `--- end ${delimiter} ---`,
  ];
  if (truncated)
    lines.push(`cut here, the rest is not shown ${inOneLine({ headings_of_the_rest: shownHeadings(rest) })}`);
  return lines.join("\n");
}

/** What a prompt shows of a file where there is no room for its text. */
function outlineText(skill: AgentSkill, { path, sha256 }: LoadReport, headings: readonly Heading[]): string {
  return `skill file without its text ${inOneLine({
    skill: skill.name,
    source: skill.source,
    path,
    sha256,
    headings: shownHeadings(headings),
    read_again_as: `skill:${skill.name}/${path}`,
  })}`;
}

/** Headings in a message: not all of thousands, and none of a length that nobody reads. */
export function shownHeadings(headings: readonly Pick<Heading, "level" | "title">[]): string[] {
  const shown = headings
    .slice(0, maxHeadings)
    .map((heading) => shorten(headingLine(heading), maxHeadingLength));
  const more = headings.length - shown.length;
  return more > 0 ? [...shown, `… and ${more} more`] : shown;
}

const maxHeadings = 50;
const maxHeadingLength = 120;
const minDelimiterLength = 12;

/** Derived from the hash of the text: the same text gets the same delimiter, and no text can contain its own. */
function makeDelimiter(text: string, hash: string): string {
  const digits = hash.slice(hash.indexOf(":") + 1);
  for (let length = minDelimiterLength; ; length++) {
    const delimiter = digits.slice(0, length).padEnd(length, "-");
    if (!text.includes(delimiter)) return delimiter;
  }
}

/** A name must not end the line, nor hide anything in it. */
function inOneLine(facts: object): string {
  return JSON.stringify(facts, (_, value: unknown) =>
    typeof value === "string" ? visibleText(value) : value,
  );
}
