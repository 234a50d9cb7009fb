// Writes a Gantt chart as one SVG file without a script, so that a build can be shared. Idle time of a tenth of the record or more is cut out.

import { lanesOf } from '../../analysis/answers/steps/lanes.ts';
import { roleAndName } from '../../analysis/answers/steps/step-names.ts';
import { endUs, stepFailed, stepName, stepText, timeWindowOf, wholeWindowOf } from '../../analysis/answers/steps/steps.ts';
import { basisText, criticalPath } from '../../analysis/builds/critical.ts';
import { type Phase, phasesOf } from '../../analysis/builds/stages.ts';
import { roundTicks } from '../../base/plot.ts';
import { xmlText } from '../../base/safe-text.ts';
import { fit } from '../../base/text.ts';
import { plural } from '../../base/units.ts';
import { timeOrUnknown, timeText } from '../../columns/times.ts';
import type { ReportContext } from '../report.ts';

/** In pixels. */
const [WIDTH, LANE_HEIGHT, TOP, LEFT, CHARACTER_WIDTH, MIN_NAME_WIDTH, IDLE_WIDTH] = [1200, 18, 62, 8, 6.6, 24, 60];
/** Steps narrower than this are joined with their neighbours of one role: nobody could tell them apart. */
const MIN_BAR_WIDTH = 0.5;
const MIN_CUT_IDLE_SHARE = 0.1;

const ROLE_COLOURS: Readonly<Record<string, string>> = {
  ...{ compile: '#a9cdec', link: '#bdbdbd', test: '#f6cfd8', custom: '#b9dfb4', generate: '#b9dfb4' },
  ...{ configure: '#e3d5ef', install: '#f4e6bd' },
};
const [OTHER_COLOUR, FAILED_COLOUR] = ['#dfe5ea', '#d9534f'];
const CRITICAL_EDGE = ' stroke="#e08214" stroke-width="1.5"';
const [MAX_TITLE_LENGTH, LEGEND_WIDTH, MIN_TICK_DISTANCE] = [500, 90, 100];

/** Places of times from left to right, without long idle time: pieces of the axis. */
function timeScale({ analysis }: ReportContext<'steps'>) {
  const [first, last] = timeWindowOf(analysis);
  const idle = phasesOf(analysis).filter(
    ({ name, fromUs, toUs }) => name === 'idle' && toUs - fromUs >= MIN_CUT_IDLE_SHARE * (last - first),
  );
  const cutUs = idle.reduce((sum, { fromUs, toUs }) => sum + toUs - fromUs, 0);
  const perUs = (WIDTH - 2 * LEFT - idle.length * IDLE_WIDTH) / Math.max(1, last - first - cutUs);
  /** The pixels that idle time before a moment is narrower than it would be. */
  const saved = (us: number) =>
    idle.reduce((sum, { fromUs, toUs }) => {
      const share = Math.min(1, Math.max(0, (us - fromUs) / (toUs - fromUs)));
      return sum + share * ((toUs - fromUs) * perUs - IDLE_WIDTH);
    }, 0);
  return { first, last, idle, at: (us: number) => LEFT + (us - first) * perUs - saved(us) };
}

/** A bar per step, with its name where it fits, and facts as tooltip. */
function barElements({ analysis }: ReportContext<'steps'>, { at }: ReturnType<typeof timeScale>): string[] {
  const { profile } = analysis;
  const { steps } = profile;
  const [origin] = wholeWindowOf(analysis);
  const path = criticalPath(analysis);
  return lanesOf(analysis).steps.flatMap((lane, l) => {
    let end = Number.NEGATIVE_INFINITY;
    return Array.from(lane).flatMap((step) => {
      const [from, to] = [at(steps.startUs[step]), at(endUs(steps, step))];
      const [isCritical, failed] = [path.on[step] === 1, stepFailed(steps, step)];
      // A bar that would lie inside the last one's pixel is not drawn.
      if (!isCritical && !failed && to - from < MIN_BAR_WIDTH && from < end) return [];
      const width = Math.max(MIN_BAR_WIDTH, to - from);
      end = from + width;
      const fill = failed ? FAILED_COLOUR : (ROLE_COLOURS[stepText(profile, 'role', step) ?? ''] ?? OTHER_COLOUR);
      const y = TOP + l * LANE_HEIGHT;
      const when = `${timeText(steps.durationUs[step])} from ${timeText(steps.startUs[step] - origin)}${failed ? ', failed' : ''}`;
      const title = `${xmlText(stepName(profile, step).slice(0, MAX_TITLE_LENGTH))}&#10;${when}`;
      const size = `width="${width.toFixed(2)}" height="${LANE_HEIGHT - 3}"`;
      const rect = `<rect x="${from.toFixed(2)}" y="${y}" ${size} fill="${fill}"${isCritical ? CRITICAL_EDGE : ''}/>`;
      const [, name] = roleAndName(profile, step);
      const shown = fit(name, Math.floor((width - 4) / CHARACTER_WIDTH), 'left', 'middle').trimEnd();
      const text = width < MIN_NAME_WIDTH ? '' : `<text x="${(from + 2).toFixed(1)}" y="${y + 12}">${xmlText(shown)}</text>`;
      return `<g><title>${title}</title>${rect}${text}</g>`;
    });
  });
}

