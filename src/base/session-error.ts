// The error for a bad recorded session.

/** Thrown for a session of another version, or a line that is not an action; the message says which. */
export class SessionError extends Error {}
