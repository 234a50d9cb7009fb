// Waterfall as a report: the waits that it prints are those of the critical path, and only that path has its mark.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { groupByKey } from '../../src/base/lists.ts';
import { loadProfile } from '../../src/io/load.ts';
import { reports } from '../../src/reports/index.ts';
import { unpack } from '../support/bundle.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { contextOf } from '../support/reports.ts';

for (const name of ['tidepool-ninja-accumulated', 'mbedtls-ninja', 're2-make'])
  test(`${name}: a step of the critical path that needed another waited as long in Waterfall`, async () => {
    const profile = await loadProfile([join(unpack(join(FIXTURES, `cmake/${name}.json`)), 'build')]);
    const rows = (report: string) => [
      ...(reports
        .find((r) => r.name === report)
        ?.records({ ...contextOf(profile, new Set()), limit: Number.POSITIVE_INFINITY }) ?? []),
    ];
    const place = (row: { readonly [key: string]: unknown }) => `${row['startMs']} ${row['durationMs']}`;
    const waterfall = rows('waterfall');
    const waits = groupByKey(
      waterfall.filter((row) => row['waitedMs'] !== null),
      place,
    );
    const needed = rows('criticalpath').filter((row) => String(row['why']).startsWith('needs'));
    // Of the commands of one rule, only the first is known to have waited.
    const known = needed.filter((row) => waits.has(place(row)));
    assert.ok(needed.length > 0 && known.length >= 0.8 * needed.length, `${known.length} of ${needed.length}`);
    for (const row of known)
      assert.ok(
        waits.get(place(row))?.some((w) => w['waitedMs'] === row['waitMs']),
        place(row),
      );
    const texts: string[] = [];
    await reports
      .find((r) => r.name === 'waterfall')
      ?.write('text', contextOf(profile, new Set()), '0', async (text) => {
        texts.push(text);
      });
    assert.match(texts.join(''), /◆[▏▎▍▌▋▊▉█]/, 'the mark of critical steps');
    assert.match(texts.join(''), / [▏▎▍▌▋▊▉█]/, 'not every step is on the critical path');
  });
