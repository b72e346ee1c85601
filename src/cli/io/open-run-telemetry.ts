import { resolve } from "node:path";
import type { Config } from "../../contract/config.ts";
import type { Listener } from "../../contract/event.ts";
import type { Store } from "../../contract/store.ts";
import type { Telemetry } from "../../contract/telemetry.ts";
import { type RunFacts, runTelemetry } from "../../operations/telemetry/run-telemetry.ts";
import type { SpannedRun } from "../../operations/telemetry/send-run.ts";
import { systemClock } from "../../shared/async/clock.ts";
import { type OtlpSettings, otlpSettings } from "../../telemetry/otlp/otlp-settings.ts";
import { openTelemetry } from "../../telemetry/queue.ts";
import { type TelemetrySettings, telemetrySettings } from "../../telemetry/settings.ts";
import type { CommandIo, ExitCode } from "./command-io.ts";

/** Where this command tells what happens, found out before anything is run. */
export function typedTelemetry(
  { telemetry }: Pick<Config, "telemetry">,
  { env, cwd }: Pick<CommandIo, "env" | "cwd">,
): TelemetrySettings {
  const settings = telemetrySettings(telemetry, env);
  return { ...settings, sqlitePath: resolve(cwd, settings.sqlitePath) };
}

/** The telemetry of one run: what it hears from the engine, and what others have to tell. */
interface OpenRunTelemetry extends Telemetry, AsyncDisposable {
  onEvent: Listener;
  /** Tells how the run ended, and hands the exit code on. */
  end(exitCode: ExitCode): ExitCode;
}

/** Opens the telemetry of a run. A run that ends without saying how is told of as well. */
export function openRunTelemetry(
  settings: TelemetrySettings,
  facts: RunFacts,
  io: Pick<CommandIo, "warn">,
): OpenRunTelemetry {
  const telemetry = openTelemetry(settings, { clock: systemClock, warn: io.warn });
  const run = runTelemetry(telemetry, facts, systemClock);
  return {
    emit: telemetry.emit,
    onEvent: run.onEvent,
    end(exitCode) {
      run.end(exitCode);
      return exitCode;
    },
    async [Symbol.asyncDispose]() {
      run.end(null);
      await telemetry[Symbol.asyncDispose]();
    },
  };
}

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
