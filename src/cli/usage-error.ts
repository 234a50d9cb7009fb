// What ends the program with exit code 2.

/** A flag that is not ours, or has a value that it cannot have: exit 2. */
export class UsageError extends Error {}
