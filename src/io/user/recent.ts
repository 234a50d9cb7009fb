// Recently opened profiles that still exist, for the chooser.
import { type Found, foundAt } from '../find.ts';
import { recentFiles } from './last-session.ts';

export const recentProfiles = (): Found[] => recentFiles().flatMap((path) => foundAt(path) ?? []);
