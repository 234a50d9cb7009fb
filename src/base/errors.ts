// Errors of what the user asked for, and the program's exit codes.

// The error of a choice that the profile does not have.

/** A flag names an event, a routine, a part or a column that there is not: exit 2. */
export class ChoiceError extends Error {}

// The error for a bad recorded session.

/** Thrown for a session of another version, or a line that is not an action; the message says which. */
export class SessionError extends Error {}

// The error that ends the program with exit code 2.

/** An unknown flag or an invalid value: exit 2. */
export class UsageError extends Error {}

// Exit codes for how the program ended, not for what it found.

/** A limit of --fail-if was exceeded. */
export const EXCEEDED = 3;
/** An error in the program itself: EX_SOFTWARE of sysexits. */
export const CRASHED = 70;
/** The terminal is gone: the exit code of a process ended by SIGHUP. */
export const HUNG_UP = 129;
