import type { Level } from "../contract/level.ts";
import { agentLevel } from "./agent/level.ts";
import { contractLevel } from "./contract/level.ts";
import { conversationLevel } from "./conversation/level.ts";
import { planbenchLevel } from "./planbench/level.ts";
import { triggerLevel } from "./trigger/level.ts";
import { unitLevel } from "./unit/level.ts";

/** Every level there is. Write one, list it here, and it has planning, resume, store, gates, formats, diff and history. */
export const levels: readonly Level[] = [
  contractLevel,
  unitLevel,
  triggerLevel,
  agentLevel,
  conversationLevel,
  planbenchLevel,
];
