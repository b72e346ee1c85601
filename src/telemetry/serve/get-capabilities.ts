import { telemetryVersion } from "../../contract/telemetry.ts";
import { intakeLimits } from "../limits.ts";
import { jsonReply, type Reply } from "./reply.ts";
import type { Served } from "./served.ts";

/** `GET /telemetry/capabilities`: what a sender may count on. No paths. */
export function getCapabilities({ file, mode, retentionDays }: Served): Reply {
  return jsonReply(200, {
    enabled: file !== null,
    mode,
    retention_days: retentionDays,
    schema_version: telemetryVersion,
    limits: {
      body_bytes: intakeLimits.bodyBytes,
      events_per_post: intakeLimits.events,
      event_bytes: intakeLimits.eventBytes,
      event_depth: intakeLimits.depth,
    },
  });
}
