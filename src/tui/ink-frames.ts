// Makes Ink draw whole frames into memory. Its debug mode writes each frame without cursor control and without checking for CI;
// frame-writer.ts writes to the terminal.
import { EventEmitter } from 'node:events';
import { type Instance, render } from 'ink';
import { Component, createElement, type ReactElement, type ReactNode } from 'react';
import { LinesContext, replacePlaceholders } from './Row.tsx';

class FrameStream extends EventEmitter {
  isTTY = false;
  constructor(
    public columns: number,
    public rows: number,
    private readonly onFrame: (lines: string[]) => void,
  ) {
    super();
  }
  write(frame: string): boolean {
    this.onFrame(frame.split('\n'));
    return true;
  }
}

/** Catches errors while drawing. Ink itself would print the stack and continue with a blank screen. */
class ErrorBoundary extends Component<{ readonly onError: (error: unknown) => void; readonly children?: ReactNode }, ErrorState> {
  override state: ErrorState = { caught: undefined };
  static getDerivedStateFromError(error: unknown): ErrorState {
    return { caught: { error } };
  }
  override render(): ReactNode {
    const { caught } = this.state;
    if (!caught) return this.props.children;
    // Reported here, because React draws a frame without the children before it reports the error.
    this.props.onError(caught.error);
    return null;
  }
}

interface ErrorState {
  readonly caught: { readonly error: unknown } | undefined;
}

/** Width of the screen for Ink if it has only placeholders. */
const PLACEHOLDER_COLUMNS = 8;

/** Opens a renderer. Each draw() passes its frame to `onFrame` before it returns. */
export function openFrameRenderer(width: number, height: number, onFrame: (lines: string[]) => void) {
  const lines: string[] = [];
  let lastFrame: string[] | undefined;
  let isDelivered = false;
  let ignoresFrames = false;
  let drawError: ErrorState['caught'];
  const deliverFrame = () => {
    isDelivered = true;
    onFrame(replacePlaceholders(lastFrame!, lines));
  };
  const stream = new FrameStream(width, height, (frame) => {
    lastFrame = frame;
    // Ignore what Ink draws when the width changes, or when Ink ends.
    if (!ignoresFrames) deliverFrame();
  });
  // Ink uses only these few members of its streams.
  const output: EventEmitter = stream;
  const silentInput: EventEmitter = new EventEmitter();
  let instance: Instance | undefined;
  return {
    /** Draws a frame, and throws drawing errors. `ready`: the element has only finished lines, so Ink uses a narrow screen. */
    draw(element: ReactElement, ready = false) {
      isDelivered = false;
      const columns = ready ? PLACEHOLDER_COLUMNS : width;
      if (stream.columns !== columns) {
        stream.columns = columns;
        ignoresFrames = true;
        stream.emit('resize');
        ignoresFrames = false;
      }
      const onError = (error: unknown) => {
        drawError = { error };
        ignoresFrames = true;
      };
      const root = createElement(ErrorBoundary, { onError }, createElement(LinesContext.Provider, { value: lines }, element));
      if (instance) instance.rerender(root);
      else {
        instance = render(root, {
          stdout: output as NodeJS.WriteStream,
          stdin: silentInput as NodeJS.ReadStream,
          debug: true,
          exitOnCtrlC: false,
          patchConsole: false,
        });
      }
      if (drawError) throw drawError.error;
      // With unchanged placeholders Ink draws nothing, but the lines behind the placeholders may have changed.
      if (!isDelivered && lastFrame) deliverFrame();
    },
    resize(w: number, h: number) {
      width = w;
      stream.rows = h;
      // Unknown until the next frame sets the number of columns.
      stream.columns = 0;
    },
    close() {
      // With CI in the environment, Ink writes once more when it ends.
      ignoresFrames = true;
      instance?.unmount();
    },
  };
}
