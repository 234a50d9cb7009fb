// Steps in time: build steps, slices of a trace, commands of a log; what the host measured beside them.

/**
 * Steps in time, by start: build steps, slices of a trace, commands of a log. Times are microseconds from the origin; NaN for
 * what never ran. Text columns are string numbers, -1 where the file does not say. `kind` is a place in KINDS (model/steps.ts).
 * Outputs of step i are [outputStart[i], outputStart[i + 1]); their bytes are NaN where they are unknown.
 */
export interface Steps {
  readonly name: Uint32Array;
  readonly role: Int32Array;
  readonly kind: Uint8Array;
  readonly track: Uint32Array;
  readonly part: Uint32Array;
  readonly parent: Int32Array;
  readonly startUs: Float64Array;
  readonly durationUs: Float64Array;
  readonly cpuUs: Float64Array;
  readonly result: Float64Array;
  /** What to know of the result: where the format says less than it seems to. */
  readonly caveat: Int32Array;
  readonly target: Int32Array;
  readonly source: Int32Array;
  readonly language: Int32Array;
  readonly config: Int32Array;
  readonly command: Int32Array;
  readonly directory: Int32Array;
  /** What else the file says of it, as JSON. */
  readonly more: Int32Array;
  /** Path of a trace that its compiler wrote. */
  readonly trace: Int32Array;
  readonly outputStart: Uint32Array;
  readonly outputPath: Uint32Array;
  readonly outputBytes: Float64Array;
  /** What hands over to what, where the file says (flow events). */
  readonly linkFrom: Uint32Array;
  readonly linkTo: Uint32Array;
  /** What needs what by the build system's own file, in pairs. */
  readonly needs?: { readonly step: Uint32Array; readonly of: Uint32Array };
  readonly tracks: readonly Track[];
  /** Tracks whose steps run beside each other. */
  readonly parallel: readonly number[];
  readonly targets: readonly { readonly name: string; readonly type: string | null; readonly labels: readonly string[] }[];
  readonly gauges: readonly Gauge[];
  readonly marks: readonly Mark[];
  /** Microseconds since 1970 of time 0; null where it is unknown. */
  readonly originUs: number | null;
  readonly cores: number | null;
}

/** A thread, or what a tool drew as one. */
export interface Track {
  readonly pid: string;
  readonly tid: string;
  readonly name: string | null;
  readonly processName: string | null;
  readonly sort: number;
  readonly processSort: number;
}

/** A value over time: of the host, or a counter. */
export interface Gauge {
  readonly name: string;
  readonly unit: string;
  readonly us: number;
  readonly value: number;
}

export interface Mark {
  readonly name: string;
  readonly track: number;
  readonly us: number;
}

export interface Timeline {
  readonly kind: 'steps';
  readonly steps: Steps;
}
