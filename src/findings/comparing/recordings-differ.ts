// Two runs recorded with other settings that their costs depend on, such as simulated caches of another size.
import { makeComparingRule, profileSubject } from '../rule.ts';
import { cutName, firstNames, say } from '../say.ts';

export const recordingsDifferRule = makeComparingRule({
  id: 'recordings-differ',
  question: 'Were both runs recorded with the same settings?',
  evidence: 'settings that both files state and that costs depend on: simulated caches, periods of samples',
  threshold: 'any difference',
  requires: [],
  find({ profile }) {
    const { now, before } = profile.compared ?? {};
    const others = [...(now?.settings ?? [])].filter(([name, value]) => (before?.settings?.get(name) ?? value) !== value);
    if (others.length === 0) return [];
    const nameSetting = ([name, value]: (typeof others)[number]) =>
      say`${cutName(name)} ${cutName(value)}, in the base ${cutName(before?.settings?.get(name) ?? '')}`;
    return {
      ...say`The runs were recorded with different settings: ${firstNames(others, nameSetting, '')}`,
      why: 'what both files state; costs that depend on these settings differ for that reason, too',
      try: 'record both runs with the same settings',
      ...profileSubject('settings'),
    };
  },
});
