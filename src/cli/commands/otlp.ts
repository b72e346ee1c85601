import type { Config } from "../../contract/config.ts";
import type { Store } from "../../contract/store.ts";
import type { SpannedRun } from "../../operations/telemetry/run-tree.ts";
import { type OtlpSettings, otlpSettings } from "../../telemetry/otlp/otlp-settings.ts";
import type { CommandIo } from "../io/command-io.ts";

/** Where a run is sent to, found out before anything is run; null where it is not sent. */
export function typedOtlp(
  { otlp }: { otlp?: boolean | undefined },
  { telemetry }: Pick<Config, "telemetry">,
  { env }: Pick<CommandIo, "env">,
): OtlpSettings | null {
  return otlpSettings(otlp === true, telemetry.otlp, env);
}

/** Sends a run that is done. What goes wrong is a warning: a collector never decides how a run ends. */
export async function sendSpans(
  settings: OtlpSettings | null,
  sent: { run: SpannedRun; store: Pick<Store, "results">; version: string },
  io: Pick<CommandIo, "warn" | "note">,
): Promise<void> {
  if (settings === null) return;
  const { sendRun } = await import("../../operations/telemetry/send-run.ts");
  const { ok, words } = await sendRun(settings, sent.run, sent.store, sent.version);
  if (ok) io.note(words);
  else io.warn(words);
}
