import { expect, test } from "vitest";
import { sampleSkill } from "../../test/builders/sample-catalog.ts";
import type { RoutableSkill, RoutingFilters } from "../contract/routing.ts";
import { findExclusion } from "./eligible.ts";

const everyone: RoutingFilters = { host: null, groups: [], allow: [] };

test.for<[Partial<RoutableSkill>, Partial<RoutingFilters>, string | null]>([
  [{}, {}, null],
  [{ isEnabled: false }, {}, "disabled"],
  [{ hasPrompt: false }, {}, "no-prompt"],
  [{ isEnabled: false, hasPrompt: false }, {}, "disabled"],
  [{ hosts: ["et"] }, { host: "writer" }, "host"],
  [{ hosts: [] }, { host: "writer" }, null],
  [{ hosts: ["et"] }, {}, null],
  [{ hosts: ["wps"] }, { host: "writer" }, null],
  [{ hosts: ["writer"] }, { host: "Word" }, null],
  [{ hosts: ["ppt"] }, { host: "wpp" }, null],
  [{ hosts: ["wpp"] }, { host: "powerpoint" }, null],
  [{ hosts: ["Excel"] }, { host: "et" }, null],
  [{ hosts: ["et"] }, { host: "xls" }, null],
  [{ hosts: ["wps"] }, { host: "et" }, "host"],
  [{ hosts: ["writer", "*"] }, { host: "et" }, null],
  [{ hosts: ["writer", "office"] }, { host: "wpp" }, null],
  [{ hosts: ["any"] }, { host: "browser" }, null],
  [{ hosts: ["writer"] }, { host: "office" }, null],
  [{ hosts: ["browser"] }, { host: "browser" }, null],
  [{ group: "a" }, { groups: ["a", "b"] }, null],
  [{ group: "c" }, { groups: ["a", "b"] }, "group"],
  [{ group: null }, { groups: ["a"] }, "group"],
  [{}, { allow: ["me"] }, null],
  [{}, { allow: ["other"] }, "not-allowed"],
])("a skill with %j under %j: %s", ([skill, filters, excluded]) => {
  expect(findExclusion(sampleSkill({ id: "me", ...skill }), { ...everyone, ...filters })).toBe(excluded);
});
