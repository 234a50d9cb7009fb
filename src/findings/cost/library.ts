// The C++ standard library.
import { codeRule } from './code-rule.ts';

export const library = codeRule('library');
