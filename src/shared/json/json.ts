import * as z from "zod";

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };
/** A JSON Schema as its author wrote it; whether it compiles is checked where it is loaded. */
export type JsonSchema = boolean | JsonObject;

/** For schemas of files that JSON.parse has read already: whatever it gave is JSON. */
export const AnyJson = z.unknown() as unknown as z.ZodType<Json>;
