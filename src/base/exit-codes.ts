// Exit codes that say how the program ended rather than what it found.

/** A limit of --fail-if was exceeded. */
export const EXCEEDED = 3;
/** An error in the program itself: EX_SOFTWARE of sysexits. */
export const CRASHED = 70;
/** The terminal has gone: what SIGHUP, which says so, gives. */
export const HUNG_UP = 129;
