import type { AgentSkill } from "../../contract/agent-parts.ts";
import type { LoadReport } from "../../contract/agent-record.ts";
import { shorten, visibleText } from "../../shared/text/visible-text.ts";
import { type Heading, headingLine } from "./sections.ts";

/** An excerpt as it stands in a prompt: a header line, then the text between marks that it cannot contain. */
export function injectedBlock(
  skill: AgentSkill,
  report: LoadReport,
  text: string,
  rest: readonly Heading[],
): string {
  const { path, sha256, truncated, bytes_read } = report;
  const mark = markFor(text, report.excerpt_sha256 ?? "");
  const lines = [
    `skill file ${inOneLine({ skill: skill.name, source: skill.source, path, sha256, truncated, bytes_read })}`,
    `--- begin ${mark} ---`,
    text.endsWith("\n") ? text.slice(0, -1) : text,
    `--- end ${mark} ---`,
  ];
  if (truncated)
    lines.push(`cut here, the rest is not shown ${inOneLine({ headings_of_the_rest: shownHeadings(rest) })}`);
  return lines.join("\n");
}

/** What a prompt shows of a file where there is no room for its text. */
export function outlineOf(
  skill: AgentSkill,
  { path, sha256 }: LoadReport,
  headings: readonly Heading[],
): string {
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
const shortestMark = 12;

/** Taken from the hash of the text, so that the same text has the same mark and none can know its own. */
function markFor(text: string, hash: string): string {
  const digits = hash.slice(hash.indexOf(":") + 1);
  for (let length = shortestMark; ; length++) {
    const mark = digits.slice(0, length).padEnd(length, "-");
    if (!text.includes(mark)) return mark;
  }
}

/** A name must not end the line, nor hide anything in it. */
function inOneLine(facts: object): string {
  return JSON.stringify(facts, (_, value: unknown) =>
    typeof value === "string" ? visibleText(value) : value,
  );
}
