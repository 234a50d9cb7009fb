// The JSON schema of the settings file: docs/config.schema.json.
import { SETTINGS, type SettingSpec } from '../src/io/user/settings.ts';

/** The JSON schema of the settings file, for editors. */
export function configSchema(): object {
  const typed = ({ type, values, help }: SettingSpec) => {
    if (type === 'list') return { type: 'array', items: { type: 'string' }, description: help };
    if (type === 'keys') return { type: 'object', additionalProperties: { type: 'string' }, description: help };
    return { type, ...(values ? { enum: values } : {}), description: help };
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Settings of proftui',
    type: 'object',
    properties: { $schema: { type: 'string' }, ...Object.fromEntries(SETTINGS.map((s) => [s.name, typed(s)])) },
    additionalProperties: false,
  };
}
