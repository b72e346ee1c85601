import { hostname } from "node:os";
import { expect, test } from "vitest";
import { isLoopback, isOwnHost, serverUrl } from "./own-hosts.ts";

const local = { host: "127.0.0.1", address: "127.0.0.1", port: 5123 };
const six = { host: "::1", address: "::1", port: 5123 };
const everywhere = { host: "0.0.0.0", address: "0.0.0.0", port: 5123 };
const named = { host: "Lab.example", address: "192.0.2.7", port: 80 };

test.each([
  [local, "127.0.0.1:5123", true],
  [local, "LocalHost:5123", true],
  [local, "127.0.0.1", false],
  [local, "127.0.0.1:51230", false],
  [local, "[::1]:5123", false],
  [local, "localhost.:5123", false],
  [local, "localhost:5123:5123", false],
  [local, "user@localhost:5123", false],
  [six, "[::1]:5123", true],
  [six, "localhost:5123", true],
  [everywhere, "192.0.2.7:5123", true],
  [everywhere, `${hostname()}:5123`, true],
  [everywhere, "evil.example:5123", false],
  [named, "lab.example", true],
  [named, "192.0.2.7:80", true],
  [named, "localhost", false],
])("%o answers to %s: %s", (at, header, expected) => {
  expect(isOwnHost(header, at)).toBe(expected);
});

test("the address for a browser, and what only this machine reaches", () => {
  expect([local, six, everywhere].map(serverUrl)).toEqual([
    "http://127.0.0.1:5123",
    "http://[::1]:5123",
    "http://127.0.0.1:5123",
  ]);
  expect(["127.0.0.1", "127.9.9.9", "localhost", "::1"].every(isLoopback)).toBe(true);
  expect(["0.0.0.0", "::", "127.evil.example", "10.0.0.1", ""].some(isLoopback)).toBe(false);
});
