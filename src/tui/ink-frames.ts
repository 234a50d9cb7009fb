// Ink, drawing whole frames into memory. Its debug mode writes each frame as it is, without cursor control and without
// looking at CI; the terminal's part is ours (frame-writer.ts).
import { EventEmitter } from 'node:events';
import { type Instance, render } from 'ink';
import type { ReactElement } from 'react';

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
  const stream = new FrameStream(width, height, onFrame);
  const quiet = new EventEmitter() as unknown as NodeJS.ReadStream;
  let instance: Instance | undefined;
  return {
    draw(element) {
      if (instance) instance.rerender(element);
      else {
        instance = render(element, {
          stdout: stream as unknown as NodeJS.WriteStream,
          stdin: quiet,
          debug: true,
          exitOnCtrlC: false,
          patchConsole: false,
        });
      }
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
