import { UserError } from "../shared/user-error.ts";

/** One of several equal parts of a run, each made on a machine of its own. */
export interface Shard {
  /** From 1. */
  index: number;
  count: number;
}

export const maxShards = 1000;

/** Reads `2/4`. */
export function readShard(text: string): Shard {
  const [, index = 0, count = 0] = (/^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text) ?? []).map(Number);
  if (index >= 1 && index <= count && count <= maxShards) return { index, count };
  throw new UserError(
    "usage",
    `--shard takes <index>/<count> from 1/1 to ${maxShards}/${maxShards}, not ${text}`,
    {
      hint: "such as --shard 2/4 on the second of four machines",
    },
  );
}

/** `2 of 4` */
export function shardWords({ index, count }: Shard): string {
  return `${index} of ${count}`;
}
