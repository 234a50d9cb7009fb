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

/** The error of load() for a file that cannot be read or parsed. Its message is the problem in one line. */
export interface FormatErrorClass {
  new (problem: Problem): Error & { readonly problem: Problem };
}

export interface LoadOptions {
  /** Read the file as this format, without detection: a name of `formats`. */
  readonly format?: string;
  /** A file name for the bytes: format detection also uses names. */
  readonly name?: string;
  /** The program, for profiles that contain only addresses; `symbolPath`: folders of debug files. */
  readonly binary?: string;
  readonly symbolPath?: readonly string[];
  /** Additional compilers of a build trace that proftui does not recognize by name: `mycc`, `zig c++`. */
  readonly compilers?: readonly string[];
  /** The file with the output of ninja, whose messages the steps get. load() rejects with FormatError if the profile is no build. */
  readonly log?: string;
  readonly signal?: AbortSignal;
}

/** A loaded profile. It contains only plain data, so it can be posted to a worker and analysed there. */
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
  /** Set if the file is truncated: only its complete records were read. */
  readonly cut?: { readonly expected: string; readonly found: string };
}

export interface AnalyseOptions {
  /** Indices of the included `profile.parts`. Absent: all, except parts replaced by a later run in the same file. */
  readonly parts?: readonly number[] | 'all';
  /** Transforms in the syntax of --apply, applied in order: `focus=main`, `hide=^std::`, `collapse=recursion`. */
  readonly apply?: readonly string[];
  /** Additional events, defined by formulas: `CPI=Cycles/Ir`. */
  readonly derive?: readonly string[];
  readonly base?: Profile;
}

export interface Routine {
  readonly id: number;
  readonly name: string;
  readonly file: string | null;
  readonly object: string | null;
  readonly self: Costs;
  /** Inclusive cost (with callees); null if the profile has no calls. */
  readonly inclusive: Costs | null;
  /** Number of calls; null if not recorded. */
  readonly calls: number | null;
  /** The costs divided by `calls`; events that are ratios are left out. Null without calls. */
  readonly perCall: { readonly self: Costs; readonly inclusive: Costs } | null;
  /** With a base: the runs that contain the routine; `gone` means only the base. Null without a base. */
  readonly state: 'both' | 'new' | 'gone' | null;
  /** The costs in the base; null without a base, and for new routines. */
  readonly base: { readonly self: Costs; readonly inclusive: Costs | null } | null;
}

/** `caller` and `callee` are ids of routines; `cost` is inclusive; `perCall` is as that of a routine. */
export interface Edge {
  readonly caller: number;
  readonly callerName: string;
  readonly callee: number;
  readonly calleeName: string;
  readonly calls: number | null;
  readonly cost: Costs;
  /** The cost divided by `calls`; null without calls. */
  readonly perCall: { readonly inclusive: Costs } | null;
}

export interface Line {
  readonly routine: number;
  readonly routineName: string;
  readonly file: string | null;
  /** The line number, from 1; 0 if it is unknown. */
  readonly line: number;
  readonly self: Costs;
}

export interface TreeNode {
  readonly routine: number;
  readonly name: string;
  /** The depth in the tree; 0 for roots. Nodes come depth first. */
  readonly depth: number;
  /** In an inverted tree, both costs are the part of the root's self cost that was called through this path. */
  readonly self: Costs;
  readonly inclusive: Costs;
  /** Calls along this path; null where that is unknown. */
  readonly calls: number | null;
  /** True if the costs are estimates: a call graph does not record how a routine's cost is split among its call paths. */
  readonly estimated: boolean;
  readonly selfEstimated: boolean;
}

/** A sampled stack, the innermost frame first. */
export interface Stack {
  readonly frames: readonly {
    readonly routine: number;
    readonly name: string;
    readonly file: string | null;
    /** The line number, from 1; 0 if it is unknown. */
    readonly line: number;
  }[];
  /** Index into `profile.parts`. */
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
  /** The start; null for a step that never ran. */
  readonly startMs: number | null;
  readonly durationMs: number | null;
  /** The exit code; null where it is unknown. */
  readonly result: number | null;
  readonly outputs: readonly string[];
}

