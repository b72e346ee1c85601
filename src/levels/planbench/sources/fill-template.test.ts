import { expect, test } from "vitest";
import { defaultBody } from "../../../contract/planbench-file.ts";
import { fillTemplate } from "./sse-service.ts";

/** The dollar sign apart: in this file nothing is a template but what is tested. */
const named = (name: string) => `$${`{${name}}`}`;

test("values are put in as data: quotes, names of values and patterns in them stay what they are", () => {
  const input = `say "hi" for ${named("host")} and ${named("session")} at $& $1`;

  expect(fillTemplate(defaultBody, { input, host: "wps", session: "s-1" })).toEqual({
    user_query: input,
    session_id: "s-1",
    document_name: "",
    host_app: "wps",
    capabilities: {},
  });
});

test("texts are filled wherever they stand, names of members and unknown names are not", () => {
  const template = {
    [named("host")]: [`${named("host")}/${named("host")}`, { deep: named("input") }, 1, null, true],
    other: named("nobody"),
  };

  expect(fillTemplate(template, { input: "i", host: "et", session: "s" })).toEqual({
    [named("host")]: ["et/et", { deep: "i" }, 1, null, true],
    other: named("nobody"),
  });
});
