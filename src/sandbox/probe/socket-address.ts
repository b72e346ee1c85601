import { isIPv6 } from "node:net";

/** Where a socket is connected to, as the kernel wants it written. */
export function internetAddress(host: string, port: number): { family: 2 | 10; bytes: Buffer } {
  if (isIPv6(host)) {
    const bytes = Buffer.alloc(28);
    bytes.writeUInt16LE(10);
    bytes.writeUInt16BE(port, 2);
    bytes.set(ipv6Bytes(host), 8);
    return { family: 10, bytes };
  }
  const bytes = Buffer.alloc(16);
  bytes.writeUInt16LE(2);
  bytes.writeUInt16BE(port, 2);
  bytes.set(host.split(".").map(Number), 4);
  return { family: 2, bytes };
}

/** A unix socket that has a name in place of a file. */
export function abstractAddress(name: string): Buffer {
  return Buffer.from(`\x01\0\0${name}`, "latin1");
}

function ipv6Bytes(host: string): number[] {
  const [head = "", tail] = host.split("::");
  const groups = (text: string) =>
    text.split(":").flatMap((group) => {
      if (group === "") return [];
      if (group.includes(".")) return group.split(".").map(Number);
      const value = Number.parseInt(group, 16);
      return [value >> 8, value & 255];
    });
  const first = groups(head);
  const last = tail === undefined ? [] : groups(tail);
  return [...first, ...Array<number>(16 - first.length - last.length).fill(0), ...last];
}
