// Escapes text for XML, because names in a profile may contain any character.
import { visible } from './safe-text.ts';

const XML_ENTITIES = new Map(Object.entries({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }));

/** Text for an element or a double-quoted attribute. Characters that XML forbids, or that are invisible, become visible marks. */
export const xmlText = (text: string): string => visible(text).replace(/[&<>"]/g, (c) => XML_ENTITIES.get(c) ?? c);
