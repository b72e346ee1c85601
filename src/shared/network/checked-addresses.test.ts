import { expect, test } from "vitest";
import { addressKind } from "./checked-addresses.ts";

test.each([
  ["public", ["1.1.1.1", "8.8.8.8", "172.15.255.255", "172.32.0.1", "100.63.255.255", "2606:4700::1111"]],
  ["unspecified", ["0.0.0.0", "0.1.2.3", "::"]],
  ["loopback", ["127.0.0.1", "127.255.255.254", "::1"]],
  [
    "private",
    ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fc00::1", "fd12:3456::1", "fec0::1"],
  ],
  ["shared", ["100.64.0.1", "100.127.255.255"]],
  ["link-local", ["169.254.169.254", "fe80::1"]],
  ["multicast", ["224.0.0.1", "239.255.255.255", "ff02::1"]],
  [
    "translated",
    ["::ffff:127.0.0.1", "::ffff:8.8.8.8", "::7f00:1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "2001::1"],
  ],
  [
    "reserved",
    ["192.0.2.1", "198.18.0.1", "203.0.113.9", "255.255.255.255", "2001:db8::1", "100::1", "4000::1"],
  ],
  ["reserved", ["fe80::1%eth0", "no address", ""]],
])("these are %s", (kind, addresses) => {
  expect(addresses.map(addressKind)).toEqual(addresses.map(() => kind));
});
