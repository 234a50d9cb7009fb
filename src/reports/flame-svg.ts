// Writes a flame graph as one SVG file. Tooltips work without the script; the script adds zooming and search.
import { percentageBase } from '../analysis/answers/analysis.ts';
import type { FlameBox, FlameLayout } from '../analysis/answers/flame/layout.ts';
import { nodeSelf } from '../analysis/answers/tree.ts';
import { routineDetail, routineName } from '../analysis/names/names.ts';
import { transformTexts } from '../analysis/profiles/transforms/applied.ts';
import { xmlText } from '../base/safe-text.ts';
import type { Fill } from '../base/style.ts';
import { fit } from '../base/text.ts';
import { formatCount, formatPercent } from '../base/units.ts';
import { costText } from '../columns/costs.ts';
import { changeFillOf, changePercent, frameNameInWidth, inclusiveChangeOf, selfCostFill, widthEvent } from '../pictures/flame.ts';
import { type ReportContext, routineFilterOf } from './report.ts';

/** In pixels: height of a row, margin above the boxes, width of a character, and minimum width of a box with a name. */
const ROW_HEIGHT = 17;
const TOP_MARGIN = 44;
const CHARACTER_WIDTH = 6.7;
const MIN_NAME_WIDTH = 24;
/** Maximum number of characters in a line of a tooltip: a name may have a million. */
const MAX_TOOLTIP_LENGTH = 2000;

const FILL_COLOURS: Partial<Record<Fill, string>> = {
  ...{ heat1: '#f4e6bd', heat2: '#f8d58a', heat3: '#f7bd7c', heat4: '#f49b68', heat5: '#f0806a' },
  ...{ less1: '#cfe2f3', less2: '#a9cdec', less3: '#7fb2e0', same: '#e9e6dd' },
  ...{ more1: '#fadcc0', more2: '#f7bd7c', more3: '#f0806a' },
};
const SUM_COLOUR = '#d9d9d9';
const FAINT_COLOUR = '#ececec';

function boxFill(c: ReportContext, layout: FlameLayout, box: FlameBox): string {
  if (box.sum) return SUM_COLOUR;
  const node = layout.tree.nodes[box.node];
  if (!routineFilterOf(c)(node.routine)) return FAINT_COLOUR;
  return FILL_COLOURS[c.analysis.before ? changeFillOf(c, node) : selfCostFill(c, node)] ?? SUM_COLOUR;
}

function tooltipLines(context: ReportContext, layout: FlameLayout, box: FlameBox): string[] {
  const { analysis } = context;
  const event = widthEvent(context);
  const whole = percentageBase(analysis, event);
  const cost = `${costText(context, box.value, false, event)} ${event.name}, ${formatPercent(box.value, whole)}`;
  if (box.node < 0) return [`${formatCount(box.nodes)} narrower frames`, cost];
  const node = layout.tree.nodes[box.node];
  const name = routineName(analysis.profile, node.routine);
  const location = routineDetail(analysis.profile, node.routine).slice(name.length).trim();
  const change = analysis.before ? `, ${changePercent(context, inclusiveChangeOf(context, node))} since` : '';
  const self = `self ${node.selfEstimated ? '≈' : ''}${formatPercent(nodeSelf(event, node), whole)}`;
  return [name, `${node.estimated ? '≈' : ''}${cost}, ${self}${change}`, location]
    .filter((line) => line !== '')
    .map((line) => line.slice(0, MAX_TOOLTIP_LENGTH));
}

function boxElement(context: ReportContext, layout: FlameLayout, box: FlameBox): string {
  const width = box.to - box.from;
  const y = TOP_MARGIN + box.row * ROW_HEIGHT;
  const at = `x="${box.from.toFixed(2)}" y="${y}" width="${width.toFixed(2)}" height="${ROW_HEIGHT - 1}"`;
  const rect = `<rect ${at} fill="${boxFill(context, layout, box)}"/>`;
  const title = tooltipLines(context, layout, box).map(xmlText).join('&#10;');
  const text =
    width < MIN_NAME_WIDTH
      ? ''
      : `<text x="${(box.from + 3).toFixed(2)}" y="${y + 12}">${xmlText(boxText(context, layout, box))}</text>`;
  return `<g${box.node < 0 ? '' : ' class="f"'}><title>${title}</title>${rect}${text}</g>`;
}

function boxText(context: ReportContext, layout: FlameLayout, box: FlameBox): string {
  const maxCharacters = Math.floor((box.to - box.from - 6) / CHARACTER_WIDTH);
  if (box.sum) return fit(`${formatCount(box.nodes)} others`, maxCharacters).trimEnd();
  return frameNameInWidth(
    context,
    layout.tree.nodes[box.node],
    { colour: context.analysis.before ? 'difference' : 'self' },
    maxCharacters,
  );
}

