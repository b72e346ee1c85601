import { expect, test } from "vitest";
import { readNetworkEntry } from "./network-entry.ts";

test.each([
  ["api.example.org", { host: "api.example.org", isAddress: false, port: null, text: "api.example.org" }],
  [
    "API.Example.org.:8443",
    { host: "api.example.org", isAddress: false, port: 8443, text: "api.example.org:8443" },
  ],
  ["localhost:8080", { host: "localhost", isAddress: false, port: 8080, text: "localhost:8080" }],
  [
    "bücher.example",
    { host: "xn--bcher-kva.example", isAddress: false, port: null, text: "xn--bcher-kva.example" },
  ],
  [
    "_dmarc.example.org",
    { host: "_dmarc.example.org", isAddress: false, port: null, text: "_dmarc.example.org" },
  ],
  ["127.0.0.1:80", { host: "127.0.0.1", isAddress: true, port: 80, text: "127.0.0.1:80" }],
  ["[::1]", { host: "::1", isAddress: true, port: null, text: "[::1]" }],
  ["[2001:0DB8::0001]:443", { host: "2001:db8::1", isAddress: true, port: 443, text: "[2001:db8::1]:443" }],
])("%s names a host", (typed, entry) => {
  expect(readNetworkEntry(typed)).toEqual(entry);
});

test.each([
  ["", "is empty"],
  ["  ", "is empty"],
  ["https://example.org", "scheme"],
  ["example.org/path", "path"],
  ["example.org?x", "path"],
  ["example.org\\x", "path"],
  ["*.example.org", "wildcard"],
  ["*", "wildcard"],
  ["user@example.org", "user name"],
  ["a b", "space"],
  ["example.org\r\nx", "space"],
  [":443", "names no host"],
  ["a:1:2", "port"],
  ["example.org:", "port"],
  ["example.org:0", "port"],
  ["example.org:65536", "port"],
  ["example.org:080", "port"],
  ["example.org:80x", "port"],
  ["::1", "write [::1]"],
  ["[::1", "names no host"],
  ["[127.0.0.1]", "not an IPv6 address"],
  ["[fe80::1%eth0]", "not an IPv6 address"],
  ["-a.example", "not a valid host name"],
  ["a..b", "not a valid host name"],
  [".", "not a valid host name"],
  [`${"a".repeat(64)}.org`, "not a valid host name"],
  ["127.1", "not a valid IPv4 address"],
  ["0x7f.0.0.0x1", "not a valid IPv4 address"],
  ["2130706433", "not a valid IPv4 address"],
  ["1.2.3.4.5", "not a valid IPv4 address"],
  ["256.0.0.1", "not a valid IPv4 address"],
])("%j is refused with the reason", (typed, problem) => {
  expect(readNetworkEntry(typed)).toEqual({ problem: expect.stringContaining(problem) });
});
