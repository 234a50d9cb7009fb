// The error that ends the program with exit code 2.

/** An unknown flag or an invalid value: exit 2. */
export class UsageError extends Error {}