/** The script contains no text from the profile. It reads the titles, and writes only text content and numbers. */
const SVG_SCRIPT = `
(function () {
  var svg = document.documentElement, W = Number(svg.getAttribute('data-width')), C = ${CHARACTER_WIDTH};
  var frames = Array.prototype.map.call(svg.querySelectorAll('g'), function (g) {
    var r = g.querySelector('rect'), t = g.querySelector('text');
    return { g, r, t, x: Number(r.getAttribute('x')), w: Number(r.getAttribute('width')), y: Number(r.getAttribute('y')),
      name: g.querySelector('title').textContent.split('\\n')[0], own: t && t.textContent, frame: g.getAttribute('class') === 'f' };
  });
  var info = document.getElementById('info'), said = info.textContent;
  function zoom(to) {
    var scale = to ? W / to.w : 1, from = to ? to.x : 0;
    frames.forEach(function (f) {
      var above = to && f.y < to.y && f.x <= to.x + 0.02 && f.x + f.w >= to.x + to.w - 0.02;
      var inside = !to || (f.y >= to.y && f.x >= to.x - 0.02 && f.x + f.w <= to.x + to.w + 0.02);
      f.g.style.display = above || inside ? '' : 'none';
      f.g.style.opacity = above ? '0.5' : '';
      if (!above && !inside) return;
      var x = above ? 0 : (f.x - from) * scale, w = above ? W : f.w * scale;
      f.r.setAttribute('x', x); f.r.setAttribute('width', w);
      if (!f.t && w >= ${MIN_NAME_WIDTH} && f.frame) {
        f.t = document.createElementNS(svg.namespaceURI, 'text'); f.t.setAttribute('y', f.y + 12); f.g.appendChild(f.t);
      }
      if (!f.t) return;
      var room = Math.floor((w - 6) / C);
      f.t.setAttribute('x', x + 3);
      f.t.textContent = !to && f.own ? f.own : w < ${MIN_NAME_WIDTH} ? '' : f.name.length > room ? f.name.slice(0, room - 1) + '\\u2026' : f.name;
    });
    document.getElementById('reset').style.display = to ? '' : 'none';
  }
  // The share of the matching frames; a match inside another match counts once.
  function share(hits) {
    var end = 0, sum = 0;
    hits.sort(function (a, b) { return a.x - b.x || b.w - a.w; }).forEach(function (f) {
      if (f.x + f.w <= end + 0.02) return;
      sum += f.x + f.w - Math.max(end, f.x); end = f.x + f.w;
    });
    return sum / W * Number(svg.getAttribute('data-share'));
  }
  function mark(hits) {
    frames.forEach(function (f) { f.r.style.fill = hits.indexOf(f) < 0 ? '' : '#e600e6'; });
    button.textContent = hits.length > 0 ? 'reset' : 'search';
  }
  var button = document.getElementById('search'), marked = false;
  function search() {
    var text = marked ? '' : window.prompt('Search for an expression, such as ^std::'), wanted;
    marked = false; info.textContent = said; mark([]);
    if (!text) return;
    try { wanted = new RegExp(text, 'i'); } catch (e) { info.textContent = 'not a regular expression'; return; }
    var hits = frames.filter(function (f) { return f.frame && wanted.test(f.name); });
    marked = hits.length > 0; mark(hits);
    var least = frames.some(function (f) { return !f.frame; }) ? 'at least ' : '';
    info.textContent = hits.length + (hits.length === 1 ? ' frame matches, ' : ' frames match, ') + least + share(hits).toFixed(2) + '% of the total';
  }
  frames.forEach(function (f) { if (f.frame) f.g.addEventListener('click', function () { zoom(f); }); });
  document.getElementById('reset').addEventListener('click', function () { zoom(); });
  button.addEventListener('click', search);
  button.style.display = '';
  window.addEventListener('keydown', function (e) {
    if (e.key === 'F3' || ((e.ctrlKey || e.metaKey) && e.key === 'f')) { e.preventDefault(); search(); }
  });
})();
`;

/** The SVG text, as many pixels wide as the layout, with at most `depth` rows of boxes. `notes`: what the picture leaves out. */
export function flameSvg(context: ReportContext, layout: FlameLayout, depth: number, notes: readonly string[]): string {
  const { width } = layout.paper;
  const rows = layout.rows.slice(0, depth);
  const height = TOP_MARGIN + rows.length * ROW_HEIGHT + 8;
  const { profile } = context.analysis;
  const applied = transformTexts(profile).join(', then ');
  const of = context.routine === undefined ? '' : `, from ${routineName(profile, context.routine)} on`;
  const how = `${of}${context.inverted ? ', inverted' : ''}${applied === '' ? '' : `, ${applied}`}`;
  const heading = `${context.event.name}${how}: ${profile.paths.join(' ')}`.slice(0, MAX_TOOLTIP_LENGTH);
  const share = ((100 * layout.whole) / (Math.abs(percentageBase(context.analysis, widthEvent(context))) || 1)).toFixed(4);
  const button = (id: string, x: number, text: string) =>
    `<text id="${id}" class="b" x="${x}" y="34" style="display:none">${text}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" data-width="${width}" data-share="${share}" font-family="monospace" font-size="11">`,
    '<style>rect{stroke:#fff;stroke-width:.5}text{pointer-events:none}.f{cursor:pointer}.b{pointer-events:auto;cursor:pointer;fill:#06c}</style>',
    `<rect width="100%" height="100%" fill="#fff"/>`,
    `<text x="3" y="16" font-size="14">${xmlText(heading)}</text>`,
    `<text id="info" x="3" y="34" fill="#555">${xmlText(notes.join('; '))}</text>`,
    button('reset', width - 140, 'whole width'),
    button('search', width - 50, 'search'),
    ...rows.flatMap((boxes) => boxes.map((box) => boxElement(context, layout, box))),
    `<script><![CDATA[${SVG_SCRIPT}]]></script>`,
    '</svg>\n',
  ].join('\n');
}
