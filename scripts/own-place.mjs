// A plugin of esbuild: modules in a bundle, which lies elsewhere, say of their own place what the sources would.
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

export const ownPlace = {
  name: 'own-place',
  setup(to) {
    to.onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
      if (/[\\/]node_modules[\\/]/.test(path)) return undefined;
      const contents = readFileSync(path, 'utf8')
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)));
      return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' };
    });
  },
};