/** The roles with a colour, and the edge of critical steps. */
function legendElements({ analysis: { profile } }: ReportContext<'steps'>, isCritical: boolean, y: number): string[] {
  const roles = new Set(Array.from(profile.steps.role, (_, step) => stepText(profile, 'role', step) ?? ''));
  const coloured = [...roles].filter((role) => ROLE_COLOURS[role]).map((role) => [role, `fill="${ROLE_COLOURS[role]}"`]);
  return [...coloured, ...(isCritical ? [['critical', `fill="none"${CRITICAL_EDGE}`]] : [])].map(([name, style], k) => {
    const x = LEFT + k * LEGEND_WIDTH;
    return `<rect x="${x}" y="${y}" width="10" height="10" ${style}/><text x="${x + 14}" y="${y + 9}">${name}</text>`;
  });
}

/** The chart of the steps of a build or trace: a row per lane, below a time axis. */
export function ganttSvg(context: ReportContext<'steps'>): string {
  const { analysis } = context;
  const { profile } = analysis;
  const lanes = lanesOf(analysis);
  const scale = timeScale(context);
  const { first, last, idle, at } = scale;
  const [origin] = wholeWindowOf(analysis);
  const bottom = TOP + lanes.count * LANE_HEIGHT;
  // Each piece of the axis between idle times has marks of its own.
  const starts = [first, ...idle.map(({ toUs }) => toUs)];
  const ticks = starts.flatMap((from, k) => {
    const to = idle[k]?.fromUs ?? last;
    const most = Math.floor((at(to) - at(from)) / MIN_TICK_DISTANCE);
    return most > 0 ? roundTicks([from - origin, to - origin], false, most) : [];
  });
  const count = lanes.steps.reduce((sum, lane) => sum + lane.length, 0);
  const heading = `${profile.command ?? profile.paths.join(' ')}: ${plural(count, 'step')}, ${timeOrUnknown(last - first)}`;
  const tick = (us: number) => {
    const x = at(us + origin).toFixed(1);
    return `<path d="M${x} ${TOP - 8}V${bottom}" stroke="#eee"/><text x="${x}" y="${TOP - 10}" fill="#555">${us === 0 ? '0' : timeText(us)}</text>`;
  };
  const gap = ({ fromUs, toUs }: Phase) => {
    const x = at(fromUs);
    const size = `width="${IDLE_WIDTH}" height="${bottom - TOP + 4}"`;
    const text = `<text x="${(x + 2).toFixed(1)}" y="${TOP + 8}" fill="#555">idle ${timeText(toUs - fromUs)}</text>`;
    return `<rect x="${x.toFixed(1)}" y="${TOP - 4}" ${size} fill="#f2f2f2"/>${text}`;
  };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${bottom + 30}" font-family="monospace" font-size="11">`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    `<text x="${LEFT}" y="18" font-size="14">${xmlText(heading.slice(0, MAX_TITLE_LENGTH))}</text>`,
    `<text x="${LEFT}" y="34" fill="#555">${xmlText(`dependencies from ${basisText(analysis, 'text')}`)}</text>`,
    ...ticks.map(tick),
    ...idle.map(gap),
    ...barElements(context, scale),
    ...legendElements(context, criticalPath(analysis).links.length > 0, bottom + 10),
    '</svg>\n',
  ].join('\n');
}
