// The library's interface. It follows semantic versions: everything here stays until the next major one.

/** A cost: exact as a number up to 2^53, as a bigint beyond. */
export type Cost = number | bigint;
/** Costs by the name of the event. */
export type Costs = Readonly<Record<string, Cost>>;

/** A problem in a file: `expected` and `found` are lower case; `line` counts from 1, `offset` is a byte from 0. */
export interface Problem {
  readonly path: string;
  readonly line?: number;
  readonly offset?: number;
  readonly expected: string;
  readonly found: string;
  readonly hint?: string;
}

/** The error of load() where a file cannot be read, or not any further. Its message is the problem in one line. */
export interface FormatErrorClass {
  new (problem: Problem): Error & { readonly problem: Problem };
}

export interface LoadOptions {
  /** Read as this format, whatever the bytes look like: a name of `formats`. */
  readonly format?: string;
  /** The name of the bytes: formats look at names, too. */
  readonly name?: string;
  /** The program, where the profile has only its addresses, and folders of debug files. */
  readonly binary?: string;
  readonly symbolPath?: readonly string[];
  /** Programs of a build trace that compile, though their names do not say so: `iccarm`, `zig c++`. */
  readonly compilers?: readonly string[];
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
  readonly warnings: readonly Problem[];
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
  /** With a base: which of the two runs have it. */
  readonly state: 'both' | 'new' | 'gone' | null;
  /** Its costs in the base; null without one, and for what is new. */
  readonly base: { readonly self: Costs; readonly inclusive: Costs | null } | null;
}

/** `caller` and `callee` are ids of routines; `cost` is inclusive. */
export interface Edge {
  readonly caller: number;
  readonly callerName: string;
  readonly callee: number;
  readonly calleeName: string;
  readonly calls: number | null;
  readonly cost: Costs;
}

export interface Line {
  readonly routine: number;
  readonly routineName: string;
  readonly file: string | null;
  /** From 1; 0 is unknown. */
  readonly line: number;
  readonly self: Costs;
}

export interface TreeNode {
  readonly routine: number;
  readonly name: string;
  /** 0 for roots. Nodes come depth first. */
  readonly depth: number;
  /** In an inverted tree, both costs are the part of the root's self cost that came by this path. */
  readonly self: Costs;
  readonly inclusive: Costs;
  /** Calls along this path; null where that is unknown. */
  readonly calls: number | null;
  /** A call graph does not say how much of a routine's cost came by which path: then it is an estimate. */
  readonly estimated: boolean;
  readonly selfEstimated: boolean;
}

/** A sampled stack, the innermost frame first. */
export interface Stack {
  readonly frames: readonly {
    readonly routine: number;
    readonly name: string;
    readonly file: string | null;
    /** From 1; 0 is unknown. */
    readonly line: number;
  }[];
  /** Its number in `profile.parts`. */
  readonly part: number;
  readonly costs: Costs;
}

/** A step of a build, a slice of a trace or a command. Times are milliseconds from the start of the recording. */
export interface Step {
  readonly id: number;
  readonly name: string;
  readonly role: string | null;
  readonly target: string | null;
  readonly source: string | null;
  readonly part: number;
  /** Null for what never ran. */
  readonly startMs: number | null;
  readonly durationMs: number | null;
  /** The exit code; null where it is unknown. */
  readonly result: number | null;
  readonly outputs: readonly string[];
}

/** The costs of the samples with a value of a label; '' for those without the label. */
export interface Label {
  readonly label: string;
  readonly value: string;
  readonly costs: Costs;
}

/** A sentence about the profile, the most important first. */
export interface Finding {
  readonly rule: string;
  readonly text: string;
  readonly why: string;
  /** The next step that a person would take; null where the data alone does not say it. */
  readonly try: string | null;
  /** The part of the whole that it is about, 0 to 1; null for what has none. */
  readonly share: number | null;
  readonly routine: number | null;
  readonly step: number | null;
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
  /** Sampled stacks; nothing for profiles without them. */
  stacks(): Generator<Stack>;
  /** Steps by their start; nothing for profiles without them. */
  steps(): Generator<Step>;
  /** Labels of samples, the most expensive first; nothing for profiles without them. */
  labels(): Generator<Label>;
  findings(options?: { readonly event?: string }): Generator<Finding>;
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
  write(analysis: Analysis, options?: ExportOptions): Promise<Uint8Array>;
  /** The same in pieces, each handed over before the next is made. */
  stream(analysis: Analysis, options?: ExportOptions): AsyncIterable<Uint8Array>;
}

export interface ExportOptions {
  readonly event?: string;
  /** Percent of the total, below which stacks are merged. */
  readonly threshold?: number;
}

/** A format that load() reads. */
export interface Format {
  readonly name: string;
  readonly title: string;
}

export interface Library {
  readonly version: string;
  readonly formats: readonly Format[];
  /** Reads a file, the files of one run, a folder, bytes, or bytes in pieces. Rejects with a FormatError, whose problem names the place. */
  load(from: string | readonly string[] | Uint8Array | AsyncIterable<Uint8Array>, options?: LoadOptions): Promise<Profile>;
  /** A cost as a number: beyond 2^53 the last digits are lost. */
  number(cost: Cost): number;
  readonly FormatError: FormatErrorClass;
  /** Throws for what the profile cannot follow. */
  analyse(profile: Profile, options?: AnalyseOptions): Analysis;
  readonly reports: readonly Report[];
  readonly exporters: readonly Exporter[];
}
