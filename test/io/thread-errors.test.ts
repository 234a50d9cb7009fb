// Errors that come from other threads, and what is said of those about memory.
import assert from 'node:assert/strict';
import test from 'node:test';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { FormatError, memoryProblem } from '../../src/base/problem.ts';
import { packError, unpackError } from '../../src/io/thread-errors.ts';
import { long } from '../support/long.ts';

/** The error as it arrives on another thread. */
function sent(error: unknown): Error {
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(packError(error));
  const arrived: { message: ReturnType<typeof packError> } | undefined = receiveMessageOnPort(port2);
  port1.close();
  return unpackError(arrived!.message);
}

test('a FormatError arrives with its problem, another error with its name and stack', () => {
  const problem = { path: 'f', line: 3, expected: 'a', found: 'b', hint: 'c' };
  const format = sent(new FormatError(problem));
  assert.ok(format instanceof FormatError);
  assert.deepEqual(format.problem, problem);
  const bug = new TypeError('x is undefined');
  const { name, message, stack } = sent(bug);
  assert.deepEqual([name, message, stack], ['TypeError', 'x is undefined', bug.stack]);
  assert.equal(sent('text').message, 'text');
});

long('what V8 says of memory is known for what it is', () => {
  const caught = (f: () => unknown): unknown => {
    try {
      return f();
    } catch (error) {
      return error;
    }
  };
  const errors = [
    caught(() => 'x'.repeat(2 ** 30)),
    caught(() => new ArrayBuffer(2 ** 53 - 1)),
    caught(() => new Float64Array(2 ** 52)),
    caught(() => Buffer.alloc(2 ** 30, 'x').toString()),
    Object.assign(new Error('Worker terminated due to reaching memory limit: JS heap out of memory'), {
      code: 'ERR_WORKER_OUT_OF_MEMORY',
    }),
    Object.assign(new Error('read ENOMEM'), { code: 'ENOMEM' }),
  ];
  for (const error of errors) assert.equal(memoryProblem(error, 'f')?.path, 'f', String(error));
  assert.match(memoryProblem(errors[4], 'f')?.hint ?? '', /max-old-space-size/);
  for (const error of [new Error('no memory'), new RangeError('Maximum call stack size exceeded'), 'text', undefined])
    assert.equal(memoryProblem(error, 'f'), undefined);
});
