import type * as z from "zod";

/** Which keys a document knows, by place: `$`, `$.tasks[]`, `$.models.*`. A place that is not listed is open. */
export type KnownKeys = Readonly<Record<string, readonly string[]>>;

/** The keys a schema knows. Loose objects and values without a shape stay open. */
export function knownKeys(schema: z.core.$ZodType): KnownKeys {
  const found: Record<string, string[]> = {};
  collect(schema, "$", found);
  return found;
}

function collect(schema: z.core.$ZodType, place: string, found: Record<string, string[]>): void {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object":
      if (def.catchall?._zod.def.type === "unknown") return;
      found[place] = [...new Set([...(found[place] ?? []), ...Object.keys(def.shape)])];
      for (const [key, member] of Object.entries(def.shape)) collect(member, `${place}.${key}`, found);
      return;
    case "array":
      collect(def.element, `${place}[]`, found);
      return;
    case "record":
      collect(def.valueType, `${place}.*`, found);
      return;
    case "union":
      for (const option of def.options) collect(option, place, found);
      return;
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
      collect(def.innerType, place, found);
  }
}
