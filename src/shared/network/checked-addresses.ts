import { promises as dns, type LookupAddress } from "node:dns";
import { BlockList, isIPv4, isIPv6 } from "node:net";

export type Lookup = (host: string) => Promise<readonly LookupAddress[]>;

export const systemLookup: Lookup = (host) => dns.lookup(host, { all: true });

/**
 * The addresses an entry may be reached at, or why there are none. A name that leads into the machine or its own
 * network is refused: only who lists the address itself, or `localhost`, can mean that.
 */
export async function checkedAddresses(
  entry: { host: string; isAddress: boolean },
  lookup: Lookup,
): Promise<{ addresses: readonly LookupAddress[] } | { problem: string; isForbidden: boolean }> {
  const { host, isAddress } = entry;
  if (isAddress) return { addresses: [{ address: host, family: isIPv6(host) ? 6 : 4 }] };
  const found = await lookup(host).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error)
    return { problem: `the name was not found (${found.code ?? found.message})`, isForbidden: false };
  const meant: AddressKind = host === "localhost" ? "loopback" : "public";
  const addresses = found.filter(({ address }) => addressKind(address) === meant);
  if (addresses.length > 0) return { addresses };
  const [first] = found;
  if (first === undefined) return { problem: "the name has no address", isForbidden: false };
  const kind = addressKind(first.address);
  const problem = `the name resolves to ${first.address} (${kind}), which must be listed as an address to be allowed`;
  return { problem, isForbidden: true };
}

type AddressKind =
  | "public"
  | "unspecified"
  | "loopback"
  | "private"
  | "shared"
  | "link-local"
  | "multicast"
  | "translated"
  | "reserved";

/** Where an IP address leads. Everything but a plain public address has a kind of its own. */
export function addressKind(address: string): AddressKind {
  if (isIPv4(address)) return found(ipv4, address, "ipv4") ?? "public";
  // A zone (`%eth0`) only comes with addresses that lead nowhere else.
  if (!isIPv6(address) || address.includes("%")) return "reserved";
  return found(ipv6, address, "ipv6") ?? (global.check(address, "ipv6") ? "public" : "reserved");
}

type Ranges = readonly (readonly [AddressKind, BlockList])[];

function found(ranges: Ranges, address: string, family: "ipv4" | "ipv6"): AddressKind | null {
  return ranges.find(([, list]) => list.check(address, family))?.[0] ?? null;
}

function ranges(family: "ipv4" | "ipv6", table: Partial<Record<AddressKind, readonly string[]>>): Ranges {
  return Object.entries(table).map(([kind, networks]) => {
    const list = new BlockList();
    for (const network of networks) {
      const [start = "", bits] = network.split("/");
      list.addSubnet(start, Number(bits), family);
    }
    return [kind as AddressKind, list] as const;
  });
}

// The registries of special-purpose addresses (RFC 6890 and what followed it).
const ipv4 = ranges("ipv4", {
  unspecified: ["0.0.0.0/8"],
  loopback: ["127.0.0.0/8"],
  private: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"],
  shared: ["100.64.0.0/10"],
  "link-local": ["169.254.0.0/16"],
  multicast: ["224.0.0.0/4"],
  reserved: [
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "240.0.0.0/4",
  ],
});

const ipv6 = ranges("ipv6", {
  unspecified: ["::/128"],
  loopback: ["::1/128"],
  private: ["fc00::/7", "fec0::/10"],
  "link-local": ["fe80::/10"],
  multicast: ["ff00::/8"],
  // These carry an IPv4 address inside, which may be any of the above: mapped, compatible, NAT64, Teredo, 6to4.
  translated: ["::ffff:0:0/96", "::/96", "64:ff9b::/96", "64:ff9b:1::/48", "2001::/32", "2002::/16"],
  reserved: ["2001::/23", "2001:db8::/32", "3fff::/20"],
});

/** All that is handed out as global so far; the rest leads nowhere yet. */
const global = new BlockList();
global.addSubnet("2000::", 3, "ipv6");
