// The answer to --version: what a report of a fault needs to name.

/** The commit that was built, put in by scripts/build.mjs; '' outside of a git checkout. */
declare const PROFTUI_COMMIT: string;

/** `proftui 0.2.0 (commit abcdef0, node v20.20.2, linux-x64)`, or the same as JSON. */
export function versionText(version: string, isJson: boolean): string {
  // Tests run the sources, which no build has changed.
  const commit = typeof PROFTUI_COMMIT === 'string' ? PROFTUI_COMMIT : '';
  const platform = `${process.platform}-${process.arch}`;
  if (isJson) return JSON.stringify({ proftui: version, commit: commit || null, node: process.version, platform });
  return `proftui ${version} (${commit && `commit ${commit}, `}node ${process.version}, ${platform})`;
}
