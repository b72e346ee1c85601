import type { AgentMessage } from "../../contract/agent-parts.ts";
import type { ManifestPart } from "../../contract/agent-record.ts";
import { sha256 } from "../../shared/json/canonical-json.ts";
import { promptChars } from "../decide/prompt-text.ts";

/** Everything that could go into a prompt, in order. */
export interface Material {
  rules: ContextPart;
  request: ContextPart;
  state: ContextPart;
  /** Null: there is no skill to choose. */
  index: ShortenablePart | null;
  bodies: readonly ContextPart[];
  resources: readonly ShortenablePart[];
  observations: readonly ShortenablePart[];
  notices: readonly ContextPart[];
}

export interface PackedContext {
  messages: readonly AgentMessage[];
  manifest: readonly ManifestPart[];
}

/**
 * Makes a prompt of at most so many characters. What is too long is shortened in a fixed order, oldest first: observations but the
 * last, resources, descriptions of the index. Null where that is not enough; the rest is never dropped.
 */
export function packContext(material: Material, maxChars: number): PackedContext | null {
  const resources = material.resources.map(({ whole }) => whole);
  const observations = material.observations.map(({ whole }) => whole);
  const packed = { ...material, index: material.index?.whole ?? null, resources, observations };

  let messages = buildMessages(packed);
  let excess = promptChars(messages) - maxChars;
  if (excess > 0) {
    for (const { list, position, part } of shortenings()) {
      const saved = (list[position]?.text.length ?? 0) - part.text.length;
      if (saved <= 0) continue;
      list[position] = part;
      excess -= saved;
      if (excess <= 0) break;
    }
    if (excess > 0 && material.index !== null) {
      excess -= material.index.whole.text.length - material.index.short.text.length;
      packed.index = material.index.short;
    }
    if (excess > 0) return null;
    messages = buildMessages(packed);
  }
  return { messages, manifest: listParts(packed).map(({ listing }) => listing) };

  function* shortenings() {
    for (const [position, { short: part }] of material.observations.slice(0, -1).entries())
      yield { list: observations, position, part };
    for (const [position, { short: part }] of material.resources.entries())
      yield { list: resources, position, part };
  }
}

interface Packed extends Omit<Material, "index" | "resources" | "observations"> {
  index: ContextPart | null;
  resources: readonly ContextPart[];
  observations: readonly ContextPart[];
}

function listParts(packed: Packed): ContextPart[] {
  const { rules, request, state, index, bodies, resources, observations, notices } = packed;
  const known = index === null ? [state] : [state, index];
  return [rules, request, ...known, ...bodies, ...resources, ...observations, ...notices];
}

/** What we say is the developer's word; what skills and tools say is not. */
const roles: Readonly<Record<ContextPart["kind"], AgentMessage["role"]>> = {
  rules: "system",
  request: "user",
  state: "developer",
  index: "developer",
  body: "user",
  resource: "user",
  observation: "user",
  notice: "developer",
};

/** Adjacent parts of one role are one message. */
function buildMessages(packed: Packed): AgentMessage[] {
  const messages: AgentMessage[] = [];
  let texts: string[] = [];
  let role: AgentMessage["role"] | null = null;
  for (const { kind, text } of listParts(packed)) {
    if (role !== null && role !== roles[kind]) end(role);
    role = roles[kind];
    texts.push(text);
  }
  if (role !== null) end(role);
  return messages;

  function end(ofRole: AgentMessage["role"]): void {
    messages.push({ role: ofRole, text: texts.join("\n\n") });
    texts = [];
  }
}

/** A piece of a prompt. Most stay the same from turn to turn, so each is hashed once. */
export interface ContextPart {
  readonly kind: ManifestPart["kind"];
  readonly text: string;
  /** How it is listed in the event of a request. */
  readonly listing: ManifestPart;
}

/** A piece with a shorter replacement for when space is short. */
export interface ShortenablePart {
  readonly whole: ContextPart;
  readonly short: ContextPart;
}

export function contextPart(kind: ContextPart["kind"], text: string, ref: string | null = null): ContextPart {
  let listing: ManifestPart | null = null;
  return {
    kind,
    text,
    get listing() {
      listing ??= { kind, ref, sha256: sha256(text), chars: text.length };
      return listing;
    },
  };
}

/** The shorter text is made when it is needed, which is seldom. */
export function shortenablePart(
  kind: ContextPart["kind"],
  text: string,
  shortText: () => string,
  ref: string | null = null,
): ShortenablePart {
  let short: ContextPart | null = null;
  return {
    whole: contextPart(kind, text, ref),
    get short() {
      short ??= contextPart(kind, shortText(), ref);
      return short;
    },
  };
}
