import { expect, test } from "vitest";
import { networkWords, statusWords } from "./http.ts";

test("an error of the network has its words, and its code where they do not hold it", () => {
  const reset = Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" });
  const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:9"), { code: "ECONNREFUSED" });
  expect(networkWords(reset)).toBe("other side closed (UND_ERR_SOCKET)");
  expect(networkWords(refused)).toBe("connect ECONNREFUSED 127.0.0.1:9");
});

test("one that bundles several speaks with their words, one without any has its name", () => {
  const both = new AggregateError([new Error("no way by IPv4"), new Error("no way by IPv6")]);
  expect(networkWords(both)).toBe("no way by IPv4; no way by IPv6");
  expect(networkWords(new AggregateError([]))).toBe("AggregateError");
});

test("a status is alone where the server said nothing", () => {
  expect(statusWords(503, "")).toBe("HTTP 503");
  expect(statusWords(503, "later")).toBe("HTTP 503: later");
});
