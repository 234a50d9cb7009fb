// Escapes text for XML: names in a profile may contain anything.
import { visible } from './safe-text.ts';

const ENTITIES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

/**
 * Text for an element or a double-quoted attribute. Characters that XML forbids, or that are invisible, become visible marks.
 */
export function xmlText(text: string): string {
  return visible(text).replace(/[&<>"]/g, (c) => ENTITIES.get(c) ?? c);
}
