/** One name for a query of a skill, whatever letters are in either. */
export function queryName({ skillId, queryId }: { skillId: string; queryId: string }): string {
  return JSON.stringify([skillId, queryId]);
}
