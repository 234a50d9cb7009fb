// Memory: bytes at IN, padded by the caller with 16 line ends; then the columns below, each sized for its table.

export const ROWS: i32 = 1 << 17;
export const CALLS: i32 = 1 << 15;
export const JUMPS: i32 = 1 << 15;
export const MARKS: i32 = 1 << 15;
export const WIDE: i32 = 1 << 12;
export const EVENTS: i32 = 24;

export const IN: usize = 1024;
export const IN_SIZE: usize = 1 << 18;
export const LINE: usize = IN + IN_SIZE + 64;
export const ADDRESS: usize = LINE + <usize>ROWS * 4;
// Calls, one column each: line, address, cfn, cfi, cob (-1: use the scanner's current one), count.
export const CALL_AT: usize = ADDRESS + <usize>ROWS * 4;
// Jumps, likewise: line, address, target line, target address low and high, jfi, jfn, taken, executed. Conditional is a byte.
export const JUMP_AT: usize = CALL_AT + <usize>CALLS * 4 * 6;
export const CONDITIONAL: usize = JUMP_AT + <usize>JUMPS * 4 * 9;
// Marked lines, by word:
//  0..2 start and end in the bytes, line number; 3..5 rows, calls and jumps so far; 6..8 the base: address low and high, line
//  9 high half of the addresses since the previous mark
//  10 bit 0: several high halves occurred; bit 1: the base is known; bit 2: a jump goes to another function, file or half
//  11..15 cfn, cfi, cob, jfi, jfn read since
//  16 what a plain `fn=(12) name` or `fn=(12)` names, see named() in specs.ts, else 0; 17 the id; 18, 19 start and end of the name
export const MARK: usize = CONDITIONAL + <usize>JUMPS;
export const MARK_BYTES: usize = 80;
// Values of 2^32 and more: table (0 costs of rows, 1 costs of calls, 2 counts of calls, 3 taken, 4 executed), row, column, 0; and the
// value as a double.
export const WIDES: usize = MARK + <usize>MARKS * MARK_BYTES;
// Swizzle masks that place the digits of a short row, by its shape: see short-rows.ts.
export const SHAPES: usize = WIDES + <usize>WIDE * 24;
// 16-byte constants for shortRows(): V8 would rebuild inline constants at every use, with three instructions each.
export const SPLATS: usize = SHAPES + 8 * 16 * 16 * 2 * 16;
export const COSTS: usize = SPLATS + 96;

/** Where the tables are, and how many rows each has room for; in the order of PLACES in src/formats/callgrind/digest.ts. */
export function place(what: i32): usize {
  switch (what) {
    case 0:
      return IN;
    case 1:
      return IN_SIZE;
    case 2:
      return LINE;
    case 3:
      return ADDRESS;
    case 4:
      return CALL_AT;
    case 5:
      return JUMP_AT;
    case 6:
      return CONDITIONAL;
    case 7:
      return MARK;
    case 8:
      return WIDES;
    case 9:
      return COSTS;
    case 10:
      return ROWS;
    case 11:
      return CALLS;
    case 12:
      return JUMPS;
    default:
      return EVENTS;
  }
}
