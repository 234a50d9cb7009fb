// The error of a choice that the profile does not have.

/** A flag names an event, a routine, a part or a column that there is not: exit 2. */
export class ChoiceError extends Error {}
