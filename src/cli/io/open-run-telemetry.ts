import { resolve } from "node:path";
import type { Config } from "../../contract/config.ts";
import type { Listener } from "../../contract/event.ts";
import type { Telemetry } from "../../contract/telemetry.ts";
import { type RunFacts, runTelemetry } from "../../operations/telemetry/run-telemetry.ts";
import { systemClock } from "../../shared/async/clock.ts";
import { openTelemetry } from "../../telemetry/queue.ts";
import { type TelemetrySettings, telemetrySettings } from "../../telemetry/settings.ts";
import type { CommandIo } from "./command-io.ts";
import type { ExitCode } from "./exit-codes.ts";

/** Where this command tells what happens, found out before anything is run. */
export function typedTelemetry(
  { telemetry }: Pick<Config, "telemetry">,
  { env, cwd }: Pick<CommandIo, "env" | "cwd">,
): TelemetrySettings {
  const settings = telemetrySettings(telemetry, env);
  return { ...settings, sqlitePath: resolve(cwd, settings.sqlitePath) };
}

/** The telemetry of one run: what it hears from the engine, and what others have to tell. */
export interface OpenRunTelemetry extends Telemetry, AsyncDisposable {
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
