// Findings and exceeded limits as annotations at file and line (--annotate): GitHub's workflow commands, GitLab's code quality, SARIF 2.1.0.
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions, https://docs.gitlab.com/ci/testing/code_quality,
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
import { joinSafe, type SafeText, safeJson, safeLines, safeText, visible } from '../base/safe-text.ts';
import { rules } from '../findings/index.ts';
import { phraseText } from '../findings/say.ts';
import { hashBytes } from '../model/strings.ts';
import { findingRows } from './findings.ts';
import type { ReportContext } from './report.ts';

export const ANNOTATION_FORMS = ['github', 'gitlab', 'sarif'] as const;

interface Annotation {
  readonly rule: string;
  readonly level: 'error' | 'warning' | 'notice';
  readonly text: string;
  /** Relative to the repository; undefined if the file is unknown. Lines count from 1. */
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

const LIMIT_RULE = 'limit-exceeded';

/** `pathOf`: the path of a file of the profile in the repository. */
function annotationsOf(context: ReportContext, pathOf: (file: string) => string): Annotation[] {
  const limits = (context.limits ?? []).filter(({ exceeded }) => exceeded);
  return [
    ...limits.map(({ expr, base, now, where }): Annotation => {
      const values = base === null ? `${now ?? '?'}` : `${base} before, ${now ?? '?'} now`;
      const text = `the limit ${expr} is exceeded${where === undefined ? '' : ` by ${where}`}: ${values}`;
      return { rule: LIMIT_RULE, level: 'error', text };
    }),
    ...findingRows(context).map((f): Annotation => {
      const { file, line } = f.target;
      const place = file === undefined ? {} : { file: pathOf(file), line: Math.max(1, line ?? 1) };
      const text = `${phraseText(f)}${f.try === undefined ? '' : `. Try: ${f.try}`}`;
      return { rule: f.rule, level: f.isNote ? 'notice' : 'warning', text, ...place };
    }),
  ];
}

/** The data of a workflow command, in which `%` and line ends have codes; in properties, so have `:` and `,`. */
const commandText = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const propertyText = (text: string) => commandText(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

function githubLine({ rule, level, text, file, line }: Annotation): SafeText {
  const place = file === undefined ? {} : { file, line: String(line) };
  const properties = Object.entries({ ...place, title: `proftui: ${rule}` }).map(
    ([name, value]) => `${name}=${propertyText(visible(value))}`,
  );
  return safeLines(`::${level} ${properties.join(',')}::${commandText(visible(text))}\n`);
}

const GITLAB_SEVERITIES = { error: 'major', warning: 'minor', notice: 'info' } as const;

/** GitLab needs a place: without a known file it is the profile. The fingerprint stays the same while rule, words and file do. */
function gitlabIssue({ rule, level, text, file, line }: Annotation, profile: string) {
  const bytes = new TextEncoder().encode([rule, text.replace(/\d[\d.,]*/g, ''), file].join('\n'));
  const fingerprint = [bytes, bytes.toReversed()].map((of) => (hashBytes(of, 0, of.length) >>> 0).toString(16).padStart(8, '0'));
  return {
    ...{ description: text, check_name: rule, fingerprint: fingerprint.join(''), severity: GITLAB_SEVERITIES[level] },
    location: { path: file ?? profile, lines: { begin: line ?? 1 } },
  };
}

function sarifLog(annotations: readonly Annotation[], version: string) {
  const questions = new Map(rules.map(({ id, question }) => [id, question]));
  const ids = [...new Set(annotations.map(({ rule }) => rule))];
  const driver = {
    ...{ name: 'proftui', version, informationUri: 'https://github.com/proftui/proftui' },
    rules: ids.map((id) => ({ id, shortDescription: { text: questions.get(id) ?? 'a limit of --fail-if' } })),
  };
  const placeOf = (file: string, startLine: number | undefined) => ({
    locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(file) }, region: { startLine } } }],
  });
  const results = annotations.map(({ rule, level, text, file, line }) => ({
    ...{ ruleId: rule, ruleIndex: ids.indexOf(rule), level: level === 'notice' ? 'note' : level, message: { text } },
    ...(file === undefined ? {} : placeOf(file, line)),
  }));
  return { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [{ tool: { driver }, results }] };
}

/** A path as a relative reference, or as a file URI if it is absolute. */
function uriOf(path: string): string {
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  return path.startsWith('/') ? `file://${encoded}` : encoded;
}

export function annotationText(
  form: (typeof ANNOTATION_FORMS)[number],
  context: ReportContext,
  version: string,
  pathOf: (file: string) => string,
): SafeText {
  const all = annotationsOf(context, pathOf);
  if (form === 'github') return joinSafe(all.map(githubLine), '');
  const [profile = ''] = context.analysis.profile.paths;
  const json = form === 'gitlab' ? all.map((one) => gitlabIssue(one, profile)) : sarifLog(all, version);
  return joinSafe([safeJson(json), safeText``], '\n');
}
