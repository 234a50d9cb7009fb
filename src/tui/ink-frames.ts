// Ink, drawing whole frames into memory. Its debug mode writes each frame as it is, without cursor control and without
// looking at CI; the terminal's part is ours (frame-writer.ts).
import { EventEmitter } from 'node:events';
import { type Instance, render } from 'ink';
import { createElement, type ReactElement } from 'react';
import { Lines, withLines } from './Row.tsx';

class FrameStream extends EventEmitter {
  columns: number;
  rows: number;
  isTTY = false;
  private readonly onFrame: (lines: string[]) => void;
  constructor(columns: number, rows: number, onFrame: (lines: string[]) => void) {
    super();
    this.columns = columns;
    this.rows = rows;
    this.onFrame = onFrame;
  }
  write(frame: string): boolean {
    this.onFrame(frame.split('\n'));
    return true;
  }
}

export interface Frames {
  /** `ready`: all it draws are ready lines (Row.tsx); then Ink need not lay out the width of the screen. */
  draw(element: ReactElement, ready?: boolean): void;
  resize(width: number, height: number): void;
  close(): void;
}

/** Columns that hold what stands for a line. */
const READY = 8;

/** Every draw() gives its frame to `onFrame` before it returns. */
export function openFrames(width: number, height: number, onFrame: (lines: string[]) => void): Frames {
  const lines: string[] = [];
  let drawn: string[] | undefined;
  let told = false;
  let deaf = false;
  const tell = () => {
    told = true;
    onFrame(withLines(drawn!, lines));
  };
  const stream = new FrameStream(width, height, (frame) => {
    drawn = frame;
    // What Ink draws of the old screen at the new width, or when it ends, is for nobody.
    if (!deaf) tell();
  });
  const quiet = new EventEmitter() as unknown as NodeJS.ReadStream;
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
      const whole = createElement(Lines.Provider, { value: lines }, element);
      if (instance) instance.rerender(whole);
      else {
        instance = render(whole, {
          stdout: stream as unknown as NodeJS.WriteStream,
          stdin: quiet,
          debug: true,
          exitOnCtrlC: false,
          patchConsole: false,
        });
      }
      // Where nothing moved Ink may have nothing to draw, but lines have changed.
      if (!told && drawn) tell();
    },
    resize(w, h) {
      width = w;
      stream.rows = h;
      // The columns follow with the next frame.
      stream.columns = 0;
    },
    close() {
      // Where CI is set Ink writes once more when it ends.
      deaf = true;
      instance?.unmount();
    },
  };
}
