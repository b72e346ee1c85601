import type { Config } from "../../contract/config.ts";
import { UserError } from "../../shared/user-error.ts";

/** Where spans are sent, and whether message texts go with them. */
export interface OtlpSettings {
  /** The whole address: `…/v1/traces`. */
  url: string;
  content: boolean;
}

/** What flag, configuration and environment say together; null where nothing is to be sent. A variable alone starts nothing. */
export function otlpSettings(
  isAsked: boolean,
  { enabled, endpoint, content }: Config["telemetry"]["otlp"],
  env: NodeJS.ProcessEnv,
): OtlpSettings | null {
  if (!isAsked && !enabled) return null;
  const traces = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  const base = endpoint ?? env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === null && isSet(traces)) return { url: checked(traces), content };
  if (isSet(base)) return { url: tracesUrl(checked(base)), content };
  throw new UserError("config-invalid", "no OTLP endpoint is configured", {
    jsonPath: "$.telemetry.otlp.endpoint",
    hint: "set telemetry.otlp.endpoint, or OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318",
  });
}

function isSet(text: string | null | undefined): text is string {
  return text !== null && text !== undefined && text.trim() !== "";
}

function checked(text: string): string {
  const url = URL.parse?.(text.trim()) ?? parsed(text.trim());
  if (url !== null && (url.protocol === "http:" || url.protocol === "https:")) return url.href;
  throw new UserError("config-invalid", "the OTLP endpoint is not an http or https URL", {
    jsonPath: "$.telemetry.otlp.endpoint",
    hint: "for example http://127.0.0.1:4318",
  });
}

function parsed(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** An endpoint is the base URL below which each kind of signal has its own. */
function tracesUrl(href: string): string {
  const url = new URL(href);
  if (!url.pathname.endsWith("/v1/traces")) url.pathname = `${url.pathname.replace(/\/+$/, "")}/v1/traces`;
  return url.href;
}
