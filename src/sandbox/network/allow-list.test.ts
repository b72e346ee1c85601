import { expect, test } from "vitest";
import { entryFor } from "../../contract/network-entry.ts";
import { networkAllowList } from "./network-way.ts";

test("the list is the same whatever the order and the case it was typed in", () => {
  const texts = networkAllowList(["b.example", "A.example:8080", "B.EXAMPLE."]).map(({ text }) => text);

  expect(texts).toEqual(["a.example:8080", "b.example"]);
});

test("without a port a host is open at 443 and 80, with one at that alone", () => {
  const list = networkAllowList(["a.example", "b.example:8080"]);
  const isOpen = (host: string, port: number) => entryFor(list, host, port) !== null;

  expect([443, 80, 8080, 22].map((port) => isOpen("a.example", port))).toEqual([true, true, false, false]);
  expect([443, 80, 8080].map((port) => isOpen("b.example", port))).toEqual([false, false, true]);
});

test("a host opens neither what lies below it nor what it lies below", () => {
  const list = networkAllowList(["api.example.org"]);

  expect(entryFor(list, "x.api.example.org", 443)).toBeNull();
  expect(entryFor(list, "example.org", 443)).toBeNull();
  expect(entryFor(list, "evilapi.example.org", 443)).toBeNull();
});

test("what is not a host is refused by name", () => {
  expect(() => networkAllowList(["https://a.example"])).toThrow(/"https:\/\/a\.example" is a URL/);
});
