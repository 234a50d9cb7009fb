// Text in XML: names of a profile may hold anything.
import { visible } from './safe-text.ts';

const ENTITIES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

/** A text for an element or an attribute in double quotes; what XML does not allow, or nobody sees, has a visible mark. */
export function xmlText(text: string): string {
  return visible(text).replace(/[&<>"]/g, (c) => ENTITIES.get(c) ?? c);
}
