import { useCallback, useEffect, useState } from "preact/hooks";
import type { Verdict } from "../../src/contract/result.ts";
import type { SortOrder } from "./controls.tsx";

/** What a reader chose to see. All of it is in the address, so that a link shows the same. */
export interface PageState {
  /** Words that all have to occur somewhere in a cell. */
  text: string;
  /** Empty: every status. */
  statuses: readonly Verdict[];
  suite: string | null;
  subject: string | null;
  caseId: string | null;
  tag: string | null;
  /** The value that a column must show, by the id of the column. */
  columns: ReadonlyMap<string, string>;
  order: SortOrder<string>;
  /** From 0; null: the one with the first open cell. */
  page: number | null;
  /** Their keys. */
  open: readonly string[];
}

export const firstState: PageState = {
  text: "",
  statuses: [],
  suite: null,
  subject: null,
  caseId: null,
  tag: null,
  columns: new Map(),
  order: { by: "status", isDescending: false },
  page: null,
  open: [],
};

/** Says by which conditions cells are chosen; the rest of the state stays. */
export const noFilters = {
  text: "",
  statuses: [],
  suite: null,
  subject: null,
  caseId: null,
  tag: null,
  columns: new Map<string, string>(),
} satisfies Partial<PageState>;

export function isFiltered(state: PageState): boolean {
  const { text, statuses, suite, subject, caseId, tag, columns } = state;
  return (
    text !== "" ||
    statuses.length + columns.size > 0 ||
    [suite, subject, caseId, tag].some((chosen) => chosen !== null)
  );
}

/** What needs a look comes first. */
export const statusOrder: readonly Verdict[] = ["fail", "error", "timeout", "invalid", "pass"];

const names = ["suite", "subject", "case", "tag"] as const;
const columnPrefix = "is.";

/** The state as the part of an address after `#`; empty where nothing was chosen. */
export function writeState(state: PageState): string {
  const parameters = new URLSearchParams();
  if (state.text !== "") parameters.set("q", state.text);
  if (state.statuses.length > 0) parameters.set("status", state.statuses.join(","));
  for (const name of names) {
    const value = name === "case" ? state.caseId : state[name];
    if (value !== null) parameters.set(name, value);
  }
  for (const [id, value] of state.columns) parameters.set(columnPrefix + id, value);
  const { by, isDescending } = state.order;
  if (by !== "status" || isDescending) parameters.set("sort", `${isDescending ? "-" : ""}${by}`);
  // The first page is the default, unless an open cell is on another.
  if (state.page !== null && (state.page > 0 || state.open.length > 0))
    parameters.set("page", String(state.page + 1));
  for (const key of state.open) parameters.append("cell", key);
  return parameters.toString();
}

/** Reads an address that anybody may have written: what makes no sense in it is ignored. */
export function readState(hash: string): PageState {
  const parameters = new URLSearchParams(hash.replace(/^#/, ""));
  const statuses = (parameters.get("status") ?? "").split(",");
  const sort = parameters.get("sort") ?? "status";
  const page = Number(parameters.get("page"));
  return {
    text: parameters.get("q") ?? "",
    statuses: statusOrder.filter((status) => statuses.includes(status)),
    suite: parameters.get("suite"),
    subject: parameters.get("subject"),
    caseId: parameters.get("case"),
    tag: parameters.get("tag"),
    columns: new Map(
      [...parameters].flatMap(([name, value]) =>
        name.startsWith(columnPrefix) ? [[name.slice(columnPrefix.length), value]] : [],
      ),
    ),
    order: { by: sort.replace(/^-/, ""), isDescending: sort.startsWith("-") },
    page: Number.isInteger(page) && page > 0 ? page - 1 : null,
    open: parameters.getAll("cell"),
  };
}

/** Where the page should be scrolled to: a cell by its key, or the table of cells. */
export interface Target {
  key: string | null;
}

/** What changes; a function where that depends on what is chosen by then. */
type StateChange = Partial<PageState> | ((state: PageState) => Partial<PageState>);

export interface StateControl {
  state: PageState;
  target: Target | null;
  change: (change: StateChange, target?: Target) => void;
}

/** The state of the page: follows the address, and the address follows it. */
export function usePageState(): StateControl {
  const [shown, setShown] = useState(() => fromAddress());
  const { state, target } = shown;

  useEffect(() => {
    const read = () => setShown(fromAddress());
    window.addEventListener("hashchange", read);
    return () => window.removeEventListener("hashchange", read);
  }, []);

  useEffect(() => {
    const hash = writeState(state);
    if (hash !== location.hash.replace(/^#/, ""))
      history.replaceState(null, "", hash === "" ? location.pathname + location.search : `#${hash}`);
  }, [state]);

  const change = useCallback(
    (change: StateChange, target?: Target) =>
      setShown(({ state }) => ({
        state: { ...state, ...(typeof change === "function" ? change(state) : change) },
        target: target ?? null,
      })),
    [],
  );
  return { state, target, change };
}

function fromAddress(): { state: PageState; target: Target | null } {
  const state = readState(location.hash);
  const [key] = state.open;
  return { state, target: key === undefined ? null : { key } };
}
