// Errors for invalid user input, and the program's exit codes.

/** A flag names an event, routine, part or column that the profile does not have: exit code 2. */
export class ChoiceError extends Error {}

/** The profile cannot answer the question: exit code 1. */
export class AnswerError extends ChoiceError {}

/** A recorded session has another version, or a line that is not an action. The message names the problem. */
export class SessionError extends Error {}

/** An unknown flag or an invalid value: exit 2. */
export class UsageError extends Error {}

// Exit codes. They tell how the program ended, not what it found.

/** Exit code: a limit of --fail-if was exceeded. */
export const EXIT_LIMIT_EXCEEDED = 3;
/** Exit code: an error in the program itself (EX_SOFTWARE of sysexits). */
export const EXIT_CRASHED = 70;
/** Exit code: the terminal was closed. It is that of a process ended by SIGHUP. */
export const EXIT_HUNG_UP = 129;
