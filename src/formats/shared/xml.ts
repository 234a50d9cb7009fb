// Reads XML in pieces with sax, as far as test results need it: elements, attributes and text. Files that programs cut off, or write
// with characters or tags that XML forbids, are read on.
import sax from 'sax';

export interface XmlHandler {
  /** Called at the start of an element. `attribute` returns an attribute's value; undefined if the element does not have it. */
  onOpen(name: string, attribute: (name: string) => string | undefined): void;
  onClose(name: string): void;
  /** Called for a piece of text with decoded entities, only if `wantsText` is true. */
  onText(piece: string): void;
  readonly wantsText: boolean;
}

/** More open elements than any writer of results has. sax keeps those that are open. */
const MAX_DEPTH = 100_000;
/** Maximum length of a tag or of a value in it. sax hands over longer texts in pieces. */
Object.assign(sax, { MAX_BUFFER_LENGTH: 1 << 24 });
const TOO_LONG = /^Max buffer length exceeded/;

export class XmlReader {
  private readonly parser = sax.parser(true);
  private readonly decoder = new TextDecoder();
  private depth = 0;
  private isTooLong = false;

  constructor(handler: XmlHandler) {
    const { parser } = this;
    parser.onopentag = ({ name, attributes }) => {
      this.depth++;
      handler.onOpen(name, (wanted) => {
        const value = attributes[wanted];
        return typeof value === 'string' ? value : undefined;
      });
    };
    parser.onclosetag = (name) => {
      this.depth--;
      handler.onClose(name);
    };
    parser.ontext = (piece) => handler.wantsText && handler.onText(piece);
    parser.oncdata = parser.ontext;
    parser.onerror = ({ message }) => {
      this.isTooLong ||= TOO_LONG.test(message);
      parser.resume();
    };
  }

  get isOpen(): boolean {
    return this.depth > 0;
  }

  /** Reads all bytes; false once a tag is too long or too many elements are open, and then reads no more. `isLast`: no bytes follow. */
  take(bytes: Uint8Array, isLast = false): boolean {
    const goesOn = () => !this.isTooLong && this.depth <= MAX_DEPTH;
    if (goesOn()) this.parser.write(this.decoder.decode(bytes, { stream: !isLast }));
    return goesOn();
  }
}
