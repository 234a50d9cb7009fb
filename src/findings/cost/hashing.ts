// Hashing.
import { codeRule } from './code-rule.ts';

export const hashing = codeRule('hashing');
