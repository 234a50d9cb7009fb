// What is wrong with a recorded session.

/** Thrown for a session of another version, and for a line that is no action; says which. */
export class SessionError extends Error {}
