/** A line of the line log, besides its head. Other programs read it; its members are those of the specification. */
export interface LogLine {
  kind: string;
  skillId: string;
  verdict: string | null;
  /** What it is about within its skill: the hash of a cell, or the id of a query. */
  cellKey?: string | undefined;
  queryId?: string | undefined;
  [member: string]: unknown;
}
