// Ink, drawing whole frames into memory. Its debug mode writes each frame as is, without cursor control or checking for CI;
// terminal output is ours (frame-writer.ts).
import { EventEmitter } from 'node:events';
import { type Instance, render } from 'ink';
import { Component, createElement, type ReactElement, type ReactNode } from 'react';
import { Lines, withLines } from './Row.tsx';

class FrameStream extends EventEmitter {
  isTTY = false;
  private readonly onFrame: (lines: string[]) => void;
  constructor(
    public columns: number,
    public rows: number,
    onFrame: (lines: string[]) => void,
  ) {
    super();
    this.onFrame = onFrame;
  }
  write(frame: string): boolean {
    this.onFrame(frame.split('\n'));
    return true;
  }
}

/** Takes errors of drawing away from Ink, which would show them with their stack and go on with a dead screen. */
class Catch extends Component<{ readonly onError: (error: unknown) => void; readonly children?: ReactNode }, Caught> {
  override state: Caught = { caught: undefined };
  static getDerivedStateFromError(error: unknown): Caught {
    return { caught: { error } };
  }
  override render(): ReactNode {
    const { caught } = this.state;
    if (!caught) return this.props.children;
    // Now, because the frame without the children is drawn before React tells of the error.
    this.props.onError(caught.error);
    return null;
  }
}

interface Caught {
  readonly caught: { readonly error: unknown } | undefined;
}

export interface Frames {
  /** Throws what drawing the element throws. `ready`: the element draws only finished lines (Row.tsx), so Ink need not lay out the full width. */
  draw(element: ReactElement, ready?: boolean): void;
  resize(width: number, height: number): void;
  close(): void;
}

/** Columns enough for a placeholder. */
const READY = 8;

/** Every draw() passes its frame to `onFrame` before it returns. */
export function openFrames(width: number, height: number, onFrame: (lines: string[]) => void): Frames {
  const lines: string[] = [];
  let drawn: string[] | undefined;
  let told = false;
  let deaf = false;
  let failed: Caught['caught'];
  const tell = () => {
    told = true;
    onFrame(withLines(drawn!, lines));
  };
  const stream = new FrameStream(width, height, (frame) => {
    drawn = frame;
    // Ignore what Ink draws of the old screen at the new width, or when it ends.
    if (!deaf) tell();
  });
  // Ink uses only a little of its streams: these have that.
  const output: EventEmitter = stream;
  const quiet: EventEmitter = new EventEmitter();
  let instance: Instance | undefined;
  return {
    draw(element, ready = false) {
      told = false;
      const columns = ready ? READY : width;
      if (stream.columns !== columns) {
        stream.columns = columns;
        deaf = true;
        stream.emit('resize');
        deaf = false;
      }
      const onError = (error: unknown) => {
        failed = { error };
        deaf = true;
      };
      const whole = createElement(Catch, { onError }, createElement(Lines.Provider, { value: lines }, element));
      if (instance) instance.rerender(whole);
      else {
        instance = render(whole, {
          stdout: output as NodeJS.WriteStream,
          stdin: quiet as NodeJS.ReadStream,
          debug: true,
          exitOnCtrlC: false,
          patchConsole: false,
        });
      }
      if (failed) throw failed.error;
      // If no row moved, Ink may draw nothing although lines have changed.
      if (!told && drawn) tell();
    },
    resize(w, h) {
      width = w;
      stream.rows = h;
      // The next frame sets the columns.
      stream.columns = 0;
    },
    close() {
      // If CI is set, Ink writes once more when it ends.
      deaf = true;
      instance?.unmount();
    },
  };
}
