import type { ModelFault } from "../../contract/model.ts";
import { shorten } from "../../shared/text/visible-text.ts";

const maxMessageLength = 500;
const cassetteFile = /[0-9a-f]{64}\.json/;

/** Why a model gave no reply, for a log. Messages about recordings name a folder of the machine, which a log must not. */
export function modelFaultWords(
  { fault, message }: { fault: ModelFault; message: string },
  ordinal: number,
): string {
  const [file] = cassetteFile.exec(message) ?? [];
  if (fault === "not-recorded")
    return `no recording of call ${ordinal} of this run${file === undefined ? "" : ` (${file})`}; record it again with --record`;
  if (fault === "bad-reply" && file !== undefined) return `the recording ${file} cannot be read`;
  return shorten(message, maxMessageLength);
}
