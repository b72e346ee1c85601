import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { auditRules } from "./rules.ts";

const page = readFileSync(new URL("../../docs/audit.md", import.meta.url), "utf8");

/** The cells of each row of the first table, which says what the rules are. */
const rows = (page.split("## How context counts")[0] ?? "")
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .filter(([, id]) => /^AUD\d{3}$/.test(id ?? ""));

describe("docs/audit.md", () => {
  test.each(auditRules.map((rule) => [rule.id, rule] as const))(
    "has %s with its name and severity",
    (id, rule) => {
      const row = rows.find((cells) => cells[1] === id);

      expect(row?.slice(2, 4)).toEqual([`\`${rule.name}\``, rule.severity]);
      expect(row?.slice(4, 6).every((cell) => cell.length > 10)).toBe(true);
    },
  );

  test("names no rule that is not there", () => {
    const known = auditRules.map(({ id }) => id);

    expect(rows.map((cells) => cells[1]).filter((id) => !known.includes(id ?? ""))).toEqual([]);
  });

  test("says that no findings is not safe", () => {
    expect(page).toContain("No findings does not mean safe");
  });
});
