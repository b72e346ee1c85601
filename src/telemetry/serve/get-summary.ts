import { groupFields } from "../../contract/telemetry-fields.ts";
import { didYouMean } from "../../shared/text/nearest.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import type { Asked } from "./asked.ts";
import { readFilter } from "./read-filter.ts";
import { jsonReply, type Reply, refusal } from "./reply.ts";
import type { Served } from "./served.ts";

const maxGroups = 1000;

/** `GET /dev/telemetry/summary`: events counted by what `group_by` names, one field or several with commas; the largest groups. */
export function getSummary({ parameters }: Asked, { file, clock }: Served): Reply {
  const filter = readFilter(parameters);
  if ("problem" in filter) return refusal(400, "parameter-invalid", filter.problem);
  const by = [
    ...new Set((parameters.get("group_by") ?? "event_name").split(",").map((field) => field.trim())),
  ];
  const unknown = by.find((field) => !groupFields.includes(field));
  if (unknown !== undefined)
    return refusal(
      400,
      "parameter-invalid",
      `unknown group_by ${JSON.stringify(shownText(unknown))}: ${didYouMean(unknown, groupFields)}`,
    );
  const groups = file?.groups(filter, by) ?? [];
  return jsonReply(200, {
    group_by: by,
    groups: groups.slice(0, maxGroups),
    total_groups: groups.length,
    enabled: file !== null,
    now_ts: clock.now() / 1000,
  });
}
