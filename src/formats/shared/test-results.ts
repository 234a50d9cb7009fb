// Results of tests as XML: JUnit's elements, as ctest --output-junit, GoogleTest, pytest, Node and many others write them, and CTest's Test.xml.
//   <testcase name="adds" classname="Math" time="0.01" status="run"><failure message="1 == 2"/></testcase>
//   <Test Status="passed"><Name>adds</Name><Results><NamedMeasurement name="Execution Time"><Value>0.01</Value>…
// Writers differ: CTest repeats the name as the class, Node has one class for all; CTest says `disabled` as a status, GoogleTest `notrun`.
import { KeptOutput, type TestResult } from '../../model/steps/tests.ts';
import type { XmlHandler } from './xml.ts';

/** Longer times are invalid: a year. */
const LONGEST_MS = 366 * 86_400_000;

/** Seconds as milliseconds; NaN for an invalid time. */
export function msOf(seconds: string): number {
  // Some writers use commas as thousands separators.
  const ms = seconds === '' ? Number.NaN : Number(seconds.replaceAll(',', '')) * 1000;
  return ms >= 0 && ms < LONGEST_MS ? ms : Number.NaN;
}

/** Longest reason that is kept. The limit for an element's text is below. */
const REASON = 200;
/** Key of CTest's unnamed measurement: the output. */
const OUTPUT = '';
/** Where the text of a failure is, the best first. */
const OUTPUTS = [OUTPUT, 'system-out', 'system-err', 'message'];
const TEXT = 1 << 16;

const firstLine = (text: string): string => text.trimStart().split('\n', 1)[0].trimEnd().slice(0, REASON);

/** Elements whose text is collected. */
const TEXTS: ReadonlySet<string> = new Set([
  'Name',
  'FullCommandLine',
  'Label',
  'Value',
  'failure',
  'error',
  'skipped',
  'system-out',
  'system-err',
]);
const NOT_RUN: ReadonlySet<string> = new Set(['notrun', 'disabled', 'skipped', 'suppressed']);

/** A result that is being read. `texts`: by element name; for measurements, by their names. */
interface OpenTestResult {
  readonly texts: Map<string, string>;
  readonly labels: string[];
  readonly status: string;
  /** The test's class. It becomes part of the name, unless all tests have the same class. */
  readonly className: string;
  outcome: TestResult['status'] | undefined;
  reason: string;
}

const newTestResult = (status: string, className = ''): OpenTestResult => {
  return { texts: new Map(), labels: [], status, className, outcome: undefined, reason: '' };
};

export class TestReader implements XmlHandler {
  private readonly done: (TestResult & { readonly className: string })[] = [];
  private test: OpenTestResult | undefined;
  private measurement = '';
  private collected: string | undefined;
  private readonly outputs = new KeptOutput();

  get wantsText(): boolean {
    return this.collected !== undefined && this.collected.length < TEXT;
  }

  onOpen(name: string, attribute: (name: string) => string | undefined): void {
    const value = (key: string) => attribute(key) ?? '';
    if (name === 'testcase') {
      // gtest's `result` says more than its `status`.
      const result = value('result');
      this.test = newTestResult(NOT_RUN.has(result) ? result : value('status'), value('classname'));
      this.test.texts.set('Name', value('name')).set('Execution Time', value('time'));
    } else if (name === 'Test' && attribute('Status') !== undefined) this.test = newTestResult(value('Status'));
    const { test } = this;
    if (!test) return;
    if (name === 'NamedMeasurement') this.measurement = value('name');
    // The next Value element holds the output; long ones are compressed.
    if (name === 'Measurement') this.measurement = OUTPUT;
    if (name === 'Value' && attribute('encoding') !== undefined) return;
    if (name === 'failure' || name === 'error') test.outcome = 'failed';
    if (name === 'skipped') test.outcome ??= 'not run';
    if (TEXTS.has(name)) this.collected = '';
    if (test.reason === '' && (name === 'failure' || name === 'error' || name === 'skipped')) {
      test.texts.set('message', value('message'));
      test.reason = firstLine(value('message'));
    }
  }

  onText(piece: string): void {
    if (this.collected !== undefined) this.collected += piece;
  }

  onClose(name: string): void {
    const { test, collected } = this;
    if (!test) return;
    if (collected !== undefined && TEXTS.has(name)) {
      if (name === 'Label') test.labels.push(collected);
      else if (name === 'Value') test.texts.set(this.measurement, collected);
      else if (name === 'failure' || name === 'error') {
        test.reason ||= firstLine(collected);
        const before = test.texts.get(OUTPUT) ?? '';
        if (before.length < TEXT) test.texts.set(OUTPUT, before === '' ? collected : `${before}\n${collected}`);
      } else if (name !== 'skipped') test.texts.set(name, collected);
      this.collected = undefined;
    }
    if (name !== 'testcase' && name !== 'Test') return;
    const result = name === 'Test' ? ctestResult(test) : junitResult(test);
    this.done.push({ ...result, output: result.status === 'failed' ? this.outputs.keep(result.output) : '' });
    this.test = undefined;
  }

  /** A result has begun and not ended. */
  get isOpen(): boolean {
    return this.test !== undefined;
  }

  get count(): number {
    return this.done.length;
  }

  /** The tests in the order of the file. */
  results(): TestResult[] {
    const hasClasses = new Set(this.done.map(({ className }) => className)).size > 1;
    return this.done.map(({ className, name, ...rest }) => {
      const isPart = hasClasses && className !== '' && className !== name;
      return { name: isPart ? `${className}.${name}` : name, ...rest };
    });
  }
}

function ctestResult({ texts, labels, status }: OpenTestResult): TestResult & { readonly className: string } {
  const text = (name: string) => texts.get(name) ?? '';
  const reason = [text('Exit Code'), text('Completion Status')].filter((x) => x !== '' && x !== 'Completed' && x !== 'Failed');
  return {
    ...{ name: text('Name'), className: '', ms: msOf(text('Execution Time')), reason: reason.join(', '), labels },
    status: status === 'passed' ? 'passed' : status === 'failed' ? 'failed' : 'not run',
    ...{ output: text(OUTPUT), command: text('FullCommandLine') || text('Command Line') },
  };
}

function junitResult({ texts, status, outcome, reason, className }: OpenTestResult): TestResult & { readonly className: string } {
  const own = outcome ?? (NOT_RUN.has(status) ? 'not run' : status === 'fail' ? 'failed' : 'passed');
  // The status `notrun` gives no reason.
  const usual = NOT_RUN.has(status) && status !== 'notrun' ? status : '';
  const ms = msOf(texts.get('Execution Time') ?? '');
  return {
    ...{ name: texts.get('Name') ?? '', className, status: own, ms, command: '', labels: [] },
    output: OUTPUTS.map((key) => texts.get(key) ?? '').find((text) => text.trim() !== '') ?? '',
    reason: own === 'passed' ? '' : reason || usual,
  };
}
