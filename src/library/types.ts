// The library's interface. It follows semantic versions: everything here stays until the next major one.

/** A cost: exact as a number up to 2^53, as a bigint beyond. */
export type Cost = number | bigint;
/** Costs by the name of the event. */
export type Costs = Readonly<Record<string, Cost>>;

export interface LoadOptions {
  /** Read as this format, whatever the bytes look like; `proftui --formats` lists them. */
  readonly format?: string;
  /** The name of the bytes: formats look at names, too. */
  readonly name?: string;
  /** The program, where the profile has only its addresses, and folders of debug files. */
  readonly binary?: string;
  readonly symbolPath?: readonly string[];
  readonly signal?: AbortSignal;
}

/** A loaded profile. Plain data inside: it may be posted to a worker, and asked there. */
export interface Profile {
  readonly format: string;
  readonly paths: readonly string[];
  readonly command: string | null;
  readonly events: readonly { readonly name: string; readonly unit: string; readonly longName?: string }[];
  readonly parts: readonly {
    readonly part: number | null;
    readonly thread: number | null;
    readonly pid: number | null;
    readonly command: string | null;
  }[];
  readonly warnings: readonly {
    readonly path: string;
    readonly line?: number;
    readonly offset?: number;
    readonly expected: string;
    readonly found: string;
  }[];
  /** Set if the file ends too early: only what is whole is there. */
  readonly cut?: { readonly expected: string; readonly found: string };
}

export interface AnalyseOptions {
  /** Numbers of `profile.parts` that count. Absent: all but those that a later run in the same file has replaced. */
  readonly parts?: readonly number[] | 'all';
  /** The stack of transforms, as --apply takes it, one after the other: `focus=main`, `hide=^std::`, `collapse=recursion`. */
  readonly apply?: readonly string[];
  /** Further events by formulas: `CPI=Cycles/Ir`. */
  readonly derive?: readonly string[];
  /** The run to compare with. */
  readonly base?: Profile;
}

export interface Routine {
  readonly id: number;
  readonly name: string;
  readonly file: string | null;
  readonly object: string | null;
  readonly self: Costs;
  /** With callees; null where the profile has no calls. */
  readonly inclusive: Costs | null;
  /** How often it was called; null where that is not recorded. */
  readonly calls: number | null;
}

/** `caller` and `callee` are ids of routines; `cost` is inclusive. */
export interface Edge {
  readonly caller: number;
  readonly callee: number;
  readonly calls: number | null;
  readonly cost: Costs;
}

export interface Line {
  readonly routine: number;
  readonly file: string | null;
  /** From 1; 0 is unknown. */
  readonly line: number;
  readonly self: Costs;
}

export interface TreeNode {
  readonly routine: number;
  /** 0 for roots. Nodes come depth first. */
  readonly depth: number;
  readonly inclusive: Costs;
  /** A call graph does not say how much of a routine's cost came by which path: then it is an estimate. */
  readonly estimated: boolean;
}

/** Answers about a profile, each computed on first use. */
export interface Analysis {
  readonly profile: Profile;
  readonly events: readonly string[];
  /** The sum of everything that counts. */
  totals(): Costs;
  routines(): Generator<Routine>;
  edges(): Generator<Edge>;
  /** All lines with costs, or those of a routine. */
  lines(routine?: number): Generator<Line>;
  /** The tree of calls, the most expensive first by `event`. `threshold`: percent of the total, below which nodes are left out. */
  tree(options?: { readonly event?: string; readonly inverted?: boolean; readonly threshold?: number }): Generator<TreeNode>;
}

export interface RowOptions {
  readonly event?: string;
  /** Only rows that match, as --filter. */
  readonly filter?: string;
  readonly sort?: { readonly column: string; readonly descending?: boolean };
  readonly limit?: number;
  /** The id of the routine that the view is about. */
  readonly routine?: number;
  readonly inverted?: boolean;
  readonly threshold?: number;
}

/** A view as rows: what `--print NAME --json` has. */
export interface Report {
  readonly name: string;
  readonly title: string;
  rows(analysis: Analysis, options?: RowOptions): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** A format that other tools read: what `--export NAME` writes. */
export interface Exporter {
  readonly name: string;
  readonly title: string;
  write(analysis: Analysis, options?: { readonly event?: string; readonly threshold?: number }): Promise<Uint8Array>;
}

export interface Library {
  readonly version: string;
  /** Reads a file, the files of one run, a folder, or bytes. Rejects with an error whose message names the place. */
  load(from: string | readonly string[] | Uint8Array, options?: LoadOptions): Promise<Profile>;
  /** Throws for what the profile cannot follow. */
  analyse(profile: Profile, options?: AnalyseOptions): Analysis;
  readonly reports: readonly Report[];
  readonly exporters: readonly Exporter[];
}
