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

/** Resolves where this command sends telemetry, before anything runs. */
export function typedTelemetry(
  { telemetry }: Pick<Config, "telemetry">,
  { env, cwd }: Pick<CommandIo, "env" | "cwd">,
): TelemetrySettings {
  const settings = telemetrySettings(telemetry, env);
  return { ...settings, sqlitePath: resolve(cwd, settings.sqlitePath) };
}

/** The telemetry of one run: a listener for the engine, and an emitter for other parts. */
interface OpenRunTelemetry extends Telemetry, AsyncDisposable {
  onEvent: Listener;
  /** Records how the run ended, and returns the exit code. */
  end(exitCode: ExitCode): ExitCode;
}

/** Opens the telemetry of a run. A run that ends by an exception is recorded as well. */
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

/** The collector of a run, resolved before anything runs; null where there is none. */
export function typedOtlp(
  { otlp }: { otlp?: boolean | undefined },
  { telemetry }: Pick<Config, "telemetry">,
  { env }: Pick<CommandIo, "env">,
): OtlpSettings | null {
  return otlpSettings(otlp === true, telemetry.otlp, env);
}

/** Sends a finished run. Failures are warnings: a collector must not change the exit code. */
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
