// Reads XML in pieces, as far as test results need it: elements, attributes and text, with element names as written.
// Closing tags are not matched with opening tags, so deep nesting costs nothing.
import { decodeBytes, startsWithAscii } from '../../model/strings.ts';

export interface XmlHandler {
  /** Called at the start of an element. `attribute` returns an attribute's value; undefined if the element does not have it. */
  onOpen(name: string, attribute: (name: string) => string | undefined): void;
  onClose(name: string): void;
  /** Called for a piece of text with decoded entities, only if `wantsText` is true when the piece begins. */
  onText(piece: string): void;
  readonly wantsText: boolean;
}

const [LESS, GREATER, QUOTE, APOSTROPHE] = [...'<>"\''].map((c) => c.charCodeAt(0));

const ENTITIES: ReadonlyMap<string, string> = new Map(Object.entries({ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }));
const ENTITY = /&(?:(\w{1,9})|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/g;

function unescapeEntities(text: string): string {
  return text.replace(ENTITY, (whole, name: string, decimal: string, hex: string) => {
    if (name) return ENTITIES.get(name) ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** The offset of the text `wanted` at or after `from`; -1 if it is absent. */
const indexOfText = (bytes: Uint8Array, wanted: string, from: number): number =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(wanted, from);

/** The sections by their start, with their end marker and whether their contents are text. */
const SECTIONS = [
  { start: '<![CDATA[', end: ']]>', isText: true },
  { start: '<!--', end: '-->', isText: false },
  { start: '<?', end: '?>', isText: false },
  { start: '<!', end: '>', isText: false },
];
const MAX_SECTION_START = 9;

export class XmlReader {
  /** The section whose start was read. */
  private section: (typeof SECTIONS)[number] | undefined;
  private readonly decoder = new TextDecoder();

  constructor(private readonly handler: XmlHandler) {}

  /** Consumes complete tags and text; returns the number of bytes consumed. `isLast`: no bytes follow. */
  take(bytes: Uint8Array, isLast = false): number {
    for (let at = 0; ; ) {
      const next = this.section ? this.readSection(bytes, at, this.section) : this.readOutside(bytes, at, isLast);
      if (next <= at) return at;
      at = next;
    }
  }

  /** Reads a section; returns its end. Some last bytes are left for the next call: they may be a truncated end marker. */
  private readSection(bytes: Uint8Array, at: number, { end, isText }: (typeof SECTIONS)[number]): number {
    const found = indexOfText(bytes, end, at);
    const to = found < 0 ? Math.max(at, bytes.length - end.length + 1) : found;
    if (isText && this.handler.wantsText) this.handler.onText(this.decoder.decode(bytes.subarray(at, to), { stream: found < 0 }));
    if (found < 0) return to;
    this.section = undefined;
    return found + end.length;
  }

  private readOutside(bytes: Uint8Array, at: number, isLast: boolean): number {
    if (bytes[at] !== LESS) return this.readText(bytes, at);
    if (bytes.length - at < MAX_SECTION_START && !isLast) return at;
    const section = SECTIONS.find(({ start }) => startsWithAscii(bytes, at, start));
    if (section) {
      this.section = section;
      return at + section.start.length;
    }
    const end = endOfTag(bytes, at + 1);
    if (end < 0) return at;
    this.readTag(decodeBytes(bytes, at + 1, end));
    return end + 1;
  }

  /** Reads text up to the next element. Text after the last `&` is left for the next call: it may be a truncated entity. */
  private readText(bytes: Uint8Array, at: number): number {
    const less = bytes.indexOf(LESS, at);
    const to = less < 0 ? bytes.length : less;
    if (!this.handler.wantsText) return to;
    const and = less < 0 ? bytes.subarray(Math.max(at, to - MAX_ENTITY_LENGTH), to).lastIndexOf(AMPERSAND) : -1;
    const end = and < 0 ? to : Math.max(at, to - MAX_ENTITY_LENGTH) + and;
    if (end > at) this.handler.onText(unescapeEntities(this.decoder.decode(bytes.subarray(at, end), { stream: less < 0 })));
    return end;
  }

  private readTag(inside: string): void {
    const { handler } = this;
    if (inside.startsWith('/')) return handler.onClose(inside.slice(1).trim());
    const isEmpty = inside.endsWith('/');
    const body = isEmpty ? inside.slice(0, -1) : inside;
    const space = body.search(/\s/);
    const name = space < 0 ? body : body.slice(0, space);
    handler.onOpen(name, (wanted) => (space < 0 ? undefined : attributeOf(body, space, wanted)));
    if (isEmpty) handler.onClose(name);
  }
}

const AMPERSAND = '&'.charCodeAt(0);
const MAX_ENTITY_LENGTH = 12;

/** The position of the tag's `>`, ignoring quoted values; -1 if the tag is incomplete. */
function endOfTag(bytes: Uint8Array, from: number): number {
  let quote = 0;
  for (let at = from; at < bytes.length; at++) {
    const c = bytes[at];
    if (quote !== 0) {
      if (c === quote) quote = 0;
    } else if (c === GREATER) return at;
    else if (c === QUOTE || c === APOSTROPHE) quote = c;
  }
  return -1;
}

/** The largest character code of a blank. */
const LAST_BLANK_CODE = 32;

function attributeOf(tag: string, from: number, wanted: string): string | undefined {
  for (let at = from; ; ) {
    const equals = tag.indexOf('=', at);
    if (equals < 0) return undefined;
    let open = equals + 1;
    while (tag.charCodeAt(open) <= LAST_BLANK_CODE) open++;
    const quote = tag[open];
    const close = quote === '"' || quote === "'" ? tag.indexOf(quote, open + 1) : -1;
    if (close < 0) return undefined;
    if (tag.slice(at, equals).trim() === wanted) return unescapeEntities(tag.slice(open + 1, close));
    at = close + 1;
  }
}
