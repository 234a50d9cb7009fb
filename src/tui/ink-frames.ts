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
  draw(element: ReactElement): void;
  resize(width: number, height: number): void;
  close(): void;
}

/** Every draw() gives its frame to `onFrame` before it returns. */
export function openFrames(width: number, height: number, onFrame: (lines: string[]) => void): Frames {
  const lines: string[] = [];
  let drawn: string[] | undefined;
  let told = false;
  const tell = () => {
    told = true;
    onFrame(withLines(drawn!, lines));
  };
  const stream = new FrameStream(width, height, (frame) => {
    drawn = frame;
    tell();
  });
  const quiet = new EventEmitter() as unknown as NodeJS.ReadStream;
  let instance: Instance | undefined;
  return {
    draw(element) {
      told = false;
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
      stream.columns = w;
      stream.rows = h;
      stream.emit('resize');
    },
    close() {
      instance?.unmount();
    },
  };
}
