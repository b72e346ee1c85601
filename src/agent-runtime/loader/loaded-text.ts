import type { KeptText } from "../../contract/agent-log.ts";
import type { AgentSkill, Loaded } from "../../contract/agent-parts.ts";
import type { LoadReport, PathAudit } from "../../contract/agent-record.ts";
import { sha256 } from "../../shared/json/canonical-json.ts";
import { injectedBlock, outlineOf } from "./injected-block.ts";
import { type Heading, headingsIn } from "./sections.ts";
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
  /** Asked where something was cut. */
  keep(): KeptText;
}

/** A text that was read for the model, with its report and as it stands in a prompt. */
export function loadedText({ skill, path, bytes, whole, excerpt, strategy, keep }: ReadText): Loaded {
  const { text, truncated, excerpt_sha256 } = excerpt;
  const kept = truncated ? keep() : null;
  const report: LoadReport = {
    path: path.requested,
    bytes: bytes.length,
    sha256: sha256(bytes),
    excerpt_sha256,
    bytes_read: Buffer.byteLength(text),
    chars_returned: text.length,
    truncated,
    strategy,
    ...(kept !== null && { storage_ref: kept.ref, storage_sha256: kept.sha256 }),
  };
  const rest = truncated ? headingsOf(whole).filter(({ start }) => start >= text.length) : [];
  return {
    ok: true,
    report,
    text,
    block: injectedBlock(skill, report, text, rest),
    get outline() {
      return outlineOf(skill, report, headingsOf(whole)); // seldom asked for
    },
    path,
  };
}

/** Instructions may be far longer than anything that is read on request; nobody needs the headings of all that. */
function headingsOf(text: string): Heading[] {
  return headingsIn(text.slice(0, largestResource));
}
