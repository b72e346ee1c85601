import { promises as dns, type LookupAddress } from "node:dns";
import { isIPv6 } from "node:net";
import { type AddressKind, addressKind } from "./address-kind.ts";

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
