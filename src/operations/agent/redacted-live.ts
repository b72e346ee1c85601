import type { LiveListener } from "../../agent-runtime/loop/agent-setup.ts";
import { type RedactStream, redactStreams } from "../../shared/text/redact-stream.ts";

/** Shows a run as it is recorded: secrets are redacted on screen as well, since terminals are recorded too. */
export function redactedLive(
  { type, delta, event }: LiveListener,
  secrets: readonly string[],
  redact: <Value>(value: Value) => Value,
): LiveListener {
  const begin = redactStreams(secrets, redact);
  let stream: RedactStream | null = null;
  const show = (text: string): void => {
    if (text !== "") delta?.(text);
  };
  return {
    ...(type !== undefined && { type }),
    delta(text) {
      stream ??= begin();
      show(stream.write(text));
    },
    event(turn, kind, data) {
      show(stream?.end() ?? "");
      stream = null;
      event?.(turn, kind, redact(data));
    },
  };
}
