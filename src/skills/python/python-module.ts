/** What is known of a Python file without running it. */
export interface PythonModule {
  /** What can be called by its name once the file was imported. */
  callables: ReadonlyMap<string, PythonCallable>;
  /** Whether it may have names that reading does not show: all of another module, or ones made while it runs. */
  mayHaveOtherNames: boolean;
  /** Every import, also those inside functions, in the order of the text. */
  imports: readonly PythonImport[];
  /** Whether it imports modules whose names are made while it runs. */
  importsByMadeUpName: boolean;
  /** `except` clauses that turn any error into a result. */
  swallows: readonly PythonFinding[];
  /** What makes its results differ from call to call, each once. */
  chances: readonly PythonChance[];
  /** Whether a word or the name of a file occurs anywhere in it, comments included. */
  mentions: (word: string) => boolean;
  /** Whether all of it was understood. The grammar knows less than Python does, so false is not a fault of the file. */
  isWhole: boolean;
}

export interface PythonCallable {
  line: number;
  /** Null where the text does not show them: an import, an assignment, a decorator that may change them. */
  parameters: readonly PythonParameter[] | null;
  /** Whether what `**` takes in goes anywhere but into look-ups by a written name. */
  passesKeywordsOn: boolean;
  /** Whether a call only returns a coroutine. */
  isAsync?: boolean;
}

export interface PythonParameter {
  name: string;
  way: ParameterWay;
  hasDefault: boolean;
}

/** How an argument reaches a parameter; the last two are `*args` and `**kwargs`. */
export type ParameterWay = "positional-only" | "either" | "keyword-only" | "positional-rest" | "keyword-rest";

export interface PythonImport {
  line: number;
  /** The number of leading dots: 0 for an absolute import. */
  level: number;
  /** Dotted; empty for `from . import a`. */
  module: string;
  /** What is taken out of it, `*` for all; null for `import a`. */
  names: readonly ImportedName[] | null;
  /** The name it gets, where it is imported as a whole under another one. */
  alias: string | null;
  /** Whether it never runs when the module is imported: it is for type checkers, or for running as a program. */
  isDormant: boolean;
}

export interface ImportedName {
  name: string;
  /** What it is called here. */
  local: string;
}

export interface PythonFinding {
  line: number;
  /** Such as `bare except returns a dict`. */
  pattern: string;
}

export interface PythonChance extends PythonFinding {
  kind: ChanceKind;
}

/** Where a result can come from that depends on more than the arguments. */
export type ChanceKind = "clock" | "random" | "network";
