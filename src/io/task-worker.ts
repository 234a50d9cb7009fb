// A thread that runs a loader's task, as often as requested.
import { parentPort, workerData } from 'node:worker_threads';
import { loaders } from '../formats/index.ts';
import type { LoaderTask } from '../formats/loader.ts';
import { packError } from './thread-errors.ts';
import type { TaskReply } from './threads.ts';

const loaderTask = loaders.find((l) => l.name === workerData)!.task as LoaderTask<unknown, unknown>;

parentPort!.on('message', (input: unknown) => {
  try {
    const { result, transfer } = loaderTask(input);
    parentPort!.postMessage({ result } satisfies TaskReply, [...transfer]);
  } catch (error) {
    parentPort!.postMessage({ error: packError(error) } satisfies TaskReply);
  }
});
