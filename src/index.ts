export type { Adapter, CallLimits } from "./contract/adapter.ts";
