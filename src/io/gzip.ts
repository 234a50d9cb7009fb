// Compressed files, known by their first bytes and never by their names.

export const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b;