/** The cost of all samples with one value of a label. Value '': the samples without the label. */
export interface Label {
  readonly label: string;
  readonly value: string;
  readonly costs: Costs;
}

/** A finding as a sentence. Findings are sorted by importance. */
export interface Finding {
  readonly rule: string;
  readonly text: string;
  readonly why: string;
  /** A suggested next step; null if the data does not suggest one. */
  readonly try: string | null;
  /** The share of the total that the finding concerns, 0 to 1; null for findings without one. */
  readonly share: number | null;
  readonly routine: number | null;
  readonly step: number | null;
}

/** Answers about a profile, each computed on first use. */
export interface Analysis {
  readonly profile: Profile;
  readonly events: readonly string[];
  /** The total of the included parts, after transforms. */
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

/** The flags of --print. An option that the report does not use, or that does not fit the profile, is a RangeError. */
export interface RowOptions {
  readonly event?: string;
  /** Only rows that match, as --filter. */
  readonly filter?: string;
  readonly sort?: { readonly column: string; readonly descending?: boolean };
  readonly limit?: number;
  /** The id of a routine, or its name as --routine takes it (`FILE:NAME` if several have it); `/RE/` for all that match. */
  readonly routine?: number | string;
  readonly inverted?: boolean;
  readonly threshold?: number;
  /** groups: one to three keys, as `object,class` or in an array; absent: `file`. */
  readonly by?: string | readonly string[];
  /** graph, dot: rows up to this number of calls from the routine; absent: 2. */
  readonly depth?: number;
  /** graph, dot: frames in the drawing, which only the exporter `dot` writes. The rows of graph stay the same. */
  readonly cluster?: 'file' | 'object';
  /** source: lines around each line with cost, if `sourceDir` has the text (absent: 8); files until they have this percentage (absent: 99). */
  readonly context?: number;
  readonly coverage?: number;
  /** Folders to search for sources, besides those of the profile. Absent: no source is opened. */
  readonly sourceDir?: readonly string[];
  /** The unit of costs, or of the times of a build, whose fields it renames: `durationS` for `durationMs`. */
  readonly unit?: 'ns' | 'us' | 'ms' | 's' | 'B' | 'KiB' | 'MiB' | 'GiB' | 'percent';
}

type Row = Readonly<Record<string, unknown>>;

/** By report, the type of its rows. In library.d.ts, the build has each report here, from docs/schema. */
export type ReportRows = Readonly<Record<string, Row>>;

/** A report as rows: the rows of `--print NAME --json`. */
export interface Report<OfReport = Row> {
  readonly name: string;
  readonly title: string;
  rows(analysis: Analysis, options?: Omit<RowOptions, 'unit'>): Promise<readonly OfReport[]>;
  rows(analysis: Analysis, options?: RowOptions): Promise<readonly Row[]>;
}

/** An export format for other tools: the output of `--export NAME`. */
export interface Exporter {
  readonly name: string;
  readonly title: string;
  write(analysis: Analysis, options?: ExportOptions): Promise<Uint8Array>;
  /** Yields the bytes of the export in pieces; each piece is written only when the reader is ready. */
  stream(analysis: Analysis, options?: ExportOptions): AsyncIterable<Uint8Array>;
}

/** Only `dot` has a routine, a depth and frames. */
export interface ExportOptions extends Pick<RowOptions, 'routine' | 'depth' | 'cluster'> {
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
  /** Reads a file, the files of one run, a folder, bytes, or a stream of bytes. Rejects with FormatError. */
  load(from: string | readonly string[] | Uint8Array | AsyncIterable<Uint8Array>, options?: LoadOptions): Promise<Profile>;
  /** A cost as a number: beyond 2^53 the last digits are lost. */
  number(cost: Cost): number;
  readonly FormatError: FormatErrorClass;
  /** Throws for options that the profile does not support. */
  analyse(profile: Profile, options?: AnalyseOptions): Analysis;
  readonly reports: readonly Report[];
  /** The report of this name, with the types of its rows. Throws RangeError if there is none. */
  report<Name extends keyof ReportRows>(name: Name): Report<ReportRows[Name]>;
  readonly exporters: readonly Exporter[];
}
