/** Any value that JSON can say. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };
/** A JSON Schema as its author wrote it; whether it compiles is checked where it is loaded. */
export type JsonSchema = boolean | JsonObject;
