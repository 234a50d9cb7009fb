var __create = Object.create;
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __getProtoOf = Object.getPrototypeOf;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __esm = (fn, res, err) => function __init() {
  if (err) throw err[0];
  try {
    return fn && (res = (0, fn[__getOwnPropNames(fn)[0]])(fn = 0)), res;
  } catch (e) {
    throw err = [e], e;
  }
};
var __commonJS = (cb, mod) => function __require() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: true });
};
var __copyProps = (to, from, except, desc) => {
  if (from && typeof from === "object" || typeof from === "function") {
    for (let key of __getOwnPropNames(from))
      if (!__hasOwnProp.call(to, key) && key !== except)
        __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
  }
  return to;
};
var __toESM = (mod, isNodeMode, target) => (target = mod != null ? __create(__getProtoOf(mod)) : {}, __copyProps(
  // If the importer is in node compatibility mode or this is not an ESM
  // file that has been converted to a CommonJS file using a Babel-
  // compatible transform (i.e. "__esModule" has not been set), then set
  // "default" to the CommonJS "module.exports" for node compatibility.
  isNodeMode || !mod || !mod.__esModule ? __defProp(target, "default", { value: mod, enumerable: true }) : target,
  mod
));
var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: true }), mod);

// src/base/search.ts
function firstWhere(n, test) {
  let low = 0;
  let high = n;
  while (low < high) {
    const middle = low + high >> 1;
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
var init_search = __esm({
  "src/base/search.ts"() {
    "use strict";
  }
});

// src/base/units.ts
function formatCount(value) {
  if (typeof value === "bigint") return group(value.toString());
  if (!Number.isFinite(value)) return "?";
  if (Number.isInteger(value)) return Math.abs(value) < 1e15 ? group(value.toString()) : group(BigInt(value).toString());
  const text3 = value.toFixed(2);
  const dot = text3.indexOf(".");
  return group(text3.slice(0, dot)) + text3.slice(dot);
}
function group(digits) {
  const sign = digits.startsWith("-") ? "-" : "";
  const body = sign ? digits.slice(1) : digits;
  let out = "";
  for (let i = 0; i < body.length; i++) {
    if (i > 0 && (body.length - i) % 3 === 0) out += ",";
    out += body[i];
  }
  return sign + out;
}
function formatAddress(high, low) {
  return high === 0 ? "0x" + low.toString(16) : "0x" + high.toString(16) + low.toString(16).padStart(8, "0");
}
function plural(n, noun) {
  return `${formatCount(n)} ${n === 1 ? noun : PLURALS[noun] ?? noun + "s"}`;
}
var PLURALS;
var init_units = __esm({
  "src/base/units.ts"() {
    "use strict";
    PLURALS = { process: "processes", is: "are", entry: "entries", address: "addresses" };
  }
});

// src/io/symbols/elf.ts
import { closeSync as closeSync2, fstatSync as fstatSync2, openSync as openSync2, readSync as readSync2 } from "node:fs";
function fileBytes(path) {
  const fd = openSync2(path, "r");
  const { size } = fstatSync2(fd);
  return {
    size,
    read(offset, length) {
      if (!(offset >= 0) || offset >= size) return new Uint8Array(0);
      const out = new Uint8Array(Math.min(length, size - offset));
      let got = 0;
      while (got < out.length) {
        const n = readSync2(fd, out, got, out.length - got, offset + got);
        if (n === 0) break;
        got += n;
      }
      return out.subarray(0, got);
    },
    close: () => closeSync2(fd)
  };
}
function readElf(bytes) {
  const head = bytes.read(0, 64);
  if (head.length < 52 || head[0] !== 127 || head[1] !== 69 || head[2] !== 76 || head[3] !== 70) return "not an ELF file";
  if (head[4] !== 1 && head[4] !== 2) return `an ELF file of class ${head[4]}`;
  if (head[5] !== 1 && head[5] !== 2) return `an ELF file of byte order ${head[5]}`;
  const wide = head[4] === 2;
  if (wide && head.length < 64) return "an ELF file cut off in its header";
  const little = head[5] === 1;
  const f = new Fields(head, wide, little);
  const sections = readSections(bytes, f, wide, little);
  const segments = readSegments(bytes, f, wide, little, sections.info);
  const notes = [
    ...segments.notes,
    ...sections.list.filter((s) => s.type === SHT_NOTE).map((s) => ({ offset: s.offset, length: s.bytes }))
  ];
  const buildId = notes.slice(0, 16).map((n) => findBuildId(bytes, n.offset, n.length, wide, little)).find((id) => id !== null) ?? null;
  const link = sections.list.find((s) => s.name === ".gnu_debuglink");
  return {
    bytes,
    wide,
    little,
    machine: f.u16(18),
    segments: segments.list,
    sections: sections.list,
    buildId,
    debugLink: link ? readDebugLink(bytes, link, little) : null
  };
}
function readSegments(bytes, f, wide, little, manyInfo) {
  const offset = f.word(28, 32);
  const size = f.u16(wide ? 54 : 42);
  let count = f.u16(wide ? 56 : 44);
  if (count === 65535) count = manyInfo;
  const list2 = [];
  const notes = [];
  if (size < (wide ? 56 : 32)) return { list: list2, notes };
  for (let i = 0; i < Math.min(count, MOST_HEADERS); i++) {
    const raw = bytes.read(offset + i * size, wide ? 56 : 32);
    if (raw.length < (wide ? 56 : 32)) break;
    const p2 = new Fields(raw, wide, little);
    const type = p2.u32(0);
    const at = p2.word(4, 8);
    const length = p2.word(16, 32);
    if (type === PT_NOTE) notes.push({ offset: at, length });
    if (type === PT_LOAD && at < bytes.size) {
      const executable = (p2.u32(wide ? 4 : 24) & PF_X) !== 0;
      list2.push({ offset: at, address: p2.word(8, 16), bytes: Math.min(length, bytes.size - at), executable });
    }
  }
  return { list: list2, notes };
}
function readSections(bytes, f, wide, little) {
  const offset = f.word(32, 40);
  const size = f.u16(wide ? 58 : 46);
  let count = f.u16(wide ? 60 : 48);
  let names = f.u16(wide ? 62 : 50);
  const need = wide ? 64 : 40;
  if (offset === 0 || size < need) return { list: [], info: 0 };
  const at = (i) => {
    const raw2 = bytes.read(offset + i * size, need);
    return raw2.length < need ? void 0 : new Fields(raw2, wide, little);
  };
  const zero = at(0);
  if (!zero) return { list: [], info: 0 };
  if (count === 0) count = zero.word(20, 32);
  if (names === 65535) names = zero.u32(wide ? 40 : 24);
  const raw = [];
  for (let i = 0; i < Math.min(count, MOST_HEADERS); i++) {
    const s = at(i);
    if (!s) break;
    const from = s.word(16, 24);
    const type = s.u32(4);
    const length = type === 8 || from >= bytes.size ? 0 : Math.min(s.word(20, 32), bytes.size - from);
    const executable = (s.word(8, 8) & SHF_EXECINSTR) !== 0;
    const section = { type, executable, address: s.word(12, 16), offset: from, bytes: length, link: s.u32(wide ? 40 : 24) };
    raw.push({ name: s.u32(0), section });
  }
  const strings = raw[names]?.section;
  const table = strings ? bytes.read(strings.offset, Math.min(strings.bytes, 1 << 20)) : new Uint8Array(0);
  return { list: raw.map(({ name, section }) => ({ name: textAt(table, name), ...section })), info: zero.u32(wide ? 44 : 28) };
}
function textAt(bytes, at) {
  if (at >= bytes.length) return "";
  const end = bytes.indexOf(0, at);
  return Buffer.from(bytes.subarray(at, Math.min(end < 0 ? bytes.length : end, at + LONGEST_NAME))).toString("utf8");
}
function findBuildId(bytes, offset, length, wide, little) {
  const raw = bytes.read(offset, Math.min(length, MOST_NOTE));
  const f = new Fields(raw, wide, little);
  const round = (n) => n + 3 & ~3;
  for (let at = 0; at + 12 <= raw.length; ) {
    const [name, size, type] = [f.u32(at), f.u32(at + 4), f.u32(at + 8)];
    if (name > raw.length || size > raw.length) return null;
    const data = at + 12 + round(name);
    if (type === NT_GNU_BUILD_ID && textAt(raw.subarray(at + 12, at + 12 + name), 0) === "GNU" && size > 0 && data + size <= raw.length)
      return Buffer.from(raw.subarray(data, data + size)).toString("hex");
    at = data + round(size);
  }
  return null;
}
function readDebugLink(bytes, section, little) {
  const raw = bytes.read(section.offset, Math.min(section.bytes, MOST_NOTE));
  const end = raw.indexOf(0);
  const at = end + 4 & ~3;
  if (end <= 0 || at + 4 > raw.length) return null;
  const name = textAt(raw, 0);
  if (name.includes("/")) return null;
  return { name, crc: new DataView(raw.buffer, raw.byteOffset).getUint32(at, little) };
}
function addressOfOffset(elf, offset) {
  const holds = (s) => offset >= s.offset && offset < s.offset + s.bytes;
  const found = elf.segments.find((s) => s.executable && holds(s)) ?? elf.segments.find(holds);
  return found && offset - found.offset + found.address;
}
var PT_LOAD, PT_NOTE, SHT_NOTE, NT_GNU_BUILD_ID, SHF_EXECINSTR, PF_X, MOST_HEADERS, MOST_NOTE, LONGEST_NAME, Fields;
var init_elf = __esm({
  "src/io/symbols/elf.ts"() {
    "use strict";
    PT_LOAD = 1;
    PT_NOTE = 4;
    SHT_NOTE = 7;
    NT_GNU_BUILD_ID = 3;
    SHF_EXECINSTR = 4;
    PF_X = 1;
    MOST_HEADERS = 1 << 17;
    MOST_NOTE = 1 << 16;
    LONGEST_NAME = 4096;
    Fields = class {
      view;
      wide;
      little;
      constructor(bytes, wide, little) {
        this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        this.wide = wide;
        this.little = little;
      }
      u16(at) {
        return this.view.getUint16(at, this.little);
      }
      u32(at) {
        return this.view.getUint32(at, this.little);
      }
      /** 64 bits as a number; beyond 2^53 rounded, which is outside any file anyway. */
      u64(at) {
        const [a2, b] = [this.u32(at), this.u32(at + 4)];
        return this.little ? b * 2 ** 32 + a2 : a2 * 2 ** 32 + b;
      }
      /** An address or an offset: 32 or 64 bits. */
      word(at32, at64) {
        return this.wide ? this.u64(at64) : this.u32(at32);
      }
    };
  }
});

// src/io/symbols/debug-files.ts
import { readFileSync as readFileSync2 } from "node:fs";
import { dirname, join as join3 } from "node:path";
import { crc32 } from "node:zlib";
function findDebugFile(elf, path, folders) {
  let wrong;
  for (const candidate2 of candidates(elf, path, folders)) {
    const found = open(candidate2);
    if (!found) continue;
    const { buildId } = found;
    if (elf.buildId !== null && buildId !== null && buildId !== elf.buildId) {
      wrong ??= `${candidate2} is from another build than ${path}`;
    } else if (elf.buildId === null && elf.debugLink && checksum(candidate2) !== elf.debugLink.crc) {
      wrong ??= `${candidate2} is not the debug file that ${path} was linked with: the checksum differs`;
    } else return { elf: found, path: candidate2 };
    found.bytes.close();
  }
  return wrong;
}
function open(path) {
  try {
    const bytes = fileBytes(path);
    const elf = readElf(bytes);
    if (typeof elf !== "string") return elf;
    bytes.close();
  } catch {
  }
  return void 0;
}
function candidates(elf, path, folders) {
  const out = [];
  const roots = [...folders, SYSTEM];
  if (elf.buildId !== null && elf.buildId.length > 2) {
    const name = join3(".build-id", elf.buildId.slice(0, 2), `${elf.buildId.slice(2)}.debug`);
    for (const root of roots) out.push(join3(root, name));
  }
  if (elf.debugLink) {
    const { name } = elf.debugLink;
    const folder2 = dirname(path);
    for (const at of [
      join3(folder2, name),
      join3(folder2, ".debug", name),
      ...roots.flatMap((r) => [join3(r, folder2, name), join3(r, name)])
    ])
      if (at !== path) out.push(at);
  }
  return out;
}
function checksum(path) {
  return typeof crc32 === "function" ? crc32(readFileSync2(path)) : void 0;
}
var SYSTEM;
var init_debug_files = __esm({
  "src/io/symbols/debug-files.ts"() {
    "use strict";
    init_elf();
    SYSTEM = "/usr/lib/debug";
  }
});

// node_modules/gecko-profiler-demangle/index_bg.js
function __wbg_set_wasm(val) {
  wasm = val;
}
function getUint8ArrayMemory0() {
  if (cachedUint8ArrayMemory0 === null || cachedUint8ArrayMemory0.byteLength === 0) {
    cachedUint8ArrayMemory0 = new Uint8Array(wasm.memory.buffer);
  }
  return cachedUint8ArrayMemory0;
}
function passStringToWasm0(arg, malloc, realloc) {
  if (realloc === void 0) {
    const buf = cachedTextEncoder.encode(arg);
    const ptr2 = malloc(buf.length, 1) >>> 0;
    getUint8ArrayMemory0().subarray(ptr2, ptr2 + buf.length).set(buf);
    WASM_VECTOR_LEN = buf.length;
    return ptr2;
  }
  let len = arg.length;
  let ptr = malloc(len, 1) >>> 0;
  const mem = getUint8ArrayMemory0();
  let offset = 0;
  for (; offset < len; offset++) {
    const code = arg.charCodeAt(offset);
    if (code > 127) break;
    mem[ptr + offset] = code;
  }
  if (offset !== len) {
    if (offset !== 0) {
      arg = arg.slice(offset);
    }
    ptr = realloc(ptr, len, len = offset + arg.length * 3, 1) >>> 0;
    const view = getUint8ArrayMemory0().subarray(ptr + offset, ptr + len);
    const ret = encodeString(arg, view);
    offset += ret.written;
    ptr = realloc(ptr, len, offset, 1) >>> 0;
  }
  WASM_VECTOR_LEN = offset;
  return ptr;
}
function getStringFromWasm0(ptr, len) {
  ptr = ptr >>> 0;
  return cachedTextDecoder.decode(getUint8ArrayMemory0().subarray(ptr, ptr + len));
}
function demangle_any(name) {
  let deferred2_0;
  let deferred2_1;
  try {
    const ptr0 = passStringToWasm0(name, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
    const len0 = WASM_VECTOR_LEN;
    const ret = wasm.demangle_any(ptr0, len0);
    deferred2_0 = ret[0];
    deferred2_1 = ret[1];
    return getStringFromWasm0(ret[0], ret[1]);
  } finally {
    wasm.__wbindgen_free(deferred2_0, deferred2_1, 1);
  }
}
function __wbindgen_init_externref_table() {
  const table = wasm.__wbindgen_export_0;
  const offset = table.grow(4);
  table.set(0, void 0);
  table.set(offset + 0, void 0);
  table.set(offset + 1, null);
  table.set(offset + 2, true);
  table.set(offset + 3, false);
  ;
}
var wasm, WASM_VECTOR_LEN, cachedUint8ArrayMemory0, lTextEncoder, cachedTextEncoder, encodeString, lTextDecoder, cachedTextDecoder;
var init_index_bg = __esm({
  "node_modules/gecko-profiler-demangle/index_bg.js"() {
    WASM_VECTOR_LEN = 0;
    cachedUint8ArrayMemory0 = null;
    lTextEncoder = typeof TextEncoder === "undefined" ? (0, module.require)("util").TextEncoder : TextEncoder;
    cachedTextEncoder = new lTextEncoder("utf-8");
    encodeString = typeof cachedTextEncoder.encodeInto === "function" ? function(arg, view) {
      return cachedTextEncoder.encodeInto(arg, view);
    } : function(arg, view) {
      const buf = cachedTextEncoder.encode(arg);
      view.set(buf);
      return {
        read: arg.length,
        written: buf.length
      };
    };
    lTextDecoder = typeof TextDecoder === "undefined" ? (0, module.require)("util").TextDecoder : TextDecoder;
    cachedTextDecoder = new lTextDecoder("utf-8", { ignoreBOM: true, fatal: true });
    cachedTextDecoder.decode();
  }
});

// src/io/symbols/demangle.ts
import { existsSync as existsSync2, readFileSync as readFileSync3 } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
function start() {
  const beside = fileURLToPath(new URL("./demangle.wasm", import.meta.url));
  const path = existsSync2(beside) ? beside : createRequire(import.meta.url).resolve("gecko-profiler-demangle/index_bg.wasm");
  const module2 = new WebAssembly.Module(readFileSync3(path));
  const { exports } = new WebAssembly.Instance(module2, { "./index_bg.js": { __wbindgen_init_externref_table } });
  __wbg_set_wasm(exports);
  exports["__wbindgen_start"]();
  ready = true;
}
function demangle(name) {
  if (!/^(?:_?_Z|_R|\?)/.test(name)) return name;
  const before = known.get(name);
  if (before !== void 0) return before;
  if (!ready) start();
  const given = demangle_any(name);
  const text3 = given === "" || given === name.slice(1) ? name : given;
  known.set(name, text3);
  return text3;
}
var ready, known;
var init_demangle = __esm({
  "src/io/symbols/demangle.ts"() {
    "use strict";
    init_index_bg();
    ready = false;
    known = /* @__PURE__ */ new Map();
  }
});

// src/io/symbols/find-object.ts
import { statSync as statSync2 } from "node:fs";
import { basename, dirname as dirname2, join as join4 } from "node:path";
function findObject(path, isMain, where) {
  const plain = path.replace(/ \(deleted\)$/, "");
  const name = basename(plain);
  for (const [from, to] of where.binaries) {
    if (from === plain || from === path) return to;
    if (from === null && (basename(to) === name || isMain && !where.binaries.some(([f, t2]) => f === null && basename(t2) === name)))
      return to;
  }
  const out = [];
  for (const [from, to] of where.maps)
    if (plain === from || plain.startsWith(from.endsWith("/") ? from : `${from}/`)) out.push(join4(to, plain.slice(from.length)));
  for (const dir of where.dirs) out.push(join4(dir, plain), join4(dir, name));
  out.push(plain);
  for (const profile of where.profiles) if (profile !== "-") out.push(join4(dirname2(profile), name));
  return out.find((p2) => {
    try {
      return statSync2(p2).isFile();
    } catch {
      return false;
    }
  });
}
var init_find_object = __esm({
  "src/io/symbols/find-object.ts"() {
    "use strict";
  }
});

// src/io/symbols/line-cache.ts
import { mkdirSync, readFileSync as readFileSync4, renameSync, statSync as statSync3, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join as join5 } from "node:path";
import { gunzipSync as gunzipSync2, gzipSync } from "node:zlib";
function folder() {
  return join5(process.env["XDG_CACHE_HOME"] || join5(homedir(), ".cache"), "proftui", "lines");
}
function fileOf(buildId, tool) {
  return join5(folder(), `${buildId}.${tool}.${VERSION}.json.gz`);
}
function readLineCache(buildId, tool) {
  try {
    const path = fileOf(buildId, tool);
    if (statSync3(path).size > LARGEST3) return /* @__PURE__ */ new Map();
    const data = JSON.parse(gunzipSync2(readFileSync4(path), { maxOutputLength: 16 * LARGEST3 }).toString("utf8"));
    return new Map(
      Object.entries(data).map(([a2, list2]) => [
        BigInt(a2),
        list2.map(([name, file, line]) => ({ name: String(name), file: file === null ? null : String(file), line: Number(line) }))
      ])
    );
  } catch {
    return /* @__PURE__ */ new Map();
  }
}
function writeLineCache(buildId, tool, frames) {
  try {
    mkdirSync(folder(), { recursive: true });
    const data = Object.fromEntries(
      [...frames].map(([address, list2]) => [`0x${address.toString(16)}`, list2.map((f) => [f.name, f.file, f.line])])
    );
    const packed = gzipSync(JSON.stringify(data));
    if (packed.length > LARGEST3) return;
    const path = fileOf(buildId, tool);
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, packed);
    renameSync(draft, path);
  } catch {
  }
}
var LARGEST3, VERSION;
var init_line_cache = __esm({
  "src/io/symbols/line-cache.ts"() {
    "use strict";
    LARGEST3 = 32 << 20;
    VERSION = 1;
  }
});

// src/io/symbols/line-tool.ts
import { spawn } from "node:child_process";
import { accessSync, constants as constants2 } from "node:fs";
import { delimiter, join as join6 } from "node:path";
function findLineTool(env = process.env) {
  for (const tool of TOOLS) {
    for (const folder2 of (env["PATH"] ?? "").split(delimiter)) {
      if (folder2 === "") continue;
      const path = join6(folder2, tool.name);
      try {
        accessSync(path, constants2.X_OK);
        return { ...tool, path };
      } catch {
      }
    }
  }
  return void 0;
}
function askLines(tool, object, addresses, signal) {
  return new Promise((resolve, reject) => {
    const child = spawn(tool.path, tool.args(object), { stdio: ["pipe", "pipe", "pipe"], signal, killSignal: "SIGKILL" });
    const parser = new LineParser();
    let complaint = "";
    let silence;
    const listen = () => {
      clearTimeout(silence);
      silence = setTimeout(() => child.kill("SIGKILL"), SILENCE_MS);
    };
    listen();
    child.on("error", (error) => {
      clearTimeout(silence);
      if (signal.aborted) reject(signal.reason);
      else resolve(`${tool.name}: ${error.message}`);
    });
    child.stderr.on("data", (d) => {
      if (complaint.length < 300) complaint += d.toString();
    });
    child.stdout.on("data", (d) => {
      listen();
      parser.take(d.toString("utf8"));
    });
    child.on("close", (code) => {
      clearTimeout(silence);
      parser.end();
      if (signal.aborted) reject(signal.reason);
      else if (parser.frames.size > 0) resolve(parser.frames);
      else resolve(`${tool.name}: ${complaint.trim().split("\n")[0] || `exited with ${code}`}`);
    });
    child.stdin.on("error", () => {
    });
    let next = 0;
    const feed = () => {
      while (next < addresses.length) {
        const piece = addresses.slice(next, next += 1e3);
        if (!child.stdin.write(piece.map((a2) => `0x${a2.toString(16)}
`).join(""))) {
          child.stdin.once("drain", feed);
          return;
        }
      }
      child.stdin.end();
    };
    feed();
  });
}
var TOOLS, SILENCE_MS, LineParser;
var init_line_tool = __esm({
  "src/io/symbols/line-tool.ts"() {
    "use strict";
    TOOLS = [
      {
        name: "llvm-symbolizer",
        // In GNU style its output matches addr2line's; the options are supported since LLVM 10.
        args: (object) => [`--obj=${object}`, "--output-style=GNU", "-a", "-f=linkage", "-i", "--no-demangle"]
      },
      { name: "addr2line", args: (object) => ["-a", "-f", "-i", "-e", object] }
    ];
    SILENCE_MS = 12e4;
    LineParser = class {
      frames = /* @__PURE__ */ new Map();
      rest = "";
      current;
      name;
      take(text3) {
        const lines = (this.rest + text3).split("\n");
        this.rest = lines.pop();
        for (const line of lines) this.line(line);
      }
      end() {
        if (this.rest !== "") this.line(this.rest);
      }
      line(line) {
        if (this.name === void 0 && line === "") return;
        if (this.name === void 0 && /^0x[0-9a-f]+$/i.test(line)) {
          const address = BigInt(line);
          this.current = this.frames.get(address) ?? [];
          if (this.current.length > 0) this.current = [];
          else this.frames.set(address, this.current);
          return;
        }
        if (this.name === void 0) {
          this.name = line;
          return;
        }
        const m = /^(.*?):(\d+|\?)(?::\d+)?(?: \(discriminator \d+\))?$/.exec(line);
        const file = m && m[1] !== "??" && m[1] !== "" ? m[1] : null;
        this.current?.push({ name: this.name === "??" ? "" : this.name, file, line: m && m[2] !== "?" ? Number(m[2]) : 0 });
        this.name = void 0;
      }
    };
  }
});

// src/io/symbols/symbol-table.ts
async function findSymbols(elf, addresses) {
  const out = new Array(addresses.length).fill(void 0);
  for (const type of [SHT_SYMTAB, SHT_DYNSYM]) {
    for (const table of elf.sections.filter((s) => s.type === type)) {
      const strings = elf.sections[table.link];
      if (!strings) continue;
      const best = await bestSymbols(elf, table, strings, addresses);
      best.forEach((aliases, i) => {
        if (out[i] === void 0 && aliases.length > 0) out[i] = bestName(elf, aliases);
      });
    }
  }
  return out;
}
async function bestSymbols(elf, table, strings, addresses) {
  const { wide, little } = elf;
  const entry = wide ? 24 : 16;
  const sized = [];
  const nearest = new Array(addresses.length).fill(void 0);
  const count = Math.floor(table.bytes / entry);
  for (let first = 0; first < count; first += Math.floor(CHUNK2 / entry)) {
    const raw = elf.bytes.read(table.offset + first * entry, Math.min(count - first, Math.floor(CHUNK2 / entry)) * entry);
    await new Promise((resolve) => setImmediate(resolve));
    const f = new Fields(raw, wide, little);
    for (let at = 0; at + entry <= raw.length; at += entry) {
      const info = raw[at + (wide ? 4 : 12)];
      const type = info & 15;
      const section = f.u16(at + (wide ? 6 : 14));
      if (section === 0 || type !== STT_FUNC && type !== STT_GNU_IFUNC && type !== STT_NOTYPE) continue;
      const value = wide ? f.u64(at + 8) : f.u32(at + 4);
      const start2 = elf.machine === EM_ARM && value % 2 === 1 ? value - 1 : value;
      const size = wide ? f.u64(at + 16) : f.u32(at + 8);
      const from = lowerBound(addresses, start2);
      if (from >= addresses.length) continue;
      const bind = info >> 4;
      const rank = bind === 0 ? 0 : bind === 2 ? 1 : 2;
      const covers = size > 0 && addresses[from] < start2 + size;
      const before = nearest[from];
      const near = !before || start2 >= before.start;
      if (!covers && !near) continue;
      const home = elf.sections[section];
      const ends = size > 0 ? start2 + size : home?.executable ? home.address + home.bytes : start2;
      const found = { start: start2, end: ends, rank, name: f.u32(at), strings };
      if (covers && type !== STT_NOTYPE) sized.push(found);
      if (near && (!before || start2 > before.start || before.end <= addresses[from] && ends > before.end))
        nearest[from] = found;
    }
  }
  const best = innermost(sized, addresses);
  let last;
  addresses.forEach((address, i) => {
    const here = nearest[i];
    if (here && (!last || here.start >= last.start)) last = here;
    if (best[i].length === 0 && last && address < last.end) best[i] = [last];
  });
  return best;
}
function innermost(symbols, addresses) {
  symbols.sort((a2, b) => a2.start - b.start || a2.rank - b.rank || b.end - a2.end);
  const open2 = [];
  let next = 0;
  return Array.from(addresses, (address) => {
    while (next < symbols.length && symbols[next].start <= address) open2.push(symbols[next++]);
    while (open2.length > 0 && open2.at(-1).end <= address) open2.pop();
    const top = open2.at(-1);
    if (!top) return [];
    const aliases = [top];
    for (let k = open2.length - 2; k >= 0 && aliases.length < MOST_ALIASES; k--) {
      const other = open2[k];
      if (other.start !== top.start || other.rank !== top.rank) break;
      if (other.end > address) aliases.push(other);
    }
    return aliases;
  });
}
function bestName(elf, aliases) {
  const names = aliases.map((a2) => nameOf2(elf, a2)).filter((n) => n !== "" && !n.startsWith("$")).map((n) => n.replace(/(?<=.)@.*$/, ""));
  const leading = (n) => /^_Z/.test(n) ? 0 : /^_*/.exec(n)[0].length;
  return names.sort((a2, b) => leading(a2) - leading(b) || a2.length - b.length || (a2 < b ? -1 : 1))[0];
}
function nameOf2(elf, symbol) {
  const { strings, name } = symbol;
  if (name >= strings.bytes) return "";
  return textAt(elf.bytes.read(strings.offset + name, Math.min(NAME_WINDOW, strings.bytes - name)), 0);
}
var SHT_SYMTAB, SHT_DYNSYM, STT_NOTYPE, STT_FUNC, STT_GNU_IFUNC, EM_ARM, CHUNK2, NAME_WINDOW, MOST_ALIASES, lowerBound;
var init_symbol_table = __esm({
  "src/io/symbols/symbol-table.ts"() {
    "use strict";
    init_search();
    init_elf();
    SHT_SYMTAB = 2;
    SHT_DYNSYM = 11;
    STT_NOTYPE = 0;
    STT_FUNC = 2;
    STT_GNU_IFUNC = 10;
    EM_ARM = 40;
    CHUNK2 = 1 << 20;
    NAME_WINDOW = 1 << 12;
    MOST_ALIASES = 16;
    lowerBound = (values, value) => firstWhere(values.length, (k) => values[k] >= value);
  }
});

// src/io/symbols/symbolize.ts
var symbolize_exports = {};
__export(symbolize_exports, {
  symbolize: () => symbolize
});
import { statSync as statSync4 } from "node:fs";
async function symbolize(samples, where, told, signal) {
  const byObject = /* @__PURE__ */ new Map();
  const main = new Set(samples.mappings.map((list2) => list2.find((m) => m.path !== null && !m.path.startsWith("["))?.path));
  for (let place = 0; place < samples.places.count; place++) {
    if (samples.names[place]) continue;
    const mapping = samples.mappingOf(place);
    if (!mapping?.path || /^\[|^\/\/anon|^\/dev\//.test(mapping.path)) continue;
    let object = byObject.get(mapping.path);
    if (!object) byObject.set(mapping.path, object = { mappings: /* @__PURE__ */ new Map(), main: main.has(mapping.path) });
    const list2 = object.mappings.get(mapping);
    if (list2) list2.push(place);
    else object.mappings.set(mapping, [place]);
  }
  const tool = findLineTool();
  const missing = [];
  let wanted = 0;
  for (const [path, { mappings, main: isMain }] of byObject) {
    signal.throwIfAborted();
    const found = findObject(path, isMain, where);
    if (found === void 0) {
      missing.push(path);
      continue;
    }
    if (await nameObject(samples, path, found, mappings, where, tool, told, signal)) wanted++;
  }
  if (missing.length > 0) {
    const named = missing.slice(0, 6).join(", ") + (missing.length > 6 ? ` and ${missing.length - 6} more` : "");
    told.notes.push(`not on this machine, so without names: ${named} (--binary PATH, --binary OBJECT=PATH, --symbol-path DIR)`);
  }
  if (wanted > 0) {
    told.notes.push("files, lines and inlined functions are missing: install llvm-symbolizer (llvm) or addr2line (binutils)");
  }
}
async function nameObject(samples, path, file, mappings, where, tool, told, signal) {
  const open2 = [];
  try {
    const bytes = fileBytes(file);
    const elf = readElf(bytes);
    if (typeof elf === "string") {
      bytes.close();
      told.warn({ path: file, expected: `the object ${path}`, found: `${elf}; its addresses have no names` });
      return false;
    }
    open2.push(elf);
    const changed = whatChanged(elf, file, mappings, where);
    if (changed)
      told.warn({
        path: file,
        expected: "the object as it was profiled",
        found: `${changed}: names and lines may be wrong`,
        sign: "OBJECT CHANGED"
      });
    const debug = findDebugFile(elf, file, where.dirs);
    if (typeof debug === "string") told.warn({ path: file, expected: "its debug file", found: debug });
    const separate = typeof debug === "object" ? debug : void 0;
    if (separate) open2.push(separate.elf);
    const own = ownAddresses(samples, elf, mappings);
    const symbols = await symbolsOf(elf, separate?.elf, Float64Array.from(new Set(own.values())).sort());
    const lined = hasLines(elf) ? { elf, path: file } : separate && hasLines(separate.elf) ? separate : void 0;
    const frames = lined && tool ? await framesOf2(tool, lined.path, elf, [...symbols.keys()], told, signal) : NO_FRAMES;
    for (const [place, address] of own) {
      samples.ownAddress.set(place, BigInt(address));
      const names = framesFor(symbols.get(address), frames.get(BigInt(address)));
      if (names) samples.names[place] = names;
    }
    const named = [...symbols.values()].filter((s) => s !== void 0).length;
    const lines = !lined ? ", no debug information" : tool && frames.size > 0 ? `, lines by ${tool.name}` : "";
    told.notes.push(
      `${path}: ${named} of ${plural(symbols.size, "address")} named${file === path ? "" : ` from ${file}`}${separate ? `, debug file ${separate.path}` : ""}${lines}`
    );
    return lined !== void 0 && tool === void 0;
  } catch (error) {
    if (signal.aborted) throw error;
    told.warn({ path: file, expected: `the object ${path}`, found: `${error.message}; its addresses have no names` });
    return false;
  } finally {
    for (const elf of open2) elf.bytes.close();
  }
}
async function symbolsOf(elf, debug, addresses) {
  const first = await findSymbols(elf, addresses);
  const second = debug ? await findSymbols(debug, addresses) : [];
  return new Map(Array.from(addresses, (a2, i) => [a2, first[i] ?? second[i]]));
}
async function framesOf2(tool, path, elf, addresses, told, signal) {
  const said = await linesOf(tool, path, elf.buildId, Float64Array.from(addresses), signal);
  if (typeof said !== "string") return said;
  told.warn({ path, expected: "files and lines", found: said });
  return NO_FRAMES;
}
function ownAddresses(samples, elf, mappings) {
  const out = /* @__PURE__ */ new Map();
  for (const [mapping, places] of mappings) {
    for (const place of places) {
      const offset = samples.address(place) - mapping.start + mapping.offset;
      const address = addressOfOffset(elf, Number(offset));
      if (address !== void 0 && address < Number.MAX_SAFE_INTEGER) out.set(place, address);
    }
  }
  return out;
}
function framesFor(symbol, told) {
  const name = symbol === void 0 ? void 0 : demangle(symbol);
  const useful = told?.filter((f, i) => f.file !== null || f.name !== "" && i < told.length - 1) ?? [];
  if (useful.length === 0) return name === void 0 ? void 0 : [{ name, file: null, line: 0 }];
  const last = useful.length - 1;
  const frames = useful.map((f, i) => ({
    ...f,
    name: (i === last ? outermost(f.name, symbol) : demangle(f.name)) || name || ""
  }));
  return frames.some((f) => f.name === "") ? void 0 : frames;
}
function outermost(told, symbol) {
  if (told === "") return symbol === void 0 ? "" : demangle(symbol);
  if (symbol !== void 0 && /^_Z/.test(symbol) && !/^_Z/.test(told)) return demangle(symbol);
  return demangle(told.replace(/(?<=.)@.*$/, "").replace(/(?<=.)(?:\.(?:part|isra|constprop|cold|lto_priv)(?:\.\d+)*)+$/, ""));
}
async function linesOf(tool, path, buildId, addresses, signal) {
  const known2 = buildId === null ? /* @__PURE__ */ new Map() : readLineCache(buildId, tool.name);
  const wanted = Array.from(addresses, BigInt).filter((a2) => !known2.has(a2));
  if (wanted.length === 0) return known2;
  const told = await askLines(tool, path, wanted, signal);
  if (typeof told === "string") return known2.size > 0 ? known2 : told;
  for (const [address, frames] of told) known2.set(address, frames);
  if (buildId !== null) writeLineCache(buildId, tool.name, known2);
  return known2;
}
function whatChanged(elf, file, mappings, where) {
  for (const mapping of mappings.keys()) {
    if (mapping.offset >= BigInt(elf.bytes.size)) return "it is smaller than what was mapped";
    if (!mapping.executable) continue;
    const down = (n) => BigInt(n) / PAGE * PAGE;
    const fits = elf.segments.some(
      (s) => s.executable && mapping.offset >= down(s.offset) && mapping.offset < BigInt(s.offset + s.bytes)
    );
    if (!fits) return "its code is elsewhere in the file";
    const home = elf.segments.find((s) => s.executable && down(s.offset) === mapping.offset);
    const pages = home && down(home.offset + home.bytes + Number(PAGE) - 1) - mapping.offset;
    if (pages !== void 0 && mapping.end - mapping.start > pages + 0x1ffff0n) return "its code is smaller than what was mapped";
  }
  try {
    const made = statSync4(file).mtimeMs;
    if (where.profiles.some((p2) => p2 !== "-" && made > statSync4(p2).mtimeMs + SLACK_MS)) return "it is newer than the profile";
  } catch {
  }
  return void 0;
}
var PAGE, SLACK_MS, NO_FRAMES, hasLines;
var init_symbolize = __esm({
  "src/io/symbols/symbolize.ts"() {
    "use strict";
    init_units();
    init_debug_files();
    init_demangle();
    init_elf();
    init_find_object();
    init_line_cache();
    init_line_tool();
    init_symbol_table();
    PAGE = 4096n;
    SLACK_MS = 5e3;
    NO_FRAMES = /* @__PURE__ */ new Map();
    hasLines = (elf) => elf.sections.some((s) => /^\.z?debug_(info|line)$/.test(s.name) && s.bytes > 0);
  }
});

// node_modules/is-any-array/lib/index.js
var require_lib = __commonJS({
  "node_modules/is-any-array/lib/index.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: true });
    exports.isAnyArray = void 0;
    var toString2 = Object.prototype.toString;
    function isAnyArray2(value) {
      const tag = toString2.call(value);
      return tag.endsWith("Array]") && !tag.includes("Big");
    }
    exports.isAnyArray = isAnyArray2;
  }
});

// node_modules/median-quickselect/lib/median-quickselect.min.js
var require_median_quickselect_min = __commonJS({
  "node_modules/median-quickselect/lib/median-quickselect.min.js"(exports, module2) {
    (function() {
      function a2(d) {
        for (var e = 0, f = d.length - 1, g2 = void 0, h = void 0, i = void 0, j = c(e, f); true; ) {
          if (f <= e) return d[j];
          if (f == e + 1) return d[e] > d[f] && b(d, e, f), d[j];
          for (g2 = c(e, f), d[g2] > d[f] && b(d, g2, f), d[e] > d[f] && b(d, e, f), d[g2] > d[e] && b(d, g2, e), b(d, g2, e + 1), h = e + 1, i = f; true; ) {
            do
              h++;
            while (d[e] > d[h]);
            do
              i--;
            while (d[i] > d[e]);
            if (i < h) break;
            b(d, h, i);
          }
          b(d, e, i), i <= j && (e = h), i >= j && (f = i - 1);
        }
      }
      var b = function b2(d, e, f) {
        var _ref;
        return _ref = [d[f], d[e]], d[e] = _ref[0], d[f] = _ref[1], _ref;
      }, c = function c2(d, e) {
        return ~~((d + e) / 2);
      };
      "undefined" != typeof module2 && module2.exports ? module2.exports = a2 : window.median = a2;
    })();
  }
});

// node_modules/ml-array-median/lib/index.js
var require_lib2 = __commonJS({
  "node_modules/ml-array-median/lib/index.js"(exports, module2) {
    "use strict";
    var isAnyArray2 = require_lib();
    var quickSelectMedian = require_median_quickselect_min();
    function _interopDefaultLegacy(e) {
      return e && typeof e === "object" && "default" in e ? e : { "default": e };
    }
    var quickSelectMedian__default = /* @__PURE__ */ _interopDefaultLegacy(quickSelectMedian);
    function median2(input) {
      if (!isAnyArray2.isAnyArray(input)) {
        throw new TypeError("input must be an array");
      }
      if (input.length === 0) {
        throw new TypeError("input must not be empty");
      }
      return quickSelectMedian__default["default"](input.slice());
    }
    module2.exports = median2;
  }
});

// node_modules/ml-regression-base/node_modules/is-any-array/lib/index.js
var lib_exports = {};
__export(lib_exports, {
  isAnyArray: () => isAnyArray
});
function isAnyArray(value) {
  const tag = toString.call(value);
  return tag.endsWith("Array]") && !tag.includes("Big");
}
var toString;
var init_lib = __esm({
  "node_modules/ml-regression-base/node_modules/is-any-array/lib/index.js"() {
    toString = Object.prototype.toString;
  }
});

// node_modules/ml-regression-base/lib/checkArrayLength.js
var require_checkArrayLength = __commonJS({
  "node_modules/ml-regression-base/lib/checkArrayLength.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: true });
    exports.checkArrayLength = checkArrayLength;
    var is_any_array_1 = (init_lib(), __toCommonJS(lib_exports));
    function checkArrayLength(x, y) {
      if (!(0, is_any_array_1.isAnyArray)(x) || !(0, is_any_array_1.isAnyArray)(y)) {
        throw new TypeError("x and y must be arrays");
      }
      if (x.length !== y.length) {
        throw new RangeError("x and y arrays must have the same length");
      }
    }
  }
});

// node_modules/ml-regression-base/lib/BaseRegression.js
var require_BaseRegression = __commonJS({
  "node_modules/ml-regression-base/lib/BaseRegression.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: true });
    exports.BaseRegression = void 0;
    var is_any_array_1 = (init_lib(), __toCommonJS(lib_exports));
    var checkArrayLength_1 = require_checkArrayLength();
    var BaseRegression = class _BaseRegression {
      constructor() {
        if (new.target === _BaseRegression) {
          throw new Error("BaseRegression must be subclassed");
        }
      }
      predict(x) {
        if (typeof x === "number") {
          return this._predict(x);
        } else if ((0, is_any_array_1.isAnyArray)(x)) {
          const y = [];
          for (const xVal of x) {
            y.push(this._predict(xVal));
          }
          return y;
        } else {
          throw new TypeError("x must be a number or array");
        }
      }
      // eslint-disable-next-line @typescript-eslint/no-unused-vars
      _predict(x) {
        throw new Error("_predict must be implemented");
      }
      train() {
      }
      // eslint-disable-next-line @typescript-eslint/no-unused-vars
      toString(precision) {
        return "";
      }
      // eslint-disable-next-line @typescript-eslint/no-unused-vars
      toLaTeX(precision) {
        return "";
      }
      /**
       * Return the correlation coefficient of determination (r) and chi-square.
       * @param x - explanatory variable
       * @param y - response variable
       * @return - Object with further statistics.
       */
      score(x, y) {
        (0, checkArrayLength_1.checkArrayLength)(x, y);
        const n = x.length;
        const y2 = new Array(n);
        for (let i = 0; i < n; i++) {
          y2[i] = this._predict(x[i]);
        }
        let xSum = 0;
        let ySum = 0;
        let chi2 = 0;
        let rmsd = 0;
        let xSquared = 0;
        let ySquared = 0;
        let xY = 0;
        for (let i = 0; i < n; i++) {
          xSum += y2[i];
          ySum += y[i];
          xSquared += y2[i] * y2[i];
          ySquared += y[i] * y[i];
          xY += y2[i] * y[i];
          if (y[i] !== 0) {
            chi2 += (y[i] - y2[i]) * (y[i] - y2[i]) / y[i];
          }
          rmsd += (y[i] - y2[i]) * (y[i] - y2[i]);
        }
        const r = (n * xY - xSum * ySum) / Math.sqrt((n * xSquared - xSum * xSum) * (n * ySquared - ySum * ySum));
        return {
          r,
          r2: r * r,
          chi2,
          rmsd: Math.sqrt(rmsd / n)
        };
      }
    };
    exports.BaseRegression = BaseRegression;
  }
});

// node_modules/ml-regression-base/lib/maybeToPrecision.js
var require_maybeToPrecision = __commonJS({
  "node_modules/ml-regression-base/lib/maybeToPrecision.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: true });
    exports.maybeToPrecision = maybeToPrecision;
    function maybeToPrecision(number2, figures) {
      if (number2 < 0) {
        number2 = 0 - number2;
        if (typeof figures === "number") {
          return `- ${number2.toPrecision(figures)}`;
        } else {
          return `- ${number2.toString()}`;
        }
      } else if (typeof figures === "number") {
        return number2.toPrecision(figures);
      } else {
        return number2.toString();
      }
    }
  }
});

// node_modules/ml-regression-base/lib/index.js
var require_lib3 = __commonJS({
  "node_modules/ml-regression-base/lib/index.js"(exports) {
    "use strict";
    var __createBinding = exports && exports.__createBinding || (Object.create ? (function(o, m, k, k2) {
      if (k2 === void 0) k2 = k;
      var desc = Object.getOwnPropertyDescriptor(m, k);
      if (!desc || ("get" in desc ? !m.__esModule : desc.writable || desc.configurable)) {
        desc = { enumerable: true, get: function() {
          return m[k];
        } };
      }
      Object.defineProperty(o, k2, desc);
    }) : (function(o, m, k, k2) {
      if (k2 === void 0) k2 = k;
      o[k2] = m[k];
    }));
    var __exportStar = exports && exports.__exportStar || function(m, exports2) {
      for (var p2 in m) if (p2 !== "default" && !Object.prototype.hasOwnProperty.call(exports2, p2)) __createBinding(exports2, m, p2);
    };
    Object.defineProperty(exports, "__esModule", { value: true });
    __exportStar(require_BaseRegression(), exports);
    __exportStar(require_checkArrayLength(), exports);
    __exportStar(require_maybeToPrecision(), exports);
  }
});

// node_modules/ml-regression-theil-sen/lib/index.js
var require_lib4 = __commonJS({
  "node_modules/ml-regression-theil-sen/lib/index.js"(exports) {
    "use strict";
    var median2 = require_lib2();
    var mlRegressionBase = require_lib3();
    var TheilSenRegression2 = class _TheilSenRegression extends mlRegressionBase.BaseRegression {
      /**
       * Theil–Sen estimator
       * https://en.wikipedia.org/wiki/Theil%E2%80%93Sen_estimator
       * @param {Array<number>|boolean} x
       * @param {Array<number>|object} y
       * @constructor
       */
      constructor(x, y) {
        super();
        if (x === true) {
          this.slope = y.slope;
          this.intercept = y.intercept;
          this.coefficients = y.coefficients;
        } else {
          mlRegressionBase.checkArrayLength(x, y);
          theilSen(this, x, y);
        }
      }
      toJSON() {
        return {
          name: "TheilSenRegression",
          slope: this.slope,
          intercept: this.intercept
        };
      }
      _predict(input) {
        return this.slope * input + this.intercept;
      }
      computeX(input) {
        return (input - this.intercept) / this.slope;
      }
      toString(precision) {
        let result = "f(x) = ";
        if (this.slope) {
          let xFactor = mlRegressionBase.maybeToPrecision(this.slope, precision);
          result += `${Math.abs(xFactor - 1) < 1e-5 ? "" : `${xFactor} * `}x`;
          if (this.intercept) {
            let absIntercept = Math.abs(this.intercept);
            let operator = absIntercept === this.intercept ? "+" : "-";
            result += ` ${operator} ${mlRegressionBase.maybeToPrecision(absIntercept, precision)}`;
          }
        } else {
          result += mlRegressionBase.maybeToPrecision(this.intercept, precision);
        }
        return result;
      }
      toLaTeX(precision) {
        return this.toString(precision);
      }
      static load(json) {
        if (json.name !== "TheilSenRegression") {
          throw new TypeError("not a Theil-Sen model");
        }
        return new _TheilSenRegression(true, json);
      }
    };
    function theilSen(regression, x, y) {
      let len = x.length;
      let slopes = new Array(len * len);
      let count = 0;
      for (let i = 0; i < len; ++i) {
        for (let j = i + 1; j < len; ++j) {
          if (x[i] !== x[j]) {
            slopes[count++] = (y[j] - y[i]) / (x[j] - x[i]);
          }
        }
      }
      slopes.length = count;
      let medianSlope = median2(slopes);
      let cuts = new Array(len);
      for (let i = 0; i < len; ++i) {
        cuts[i] = y[i] - medianSlope * x[i];
      }
      regression.slope = medianSlope;
      regression.intercept = median2(cuts);
      regression.coefficients = [regression.intercept, regression.slope];
    }
    exports.TheilSenRegression = TheilSenRegression2;
  }
});

// src/io/load.ts
import { dirname as dirname3 } from "node:path";

// src/base/text.ts
var HOSTILE = /[\u0000-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
var PLAIN = /^[\x20-\x7e\u00a1-\u00a8\u00aa-\u00ac\u00af-\u02ff\u2010-\u2027\u2190-\u21ff\u2248\u22ef\u2400-\u2426\u2500-\u25fc\u2605\u2800-\u28ff]*$/;
var MARKS = { "	": " ", "\x1B": "\u241B", "\n": "\u240A", "\r": "\u240D", "\x7F": "\u2421" };
function visible(text3) {
  if (PLAIN.test(text3)) return text3;
  return text3.replace(HOSTILE, (c) => {
    const mark = MARKS[c];
    if (mark !== void 0) return mark;
    const code = c.charCodeAt(0);
    return code < 32 ? String.fromCharCode(9216 + code) : `<${code.toString(16).toUpperCase().padStart(4, "0")}>`;
  });
}

// src/base/problem.ts
var FormatError = class extends Error {
  problem;
  constructor(problem) {
    super(problemLine(problem));
    this.name = "FormatError";
    this.problem = problem;
  }
};
function problemLine(problem) {
  const at = problem.line !== void 0 ? `:${problem.line}` : problem.offset !== void 0 ? `: byte 0x${problem.offset.toString(16)}` : "";
  const found = visible(problem.found);
  const quoted = found.length > 120 ? found.slice(0, 117) + "\u2026" : found;
  return `${visible(problem.path)}${at}: expected ${visible(problem.expected)}, found ${quoted}`;
}

// src/model/column.ts
var MOST_EXPECTED = 1 << 28;
var Grow = class {
  data;
  length = 0;
  make;
  constructor(make, capacity = 256) {
    this.make = make;
    this.data = new make(capacity);
  }
  push(value) {
    if (this.length === this.data.length) this.reserve(this.length * 2);
    this.data[this.length++] = value;
  }
  reserve(capacity) {
    if (capacity <= this.data.length) return;
    const next = new this.make(capacity);
    next.set(this.data.length === this.length ? this.data : this.data.subarray(0, this.length));
    this.data = next;
  }
  /** Reserves room for `times` × the current rows. */
  expect(times) {
    this.reserve(Math.min(MOST_EXPECTED, Math.ceil(this.length * times)));
  }
  done() {
    return this.data.subarray(0, this.length);
  }
};
function expectRows(table, times) {
  for (const column of Object.values(table)) if (column instanceof Grow || column instanceof Dense) column.expect(times);
}
var Counts = class extends Grow {
  constructor() {
    super(Uint32Array);
  }
  push(value) {
    if (value >>> 0 !== value) this.widen();
    super.push(value);
  }
  /** Writes unsigned values, given as raw bits, from `row` on. Room must be reserved; `length` does not change. */
  put(values, row) {
    this.data.set(new Uint32Array(values.buffer, values.byteOffset, values.length), row);
  }
  /** Writes any count. */
  set(row, value) {
    if (value >>> 0 !== value) this.widen();
    this.data[row] = value;
  }
  widen() {
    if (this.data instanceof Float64Array) return;
    this.make = Float64Array;
    this.data = Float64Array.from(this.data);
  }
};
var Dense = class {
  /** Each number plus one, since fresh pages are 0. */
  data = new Int32Array(1 << 10);
  length = 0;
  /** True once a number was set. */
  any = false;
  get(id) {
    return id < this.data.length ? this.data[id] - 1 : -1;
  }
  set(id, value) {
    if (id >= this.length) {
      this.length = id + 1;
      if (id >= this.data.length) this.reserve(Math.max(id + 1, this.data.length * 2));
    }
    this.data[id] = value + 1;
    this.any = true;
  }
  expect(times) {
    this.reserve(Math.min(MOST_EXPECTED, Math.ceil(this.length * times)));
  }
  reserve(capacity) {
    if (capacity <= this.data.length) return;
    const next = new Int32Array(capacity);
    next.set(this.data);
    this.data = next;
  }
  /** The numbers of the first rows. */
  column(rows) {
    return Int32Array.from({ length: rows }, (_, i) => this.get(i));
  }
};
function indexBy(keys, groups) {
  const from = new Uint32Array(groups + 1);
  const n = keys.length;
  for (let i = 0; i < n; i++) {
    const k = keys[i];
    if (k >= 0) from[k + 1]++;
  }
  for (let k = 0; k < groups; k++) from[k + 1] += from[k];
  const next = from.slice();
  const order = new Uint32Array(from[groups]);
  for (let i = 0; i < n; i++) {
    const k = keys[i];
    if (k >= 0) order[next[k]++] = i;
  }
  return { order, from };
}

// src/model/circles.ts
function cutCircles(parent, found) {
  const state = new Uint8Array(parent.length);
  for (let i = 0; i < parent.length; i++) {
    const way = [];
    let k = i;
    while (k >= 0 && state[k] === 0) {
      state[k] = 1;
      way.push(k);
      k = parent[k];
    }
    if (k >= 0 && state[k] === 1) {
      found(k);
      parent[k] = -1;
    }
    for (const w2 of way) state[w2] = 2;
  }
}

// src/model/inputs/contexts.ts
function orderContexts(notes, odd) {
  const key = (part, id) => `${part}/${id}`;
  const at = new Map(notes.map((n, i) => [key(n.part, n.id), i]));
  const parent = Int32Array.from(notes, (n) => n.parent < 0 ? -1 : at.get(key(n.part, n.parent)) ?? -2);
  notes.forEach((n, i) => {
    if (parent[i] === -2) {
      odd(n, `its parent ${n.parent} does not exist`);
      parent[i] = -1;
    } else if (parent[i] === i) {
      odd(n, "it is its own parent");
      parent[i] = -1;
    }
  });
  cutCircles(
    parent,
    (k) => odd(notes[k], `it is its own ancestor: contexts ${notes[k].id} and ${notes[parent[k]].id} are part of a cycle`)
  );
  const { contexts, row } = layDepthFirst(notes, parent);
  return { contexts, rowOf: new Map(notes.map((note, i) => [key(note.part, note.id), row[i]])) };
}
function layDepthFirst(notes, parent) {
  const children = notes.map(() => []);
  const roots = [];
  for (const [i, p2] of parent.entries()) (p2 < 0 ? roots : children[p2]).push(i);
  const n = notes.length;
  const row = new Int32Array(n);
  const out = {
    id: new Float64Array(n),
    parent: new Int32Array(n),
    end: new Uint32Array(n),
    routine: new Uint32Array(n),
    part: new Uint32Array(n)
  };
  const stack = [...roots].reverse();
  let next = 0;
  for (let i = stack.pop(); i !== void 0; i = stack.pop()) {
    if (i < 0) {
      out.end[row[-1 - i]] = next;
      continue;
    }
    const r = next++;
    row[i] = r;
    const note = notes[i];
    out.id[r] = note.id;
    out.parent[r] = parent[i] < 0 ? -1 : row[parent[i]];
    out.routine[r] = note.routine;
    out.part[r] = note.part;
    stack.push(-1 - i);
    for (let c = children[i].length - 1; c >= 0; c--) stack.push(children[i][c]);
  }
  return { contexts: out, row };
}

// src/model/inputs/rows.ts
var INPUT_FIELDS = [
  "calls",
  "min",
  "max",
  "sum",
  "sumSquares",
  "real",
  "selfSum",
  "selfMin",
  "selfMax",
  "selfSumSquares",
  "syscall",
  "thread",
  "selfSyscall",
  "selfThread"
];
var InputRows = class {
  routine = new Grow(Int32Array);
  context = new Grow(Int32Array);
  part = new Grow(Uint32Array);
  size = new Grow(Float64Array);
  line = new Grow(Uint32Array);
  fields = /* @__PURE__ */ new Map();
  beyond = /* @__PURE__ */ new Map();
  /** Context ids from the files. Until all is read, the `context` of such a point is -2 - its id's index here. */
  contextIds = [];
  /** The metric of the sizes, from the first file. */
  metric;
  misses;
  get rows() {
    return this.size.length;
  }
  /** Begins a point; `context` is the file's id, or -1. */
  push(routine, context, part, size, line) {
    this.routine.push(routine);
    if (context === -1) this.context.push(-1);
    else {
      if (this.contextIds.at(-1) !== context) this.contextIds.push(context);
      this.context.push(-1 - this.contextIds.length);
    }
    this.part.push(part);
    this.size.push(size);
    this.line.push(line);
  }
  /** Adds a value to the row that was pushed last. */
  set(field, value) {
    let column = this.fields.get(field);
    if (!column) this.fields.set(field, column = new Grow(Float64Array));
    const row = this.rows - 1;
    while (column.length < row) column.push(Number.NaN);
    column.push(Number(value));
    if (typeof value === "number") return;
    let exact = this.beyond.get(field);
    if (!exact) this.beyond.set(field, exact = /* @__PURE__ */ new Map());
    exact.set(row, value);
  }
  finish(counted2) {
    const columns = {};
    for (const [field, column] of this.fields) {
      while (column.length < this.rows) column.push(Number.NaN);
      columns[field] = column.done();
    }
    return {
      metric: this.metric ?? "size",
      ...this.misses === void 0 ? {} : { misses: this.misses },
      routine: Uint32Array.from(this.routine.done()),
      context: this.context.done(),
      part: this.part.done(),
      size: this.size.done(),
      counted: counted2,
      beyond: this.beyond,
      ...columns
    };
  }
};

// src/model/inputs/writer.ts
var WIDE = { exact: { high: [[1, 1]], low: [[1, 2]] } };
var InputWriter = class {
  points = new InputRows();
  contexts = [];
  sink;
  constructor(sink) {
    this.sink = sink;
  }
  get rows() {
    return this.points.rows;
  }
  finish() {
    const { sink, points: rows, contexts: notes } = this;
    const { contexts, rowOf } = orderContexts(
      notes,
      (note, why) => sink.warn({
        path: sink.parts[note.part].path,
        line: note.line,
        expected: "contexts that form a tree",
        found: `context ${note.id}: ${why}; it is shown as a root`
      })
    );
    const lost = resolveContexts(sink, rows, contexts, rowOf);
    const counted2 = countedRows(rows, sink.routineCount, lost);
    warnDoubles(sink, rows, notes.length, lost);
    const inputs = rows.finish(counted2);
    const metric = sink.eventNames[0] ?? "cost";
    const unit = sink.eventNotes.find((n) => n.name === metric)?.unit ?? "count";
    const wide = needsHalves(inputs);
    const event = { name: metric, unit, terms: [[1, 0]], ...wide ? WIDE : {} };
    return {
      kind: "inputs",
      events: [event],
      columns: wide ? 3 : 1,
      inputs,
      ...notes.length > 0 ? { contexts } : {}
    };
  }
};
function resolveContexts(sink, rows, contexts, rowOf) {
  const { context, routine, part, line } = rows;
  const gone = new Uint8Array(rows.rows);
  const lost = /* @__PURE__ */ new Map();
  for (let i = 0; i < rows.rows; i++) {
    const id = context.data[i];
    if (id === -1) continue;
    const p2 = part.data[i];
    const number2 = rows.contextIds[-2 - id];
    const row = rowOf.get(`${p2}/${number2}`);
    if (row !== void 0) {
      context.data[i] = row;
      routine.data[i] = contexts.routine[row];
      continue;
    }
    context.data[i] = -1;
    gone[i] = 1;
    const known2 = lost.get(p2);
    if (known2) known2.count++;
    else lost.set(p2, { count: 1, line: line.data[i], id: number2 });
  }
  for (const [p2, { count, line: at, id }] of lost) {
    sink.warn({
      path: sink.parts[p2].path,
      line: at,
      expected: "an x line for every context",
      found: count === 1 ? `context ${id} has points but no x line; they are attributed to the routine above them` : `${count} points of contexts without one (the first is ${id}); they are attributed to the routine above them`
    });
  }
  return gone;
}
function countedRows(rows, routines, lost) {
  const own = /* @__PURE__ */ new Set();
  const key = (i) => rows.part.data[i] * routines + rows.routine.data[i];
  let mixed = false;
  for (let i = 0; i < rows.rows; i++) {
    if (rows.context.data[i] >= 0) mixed = true;
    else if (!lost[i]) own.add(key(i));
  }
  const counted2 = new Uint8Array(rows.rows).fill(1);
  if (mixed && own.size > 0) {
    for (let i = 0; i < rows.rows; i++) if (rows.context.data[i] >= 0 && own.has(key(i))) counted2[i] = 0;
  }
  return counted2;
}
function warnDoubles(sink, rows, contexts, lost) {
  const n = rows.rows;
  const owner = Float64Array.from({ length: n }, (_, i) => {
    const context = rows.context.data[i];
    return context >= 0 ? context : contexts + rows.routine.data[i];
  });
  const { order, from } = indexBy(owner, contexts + sink.routineCount);
  for (let o = 0; o + 1 < from.length; o++) {
    if (from[o + 1] - from[o] < 2) continue;
    const seen = /* @__PURE__ */ new Map();
    for (let k = from[o]; k < from[o + 1]; k++) {
      const i = order[k];
      if (lost[i]) continue;
      const size = rows.size.data[i];
      const before = seen.get(size);
      seen.set(size, i);
      if (before === void 0 || rows.part.data[before] !== rows.part.data[i]) continue;
      sink.warn({
        path: sink.parts[rows.part.data[i]].path,
        line: rows.line.data[i],
        expected: "each size once",
        found: `size ${size} of ${o < contexts ? "its context" : "its routine"} repeated (also on line ${rows.line.data[before]}): the two are merged`
      });
    }
  }
}
function needsHalves(inputs) {
  const passes = (field) => {
    if (inputs.beyond.has(field)) return true;
    let sum4 = 0;
    for (const v of inputs[field] ?? []) if (!Number.isNaN(v)) sum4 += v;
    return sum4 >= 2 ** 53;
  };
  return passes("sum") || passes("real") || passes("selfSum");
}

// src/formats/shared/stream.ts
function markLength(bytes) {
  return bytes[0] === 239 && bytes[1] === 187 && bytes[2] === 191 ? 3 : 0;
}
function headText(head) {
  return new TextDecoder("latin1").decode(head.subarray(markLength(head)));
}
function joinBytes(pieces, buffer) {
  const length = pieces.reduce((n, piece) => n + piece.length, 0);
  const out = new Uint8Array(buffer && buffer.byteLength >= length ? buffer : new ArrayBuffer(length), 0, length);
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}
async function readPieces(source, signal, take) {
  let rest = new Uint8Array(0);
  let read = 0;
  for await (const piece of source.chunks()) {
    signal.throwIfAborted();
    const chunk = new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
    read += chunk.length;
    const bytes = rest.length > 0 ? joinBytes([rest, chunk]) : chunk;
    rest = bytes.slice(take(bytes));
  }
  return { read, rest };
}
async function readLines(source, signal, line, open2 = () => 0) {
  let started = false;
  const left = await readPieces(source, signal, (bytes) => {
    if (!started && bytes.length < 3 && !bytes.includes(LINE_FEED)) return 0;
    let from = started ? 0 : markLength(bytes);
    started = true;
    for (let to = bytes.indexOf(LINE_FEED, from); to >= 0; to = bytes.indexOf(LINE_FEED, from)) {
      line(bytes, from, to);
      from = to + 1;
    }
    return from + open2(bytes.subarray(from));
  });
  return started ? left : { ...left, rest: left.rest.subarray(markLength(left.rest)) };
}
var LINE_FEED = 10;
async function readWhole(source, signal) {
  const pieces = [];
  for await (const piece of source.chunks()) {
    signal.throwIfAborted();
    pieces.push(piece.slice());
  }
  return joinBytes(pieces);
}

// src/model/hash-table.ts
var HashTable = class {
  slots = new Int32Array(1 << 12).fill(-1);
  /** By row; the hash tells most unequal rows apart. */
  hashes = new Int32Array(1 << 11);
  rowCount = 0;
  /** The slot where the last unsuccessful search ended. */
  free = 0;
  /** The row that isWanted() accepts, by the hash of what is looked up; -1 if there is none. */
  find(hash) {
    const { slots, hashes } = this;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (; ; ) {
      const row = slots[slot];
      if (row < 0) {
        this.free = slot;
        return -1;
      }
      if (hashes[row] === hash && this.isWanted(row)) return row;
      slot = slot + 1 & mask;
    }
  }
  /** Inserts the next row, directly after an unsuccessful find(); returns its number. */
  insert(hash) {
    const row = this.rowCount++;
    if (row === this.hashes.length) this.reserve(2 * row);
    this.hashes[row] = hash;
    this.slots[this.free] = row;
    if (this.rowCount * 2 > this.slots.length) this.rehash();
    return row;
  }
  reserve(rows) {
    if (rows <= this.hashes.length) return;
    const hashes = new Int32Array(rows);
    hashes.set(this.hashes);
    this.hashes = hashes;
  }
  rehash() {
    const slots = new Int32Array(this.slots.length * 4).fill(-1);
    const mask = slots.length - 1;
    for (let row = 0; row < this.rowCount; row++) {
      let slot = this.hashes[row] & mask;
      while (slots[slot] >= 0) slot = slot + 1 & mask;
      slots[slot] = row;
    }
    this.slots = slots;
  }
};

// src/model/strings.ts
var decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
var encoder = new TextEncoder();
function stringAt(strings, id) {
  if (id < 0) return "";
  const from = strings.start[id];
  const to = strings.start[id + 1];
  return decodeBytes(strings.bytes, from, to);
}
function stringCount(strings) {
  return strings.start.length - 1;
}
function decodeBytes(bytes, from, to) {
  if (to - from < 24) {
    let out = "";
    for (let i = from; i < to; i++) {
      const c = bytes[i];
      if (c >= 128) return decoder.decode(bytes.subarray(from, to));
      out += String.fromCharCode(c);
    }
    return out;
  }
  return decoder.decode(bytes.subarray(from, to));
}
function hashOf(bytes, from, to) {
  let hash = to - from;
  let i = from;
  for (; i + 4 <= to; i += 4) {
    const word = bytes[i] | bytes[i + 1] << 8 | bytes[i + 2] << 16 | bytes[i + 3] << 24;
    hash = Math.imul((hash << 5 | hash >>> 27) ^ word, 2654435761);
  }
  for (; i < to; i++) hash = Math.imul((hash << 5 | hash >>> 27) ^ bytes[i], 2654435761);
  hash = Math.imul(hash ^ hash >>> 16, 2246822507);
  hash = Math.imul(hash ^ hash >>> 13, 3266489909);
  return hash ^ hash >>> 16;
}
var Interner = class extends HashTable {
  bytes = new Uint8Array(1 << 16);
  used = 0;
  start = new Uint32Array(1 << 12);
  /** The bytes being looked up. */
  source = new Uint8Array(0);
  from = 0;
  length = 0;
  /** The id of bytes[from..to). */
  bytesId(source, from, to) {
    const hash = hashOf(source, from, to);
    this.source = source;
    this.from = from;
    this.length = to - from;
    const known2 = this.find(hash);
    return known2 >= 0 ? known2 : this.add(hash);
  }
  textId(text3) {
    const bytes = encoder.encode(text3);
    return this.bytesId(bytes, 0, bytes.length);
  }
  text(id) {
    return id < 0 ? "" : decodeBytes(this.bytes, this.start[id], this.start[id + 1]);
  }
  finish() {
    return { bytes: this.bytes.slice(0, this.used), start: this.start.slice(0, this.rowCount + 1) };
  }
  /** Reserves room for `times` × the current strings. */
  expect(times) {
    this.bytes = enlarged(this.bytes, Math.min(MOST_EXPECTED, Math.ceil(this.used * times)));
    const strings = Math.min(MOST_EXPECTED, Math.ceil(this.rowCount * times));
    this.start = enlarged(this.start, strings);
    this.reserve(strings);
  }
  isWanted(id) {
    const { source, from, length, start: start2, bytes } = this;
    const at = start2[id];
    if (start2[id + 1] - at !== length) return false;
    for (let i = 0; i < length; i++) if (bytes[at + i] !== source[from + i]) return false;
    return true;
  }
  add(hash) {
    const { source, from, length } = this;
    if (this.used + length > this.bytes.length)
      this.bytes = enlarged(this.bytes, Math.max(this.bytes.length * 2, this.used + length));
    if (this.rowCount + 2 > this.start.length) this.start = enlarged(this.start, this.start.length * 2);
    const { bytes, used } = this;
    if (length < 64) for (let i = 0; i < length; i++) bytes[used + i] = source[from + i];
    else bytes.set(source.subarray(from, from + length), used);
    this.used += length;
    this.start[this.rowCount + 1] = this.used;
    return this.insert(hash);
  }
};
function enlarged(from, length) {
  if (length <= from.length) return from;
  const next = new from.constructor(length);
  next.set(from);
  return next;
}

// src/formats/aprof/points.ts
var LAYOUTS = {
  4: ["sum", "calls"],
  7: ["min", "max", "sum", "sumSquares", "calls"],
  8: ["min", "max", "sum", "calls", "real", "selfSum"],
  10: ["min", "max", "sum", "calls", "real", "selfSum", "selfMin", "selfMax"],
  12: ["min", "max", "sum", "sumSquares", "calls", "real", "selfSum", "selfMin", "selfMax", "selfSumSquares"]
};
var FULL = LAYOUTS[12];
var INPUT = [...FULL, null, null, "syscall", "thread", "selfSyscall", "selfThread"];
var COUNTS = [[4, 12, 18], [7], [8], [10], [12, 18], [12, 18], [12, 18]];
function countsOf(version) {
  return COUNTS[Math.min(version, COUNTS.length - 1)];
}
function layoutOf(count) {
  return count === 18 ? INPUT : LAYOUTS[count];
}
var MOST = 18;
var LARGEST_COST = 2n ** 64n - 1n;
var NumberReader = class {
  values = new Float64Array(MOST + 1);
  /** Exact values of numbers beyond 2^53. */
  wide = new Array(MOST + 1).fill(void 0);
  anyWide = false;
  count = 0;
  /** What is wrong with the line; undefined if it is valid. */
  problem;
  /** Reads the non-negative decimal integers in bytes[from..to), separated by blanks or tabs. */
  read(bytes, from, to) {
    if (this.anyWide) this.wide.fill(void 0);
    this.anyWide = false;
    this.count = 0;
    this.problem = void 0;
    let at = from;
    while (at < to) {
      let c = bytes[at];
      if (c === 32 || c === 9) {
        at++;
        continue;
      }
      const start2 = at;
      let value = 0;
      while (at < to && (c = bytes[at]) !== 32 && c !== 9) {
        if (c < 48 || c > 57) return this.odd(bytes, start2, to);
        value = value * 10 + (c - 48);
        at++;
      }
      if (this.count > MOST) {
        this.problem = `more than ${MOST} numbers`;
        return;
      }
      if (at - start2 > 15 && !(value <= Number.MAX_SAFE_INTEGER)) {
        const exact = BigInt(text(bytes, start2, at));
        this.wide[this.count] = exact;
        this.anyWide = true;
        value = Number(exact);
      }
      this.values[this.count++] = value;
    }
  }
  odd(bytes, start2, to) {
    let end = start2;
    while (end < to && bytes[end] !== 32 && bytes[end] !== 9) end++;
    const word = text(bytes, start2, end).slice(0, 30);
    this.problem = /^-\d+$/.test(word) ? `the negative number ${word}` : `"${word}", which is not a decimal integer`;
  }
  /** A cost beyond 2^64 - 1 in a field of the layout; only sums of squares may be that large, in merged reports. */
  costProblem(layout) {
    if (!this.anyWide) return void 0;
    for (let i = 0; i < layout.length; i++) {
      const exact = this.wide[i + 2];
      const field = layout[i];
      if (exact !== void 0 && field !== "sumSquares" && field !== "selfSumSquares" && exact > LARGEST_COST)
        return `${exact}, above 2^64 - 1`;
    }
    return void 0;
  }
};
function text(bytes, from, to) {
  let out = "";
  for (let i = from; i < to; i++) out += String.fromCharCode(bytes[i]);
  return out;
}

// src/formats/aprof/report.ts
var QUOTE = 34;
var NEWEST = 6;
var LARGEST_ID = 2 ** 32 - 1;
var Report = class {
  part;
  sink;
  rows;
  contexts;
  path;
  firstRow;
  firstContext;
  numbers = new NumberReader();
  locals = [];
  localOf = /* @__PURE__ */ new Map();
  /** The routine of the last r line: the tool writes the points of its contexts after it. */
  current = -1;
  version;
  pending = [];
  header = /* @__PURE__ */ new Map();
  total;
  comments = [];
  contextIds = /* @__PURE__ */ new Map();
  hasInput = false;
  lineNo = 0;
  /** Lines that were understood. */
  known = 0;
  constructor(sink, tables, path) {
    this.sink = sink;
    const rows = tables.points;
    this.rows = rows;
    this.contexts = tables.contexts;
    this.path = path;
    this.part = sink.parts.length;
    this.firstRow = rows.rows;
    this.firstContext = this.contexts.length;
  }
  /** Reports a line that is left out. The first one marks the profile as incomplete. */
  wrong(line, expected, found) {
    const problem = { path: this.path, line, expected, found };
    if (this.sink.cut) this.sink.warn(problem);
    else this.sink.cut = { ...problem, sign: "LINES LEFT OUT", hint: "invalid lines are left out; Info lists them" };
  }
  odd(line, expected, found) {
    this.sink.warn({ path: this.path, line, expected, found });
  }
  /** Takes one line, without its line end. */
  line(bytes, from, to) {
    this.lineNo++;
    while (to > from && (bytes[to - 1] === 13 || bytes[to - 1] === 32 || bytes[to - 1] === 9)) to--;
    while (from < to && (bytes[from] === 32 || bytes[from] === 9)) from++;
    if (from === to) return;
    const tag = bytes[from];
    const single = from + 1 === to || bytes[from + 1] === 32 || bytes[from + 1] === 9;
    if (single && (tag === 112 || tag === 113))
      return this.point(String.fromCharCode(tag), bytes, from + 1, to, this.lineNo, this.current);
    if (single && tag === 120) return this.context(bytes, from + 1, to);
    if (single && tag === 114) return this.routine(bytes, from + 1, to);
    this.other(decodeBytes(bytes, from, to));
  }
  point(tag, bytes, from, to, line, local) {
    if (this.version === void 0) {
      this.pending.push({ tag, bytes: bytes.slice(from, to), line, local });
      return;
    }
    const { numbers, rows } = this;
    numbers.read(bytes, from, to);
    const expected = `a ${tag} line with ${countsOf(this.version).join(" or ")} numbers`;
    if (numbers.problem !== void 0) return this.wrong(line, `${expected}, decimal and non-negative`, numbers.problem);
    if (!countsOf(this.version).includes(numbers.count)) return this.wrong(line, expected, `${numbers.count} numbers`);
    const layout = layoutOf(numbers.count);
    const { values } = numbers;
    const large = numbers.costProblem(layout);
    if (large !== void 0) return this.wrong(line, "costs up to 2^64 - 1", large);
    if (values[0] > LARGEST_ID)
      return this.wrong(line, `${tag === "p" ? "a routine" : "a context"} id up to 2^32 - 1`, `${values[0]}`);
    this.known++;
    const owner = tag === "p" ? this.local(values[0], line) : local;
    rows.push(owner, tag === "p" ? -1 : values[0], this.part, values[1], line);
    for (let i = 0; i < layout.length; i++) {
      const field = layout[i];
      if (field) rows.set(field, numbers.wide[i + 2] ?? values[i + 2]);
    }
    if (numbers.count === 18) this.hasInput = true;
    this.checkPoint(layout, line);
  }
  /** Warns of numbers that contradict each other; they are kept unchanged. */
  checkPoint(layout, line) {
    const { values } = this.numbers;
    const of = (field) => {
      const i = layout.indexOf(field);
      return i < 0 ? void 0 : values[i + 2];
    };
    const [min, max, sum4, calls] = [of("min"), of("max"), of("sum"), of("calls")];
    const [real, selfSum, selfMax, squares] = [of("real"), of("selfSum"), of("selfMax"), of("sumSquares")];
    let found;
    if (calls === 0) found = sum4 === 0 && !max ? void 0 : "a cost for 0 calls";
    else if (min !== void 0 && max !== void 0 && min > max) found = `a best cost ${min} above the worst ${max}`;
    else if (max !== void 0 && sum4 !== void 0 && max > sum4) found = `a worst cost ${max} above the sum ${sum4}`;
    else if (real !== void 0 && sum4 !== void 0 && real > sum4) found = `real-sum ${real} above the sum ${sum4}`;
    else if (selfSum !== void 0 && sum4 !== void 0 && selfSum > sum4) found = `self-sum ${selfSum} above the sum ${sum4}`;
    else if (selfMax !== void 0 && max !== void 0 && selfMax > max)
      found = `a worst self cost ${selfMax} above the worst ${max}`;
    else if (squares !== void 0 && max !== void 0 && max < 2 ** 26 && squares < max * max)
      found = `a sum of squares ${squares}, less than the worst cost ${max} squared`;
    if (calls === 0 && found === void 0 && layout.includes("calls")) found = "0 calls";
    if (found !== void 0) this.odd(line, "consistent numbers", found);
  }
  local(id, line) {
    let at = this.localOf.get(id);
    if (at === void 0) {
      at = this.locals.push({ id, line, routine: -1 }) - 1;
      this.localOf.set(id, at);
    }
    return at;
  }
  context(bytes, from, to) {
    const words2 = decodeBytes(bytes, from, to).trim().split(/[ \t]+/);
    const expected = "x ROUTINE CONTEXT PARENT";
    if (words2.length !== 3) return this.wrong(this.lineNo, expected, `${words2.filter((w2) => w2).length} numbers`);
    const [routine, id, parent] = words2.map((w2) => /^-?\d{1,10}$/.test(w2) ? Number(w2) : Number.NaN);
    if (!(routine >= 0) || !(id >= 0)) return this.wrong(this.lineNo, expected, `"${words2.join(" ")}"`);
    if (!(parent >= -1)) return this.wrong(this.lineNo, `${expected}, with -1 for no parent`, `parent ${words2[2]}`);
    const known2 = this.contextIds.get(id);
    if (known2) {
      if (known2.routine !== routine || known2.parent !== parent)
        this.odd(this.lineNo, "each context once", `context ${id} again, with another routine or parent; the first one is used`);
      return;
    }
    this.known++;
    this.contextIds.set(id, { routine, parent });
    this.contexts.push({ id, parent, routine: this.local(routine, this.lineNo), part: this.part, line: this.lineNo });
  }
  /** Names are not escaped and may contain quotes: the outermost quotes delimit them. */
  routine(bytes, from, to) {
    const expected = 'r "NAME" "IMAGE" ID';
    const words2 = decodeBytes(bytes, from, to).trim();
    const open2 = bytes.indexOf(QUOTE, from);
    const close2 = bytes.subarray(0, to).lastIndexOf(QUOTE);
    let name;
    let image;
    let idText2;
    if (open2 < 0 || open2 >= to) {
      const old = /^(\S+) (0x[0-9a-f]+) (.+) (\d+)$/i.exec(words2);
      if (!old || (this.version ?? 0) > 0) return this.wrong(this.lineNo, expected, "names without quotes");
      [name, image, idText2] = [old[1], old[3], old[4]];
    } else {
      const imageOpen = bytes.subarray(0, close2).lastIndexOf(QUOTE);
      const nameClose = bytes.subarray(0, Math.max(0, imageOpen)).lastIndexOf(QUOTE);
      idText2 = decodeBytes(bytes, close2 + 1, to).trim();
      if (idText2 === "") return this.wrong(this.lineNo, expected, "no id");
      if (nameClose <= open2 && !(nameClose === open2 && imageOpen > open2)) return this.wrong(this.lineNo, expected, "no image");
      if (nameClose === open2) return this.wrong(this.lineNo, expected, "no image");
      if (decodeBytes(bytes, nameClose + 1, imageOpen).trim() !== "" || decodeBytes(bytes, from, open2).trim() !== "")
        return this.wrong(this.lineNo, expected, "text outside the quotes");
      name = decodeBytes(bytes, open2 + 1, nameClose);
      image = decodeBytes(bytes, imageOpen + 1, close2);
    }
    if (!/^\d{1,10}$/.test(idText2) || Number(idText2) > LARGEST_ID)
      return this.wrong(this.lineNo, `${expected}, a number up to 2^32 - 1`, `the id "${idText2}"`);
    this.known++;
    const at = this.local(Number(idText2), this.lineNo);
    this.current = at;
    const local = this.locals[at];
    const { strings } = this.sink;
    if (local.name !== void 0) {
      if (local.name !== name)
        this.odd(this.lineNo, "each routine once", `routine ${idText2} again, now ${name}; it stays ${local.name}`);
      return;
    }
    local.name = name;
    const object = this.sink.object(strings.textId(image));
    const known2 = this.sink.findRoutine(strings.textId(name), -1, object);
    const taken = known2 >= 0 && this.locals.some((l2) => l2 !== local && l2.routine === known2);
    local.routine = this.sink.routine(strings.textId(taken ? `${name} #${idText2}` : name), -1, object);
  }
  other(text3) {
    const space = text3.search(/[ \t]/);
    const tag = space < 0 ? text3 : text3.slice(0, space);
    const rest = space < 0 ? "" : text3.slice(space + 1).trim();
    switch (tag) {
      case "c":
        this.known++;
        this.comments.push(rest);
        return;
      case "v":
        if (!/^\d{1,4}$/.test(rest)) return this.wrong(this.lineNo, "v VERSION", `"${rest}"`);
        if (this.version === void 0) this.setVersion(Number(rest));
        this.known++;
        return;
      case "k": {
        if (!/^\d{1,20}$/.test(rest)) return this.wrong(this.lineNo, "k TOTAL, a decimal number", `"${rest}"`);
        if (this.total !== void 0 && this.total !== BigInt(rest))
          this.odd(this.lineNo, "one k line", `another k line: ${rest} after ${this.total}; the last one is used`);
        this.total = BigInt(rest);
        this.known++;
        return;
      }
      case "u":
      case "d": {
        const m = /^(\d{1,10})[ \t]+"(.*)"$/.exec(rest);
        if (!m) return this.wrong(this.lineNo, `${tag} ID "NAME"`, `"${rest}"`);
        this.local(Number(m[1]), this.lineNo);
        this.known++;
        return;
      }
      case "t":
        this.header.set(/^(1|2|4|8|16)$/.test(rest) ? "resolution" : "created", rest);
        this.known++;
        return;
      case "e":
      case "m":
      case "i":
      case "a":
      case "f":
        this.header.set(tag, rest);
        this.known++;
        return;
      case "fav":
        return;
      default:
        this.odd(
          this.lineNo,
          "one of the tags v e t c f a m k i r u d p x q",
          `unknown tag ${tag.slice(0, 20)}; its line is left out`
        );
    }
  }
  setVersion(version) {
    this.version = version;
    if (version > NEWEST) this.odd(this.lineNo, `versions up to ${NEWEST}`, `version ${version}; read as version ${NEWEST}`);
    const { pending } = this;
    this.pending = [];
    for (const p2 of pending) this.point(p2.tag, p2.bytes, 0, p2.bytes.length, p2.line, p2.local);
  }
  finish() {
    const { sink, path, header } = this;
    if (this.version === void 0) this.setVersion(0);
    const metric = header.get("m") || "bb-count";
    const isTime = metric === "time-usec";
    if (!sink.eventNames.includes(metric)) sink.eventNames.push(metric);
    if (!sink.eventNotes.some((n) => n.name === metric))
      sink.eventNotes.push({ name: metric, path, unit: isTime ? "us" : "count" });
    const input = header.get("i");
    this.rows.metric ??= (input === "rvms" ? "drms" : input) ?? (this.hasInput ? "drms" : "rms");
    if (this.rows.metric !== "drms") this.rows.misses = "the input comes from sources that rms does not count (aprof --drms=yes)";
    const command = header.get("f");
    const app = header.get("a");
    sink.command ??= (command && command !== "(null)" ? command : app) || null;
    sink.creator ??= "aprof";
    this.resolve();
    const self = this.selfTotal();
    const total = this.total ?? null;
    if (total !== null && self > Number(total) && total > 0n)
      sink.warn({
        path,
        expected: `a total (k) of at least the cost of all routines, ${self}`,
        found: `total ${total}; percentages are of the cost of all routines`
      });
    const name = /_(\d+)_(\d+)_(\d+)\.aprof(?:\.gz)?$/.exec(path);
    const notes = [
      `version ${this.version}; sizes are ${input ?? "rms"}${header.has("resolution") ? ` in cells of ${header.get("resolution")} bytes` : ""}`,
      ...header.has("created") ? [`created ${header.get("created")}`] : [],
      ...header.has("e") ? [executableTime(header.get("e"))] : [],
      ...this.comments.filter((c) => /\w/.test(c)),
      ...this.version === 0 && this.rows.fields.size <= 2 ? ["version 0 has one cost a point: taken as the sum of its calls"] : [],
      ...this.version < 2 ? ["without real-sum: inclusive cost counts recursion again"] : []
    ];
    sink.addPart({
      path,
      thread: name ? Number(name[2]) : null,
      pid: name ? Number(name[1]) : null,
      command: sink.command,
      notes,
      events: [metric],
      summary: total === null ? null : [total <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(total) : total]
    });
  }
  /** Replaces owners by routines of the sink; those that no r line names get a placeholder. */
  resolve() {
    const { sink, rows, locals } = this;
    for (const local of locals) {
      if (local.routine < 0) {
        this.odd(local.line, "an r line for every routine", `no r line for routine ${local.id}; it has no name`);
        local.routine = sink.routine(sink.strings.textId(`??? (routine ${local.id})`), -1, -1);
      }
    }
    const nobody = () => sink.routine(sink.strings.textId("???"), -1, -1);
    for (let i = this.firstRow; i < rows.rows; i++) {
      const local = rows.routine.data[i];
      rows.routine.data[i] = local < 0 ? nobody() : locals[local].routine;
    }
    for (let c = this.firstContext; c < this.contexts.length; c++) {
      const note = this.contexts[c];
      this.contexts[c] = { ...note, routine: locals[note.routine].routine };
    }
  }
  selfTotal() {
    const self = this.rows.fields.get("selfSum");
    let sum4 = 0;
    if (self) for (let i = this.firstRow; i < Math.min(this.rows.rows, self.length); i++) sum4 += self.data[i] || 0;
    return sum4;
  }
};
function executableTime(text3) {
  const seconds = Number(text3);
  if (!/^\d+$/.test(text3) || seconds === 0 || seconds > 8e12) return `executable of ${text3 === "0" ? "no known time" : text3}`;
  return `executable of ${new Date(seconds * 1e3).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

// src/formats/aprof/index.ts
var LINE = /^(c( .*)?|v \d+|k +\d+|e \S+|t .+|m [\w-]+|i \w+|[af] .*|r .+ \d+|[ud] \d+ ".*"|[pq][ \t]+\d[\d \t]*|x \d+ \d+ -?\d+|fav .*)\s*$/;
function detect(head, path) {
  const text3 = headText(head);
  if (text3.includes("\0")) return "no";
  const lines = text3.split("\n");
  if (lines.length > 1) lines.pop();
  const said = lines.filter((l2) => l2.trim() !== "");
  const good = said.filter((l2) => LINE.test(l2.trim()));
  if (good.some((l2) => /^c report generated by aprof/.test(l2))) return "yes";
  const telling = good.some((l2) => /^(r |[pq] |x |v \d|k )/.test(l2.trim()));
  if (telling && good.length >= 2 && good.length * 2 >= said.length) return "yes";
  return good.length > 0 && /\.aprof(\.gz)?$/.test(path) ? "maybe" : "no";
}
async function load(source, sink, signal) {
  const report = new Report(sink, sink.tables(InputWriter), source.path);
  const wrongBefore = sink.cut;
  const { read, rest } = await readLines(source, signal, (bytes, from, to) => report.line(bytes, from, to));
  if (read === 0) throw new FormatError({ path: source.path, line: 0, expected: "an aprof report", found: "an empty file" });
  const last = report.lineNo + 1;
  if (rest.length > 0) report.line(rest, 0, rest.length);
  report.finish();
  if (sink.cut && rest.length > 0 && [sink.cut, ...sink.warnings].some((w2) => w2.path === source.path && w2.line === last)) {
    const problem = sink.cut.line === last ? sink.cut : sink.warnings.find((w2) => w2.path === source.path && w2.line === last);
    sink.cut = wrongBefore ?? {
      ...problem,
      sign: "CUT OFF",
      hint: "the file was cut off within this line: only what comes before it is shown"
    };
  }
  if (report.known === 0) {
    throw new FormatError({ path: source.path, line: 1, expected: "lines of an aprof report (v k m r p \u2026)", found: "none" });
  }
}
var aprof = {
  name: "aprof",
  title: "aprof report: cost by input size (valgrind --tool=aprof)",
  provides: ["routines", "inputs", "contexts", "calls"],
  options: { contexts: "--collect-cct=yes", calls: "--collect-cct=yes" },
  make: "valgrind --tool=aprof --collect-cct=yes ./program",
  fileNames: /\.aprof(\.gz)?$/,
  detect,
  run: {
    // PROGRAM_PID_THREAD_RESOLUTION.aprof: one file per thread.
    stem: (name) => /^(.+_\d+)_\d+_\d+\.aprof(?:\.gz)?$/.exec(name)?.[1],
    place: (rest) => {
      const m = /^_(\d+)_\d+\.aprof(?:\.gz)?$/.exec(rest);
      return m ? { part: 0, thread: Number(m[1]) } : void 0;
    },
    together: true
  },
  load
};

// src/model/processes/writer.ts
var ProcessWriter = class {
  notes = [];
  sink;
  constructor(sink) {
    this.sink = sink;
  }
  get rows() {
    return this.notes.length;
  }
  push(note) {
    this.notes.push(note);
  }
  /** A build trace has no cost: its one event counts the programs. */
  finish() {
    return {
      kind: "processes",
      events: [{ name: "events", unit: "count", longName: "programs executed", terms: [[1, 0]] }],
      columns: 1,
      processes: this.tables()
    };
  }
  tables() {
    const { notes, sink } = this;
    const n = notes.length;
    const text3 = (t2) => sink.strings.textId(t2);
    const argStart = new Uint32Array(n + 1);
    const envStart = new Uint32Array(n + 1);
    notes.forEach((note, i) => {
      argStart[i + 1] = argStart[i] + note.args.length;
      envStart[i + 1] = envStart[i] + note.env.length;
    });
    const args = new Uint32Array(argStart[n]);
    const envName = new Uint32Array(envStart[n]);
    const envValue = new Int32Array(envStart[n]);
    notes.forEach((note, i) => {
      note.args.forEach((a2, k) => {
        args[argStart[i] + k] = text3(a2);
      });
      note.env.forEach(([name, value], k) => {
        envName[envStart[i] + k] = text3(name);
        envValue[envStart[i] + k] = value === null ? -1 : text3(value);
      });
    });
    return {
      id: Uint32Array.from(notes, (p2) => text3(p2.id)),
      parent: this.parents(),
      part: Uint32Array.from(notes, (p2) => p2.part),
      line: Uint32Array.from(notes, (p2) => p2.line),
      executable: Uint32Array.from(notes, (p2) => text3(p2.executable)),
      directory: Int32Array.from(notes, (p2) => p2.directory === null ? -1 : text3(p2.directory)),
      argStart,
      args,
      envStart,
      envName,
      envValue
    };
  }
  /** The latest earlier event with the parent's id, else the first later one; -1 for roots. What would close a cycle is a root. */
  parents() {
    const { notes, sink } = this;
    const parent = new Int32Array(notes.length).fill(-1);
    const latest = /* @__PURE__ */ new Map();
    const first = /* @__PURE__ */ new Map();
    notes.forEach((p2, i) => {
      const key = `${p2.part} ${p2.id}`;
      if (!first.has(key)) first.set(key, i);
    });
    const warn = (i, found) => sink.warn({ path: sink.parts[notes[i].part].path, line: notes[i].line, expected: "a valid parent_id", found });
    notes.forEach((p2, i) => {
      if (p2.parentId !== null && p2.parentId !== "-1") {
        const key = `${p2.part} ${p2.parentId}`;
        const at = latest.get(key) ?? first.get(key);
        if (at === void 0) warn(i, `${p2.parentId}, which no event has: event ${p2.id} is shown at the top`);
        else if (at === i) warn(i, `its own id ${p2.id}: it is shown at the top`);
        else parent[i] = at;
      }
      latest.set(`${p2.part} ${p2.id}`, i);
    });
    cutCircles(parent, (k) => warn(k, `${notes[k].parentId}, which is below it: event ${notes[k].id} is shown at the top`));
    return parent;
  }
};

// src/formats/shared/json.ts
var QUOTE2 = 34;
var BACKSLASH = 92;
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function isBlank(c) {
  return c === 32 || c === 10 || c === 13 || c === 9;
}
function valueEnd(bytes, at, end) {
  const first = bytes[at];
  if (first === QUOTE2) return stringEnd(bytes, at, end);
  if (first !== 123 && first !== 91) {
    let i = at;
    while (i < end && !isBlank(bytes[i]) && bytes[i] !== 44 && bytes[i] !== 93 && bytes[i] !== 125) i++;
    return i < end ? i : -1;
  }
  let depth = 0;
  for (let i = at; i < end; i++) {
    const c = bytes[i];
    if (c === QUOTE2) {
      i = stringEnd(bytes, i, end) - 1;
      if (i < 0) return -1;
    } else if (c === 123 || c === 91) depth++;
    else if (c === 125 || c === 93) {
      if (--depth === 0) return i + 1;
    }
  }
  return -1;
}
function stringEnd(bytes, at, end) {
  for (let i = at + 1; i < end; i++) {
    const c = bytes[i];
    if (c === QUOTE2) return i + 1;
    if (c === BACKSLASH) i++;
  }
  return -1;
}
var decoder2 = new TextDecoder("utf-8");
function parseValue(bytes, from, to) {
  try {
    return JSON.parse(decoder2.decode(bytes.subarray(from, to)));
  } catch {
    return void 0;
  }
}
var LARGEST = 256 << 20;
var ListSplitter = class {
  handler;
  list;
  state = "start";
  /** Bytes of the file consumed so far. */
  offset = 0;
  failed = false;
  /** The list was found, or the top level is an array. */
  found = false;
  constructor(list2, handler) {
    this.list = list2;
    this.handler = handler;
  }
  /** Consumes the complete values and what separates them; returns how many bytes that was. */
  take(bytes) {
    const used = this.failed || this.state === "done" ? bytes.length : this.values(bytes);
    if (bytes.length - used > LARGEST) this.fail(0, `a value of more than ${LARGEST} bytes`);
    this.offset += used;
    return used;
  }
  /** Where an incomplete file ends, and whether inside a value; undefined if it is complete. `rest`: its bytes not yet taken. */
  end(rest) {
    if (this.failed || this.state === "done") return void 0;
    const text3 = decoder2.decode(rest).replace(/^[\s,]+/, "");
    return { offset: this.offset + rest.length, inside: text3 !== "" };
  }
  fail(at, found) {
    this.failed = true;
    this.handler.wrong(this.offset + at, found);
  }
  values(bytes) {
    const end = bytes.length;
    let at = 0;
    if (this.state === "start" && this.offset === 0) at = markLength(bytes);
    for (; ; ) {
      while (at < end && (isBlank(bytes[at]) || bytes[at] === 44)) at++;
      if (at >= end) return end;
      const c = bytes[at];
      if (this.state === "start") {
        if (c !== 91 && c !== 123) {
          this.fail(at, `"${String.fromCharCode(...bytes.subarray(at, at + 20))}"`);
          return end;
        }
        this.state = c === 91 ? "elements" : "members";
        this.found = c === 91;
        at++;
      } else if (this.state === "elements" || this.state === "list") {
        if (c === 93) {
          at++;
          this.state = this.state === "list" ? "members" : "done";
          if (this.state === "done") return end;
          continue;
        }
        const to = valueEnd(bytes, at, end);
        if (to < 0) return at;
        if (to === at) {
          this.fail(at, `"${String.fromCharCode(c)}"`);
          return end;
        }
        this.handler.element(parseValue(bytes, at, to), this.offset + at);
        at = to;
      } else {
        if (c === 125) {
          this.state = "done";
          return end;
        }
        const to = this.member(bytes, at, end);
        if (to < 0) return at;
        at = to;
      }
    }
  }
  /** Returns the position after a member, or after the list's opening bracket; -1 if the member is incomplete. */
  member(bytes, at, end) {
    if (bytes[at] !== QUOTE2) {
      this.fail(at, `"${String.fromCharCode(bytes[at])}" where a key should be`);
      return end;
    }
    const keyEnd = valueEnd(bytes, at, end);
    if (keyEnd < 0) return -1;
    let i = keyEnd;
    while (i < end && (isBlank(bytes[i]) || bytes[i] === 58)) i++;
    if (i >= end) return -1;
    const key = String(parseValue(bytes, at, keyEnd));
    if (key === this.list && bytes[i] === 91) {
      this.state = "list";
      this.found = true;
      return i + 1;
    }
    const to = valueEnd(bytes, i, end);
    if (to < 0) return -1;
    this.handler.member(key, parseValue(bytes, i, to), this.offset + i);
    return to;
  }
};

// src/formats/build-trace.ts
var LONG = 1 << 20;
var LONGEST = 64 << 20;
function detect2(head, path) {
  const text3 = headText(head).trimStart();
  if (/^\{\s*"version"\s*:\s*"?\d+"?\s*\}/.test(text3) || /^\{\s*"creator"\s*:\s*"[^"]*(kw|trace)/.test(text3)) return "yes";
  if (/^\{[^\n]*"(parent_id|work_dir|executable)"\s*:/.test(text3) && /"(executable|args)"\s*:/.test(text3)) return "yes";
  return /\.trace$/.test(path) && text3.startsWith("{") && !/"traceEvents"/.test(text3) ? "maybe" : "no";
}
var Reader = class {
  sink;
  rows;
  path;
  part;
  version;
  creator = null;
  variables = 0;
  events = 0;
  problems = 0;
  /** Lines of an unfinished object, how many of its braces and brackets are open, and its size in bytes. */
  pending = [];
  open = 0;
  kept = 0;
  pendingLine = 0;
  lineNo = 0;
  known = 0;
  constructor(sink, rows, path) {
    this.sink = sink;
    this.rows = rows;
    this.path = path;
    this.part = sink.parts.length;
  }
  problem(line, found) {
    this.problems++;
    this.sink.warn({
      path: this.path,
      line,
      expected: "a JSON object with version, creator, env or id",
      found: `${found.slice(0, 80)}; left out`
    });
  }
  /** One line without its line end; `ended`: it had one. */
  line(bytes, ended) {
    this.lineNo++;
    if (this.pending.length === 0) this.take(bytes, this.lineNo);
    else this.goOn(bytes);
    if (ended && this.open === IN_STRING) this.dropPending();
  }
  /** Reads the complete objects at the start of the bytes; returns how many bytes they were. */
  objectsAt(bytes) {
    if (this.pending.length > 0) return 0;
    for (let at = 0; ; ) {
      while (at < bytes.length && (isBlank(bytes[at]) || bytes[at] === 44)) at++;
      const to = bytes[at] === 123 ? valueEnd(bytes, at, bytes.length) : -1;
      const value = to < 0 ? void 0 : parseValue(bytes, at, to);
      if (value === void 0) return at;
      this.object(value, this.lineNo + 1, decodeBytes(bytes, at, Math.min(to, at + 4096)));
      at = to;
    }
  }
  /** Reads what it can of a long line before its end arrives: a whole build on one line need not be held in memory. */
  begin(bytes) {
    if (bytes.length <= LONG) return 0;
    const taken = this.objectsAt(bytes);
    const left = bytes.length - taken;
    if (left <= LONGEST) return taken;
    this.problem(this.lineNo + 1, `${left} bytes without a complete object`);
    return bytes.length;
  }
  goOn(bytes) {
    if (startsObject(bytes)) {
      const end = valueEnd(bytes, firstByte(bytes), bytes.length);
      const value = end > 0 ? parseValue(bytes, firstByte(bytes), end) : void 0;
      if (isObject(value) && isEvent(value)) {
        this.dropPending();
        return this.take(bytes, this.lineNo);
      }
    }
    this.keep(bytes);
    if (this.open > 0 || this.open === IN_STRING) {
      if (this.kept > LONGEST) this.dropPending();
      return;
    }
    const joined = joinBytes(this.pending.flatMap((piece, i) => i === 0 ? [piece] : [NEWLINE, piece]));
    this.pending = [];
    this.take(joined, this.pendingLine);
  }
  keep(bytes) {
    this.open = openAfter(bytes, this.open);
    this.kept += bytes.length;
    this.pending.push(bytes.slice());
  }
  dropPending() {
    const first = this.pending[0];
    if (first) this.problem(this.pendingLine, `unclosed object ${decodeBytes(first, 0, Math.min(60, first.length))} \u2026`);
    this.pending = [];
    this.open = 0;
  }
  /** Reads the objects in some bytes; an unfinished one is kept. */
  take(bytes, line) {
    const end = bytes.length;
    let at = 0;
    for (; ; ) {
      while (at < end && (isBlank(bytes[at]) || bytes[at] === 44)) at++;
      if (at >= end) return;
      if (bytes[at] !== 123) {
        const next = bytes.indexOf(123, at);
        this.problem(line, decodeBytes(bytes, at, next < 0 ? end : next).trim());
        if (next < 0) return;
        at = next;
      }
      const to = valueEnd(bytes, at, end);
      if (to < 0) {
        this.open = 0;
        this.kept = 0;
        this.keep(bytes.subarray(at));
        this.pendingLine = line;
        if (this.open === 0) this.dropPending();
        return;
      }
      const value = parseValue(bytes, at, to);
      if (value === void 0) return this.problem(line, decodeBytes(bytes, at, Math.min(end, at + 80)));
      if (isObject(value)) this.object(value, line, decodeBytes(bytes, at, Math.min(to, at + 4096)));
      at = to;
    }
  }
  object(value, line, text3) {
    this.known++;
    if ("id" in value || "executable" in value || "args" in value) return this.event(value, line, text3);
    if ("version" in value) {
      const given = value["version"];
      this.version = String(given);
      const n = Number(given);
      if (Number.isInteger(n) && n >= 200)
        this.sink.warn({
          path: this.path,
          line,
          expected: "version 1.x",
          found: `version ${Math.floor(n / 100)}.${n % 100}; read as version 1.1`
        });
      return;
    }
    if ("creator" in value) {
      this.creator = String(value["creator"]);
      return;
    }
    if ("env" in value) {
      if (isObject(value["env"])) this.variables = Object.keys(value["env"]).length;
      return;
    }
    this.known--;
    this.problem(line, text3);
  }
  event(value, line, text3) {
    const args = Array.isArray(value["args"]) ? value["args"].map((a2) => typeof a2 === "string" ? a2 : JSON.stringify(a2)) : [];
    const executable = typeof value["executable"] === "string" ? value["executable"] : args[0] ?? "";
    const missing = ["id", "work_dir", "executable", "args"].filter((key) => value[key] === void 0 || value[key] === null);
    if (executable === "" && args.length === 0) return this.problem(line, `an event without ${missing.join(" and ")}`);
    if (missing.length > 0)
      this.sink.warn({
        path: this.path,
        line,
        expected: "an event with id, work_dir, executable and args",
        found: `an event without ${missing.join(", ")}; shown anyway`
      });
    this.events++;
    const diff = value["env-diff"];
    const env = isObject(diff) ? Object.entries(diff).map(([name, v]) => [name, v === null ? null : typeof v === "string" ? v : JSON.stringify(v)]) : [];
    this.rows.push({
      id: idText(value["id"], "id", text3),
      parentId: value["parent_id"] === void 0 || value["parent_id"] === null ? null : idText(value["parent_id"], "parent_id", text3),
      part: this.part,
      line,
      executable,
      directory: typeof value["work_dir"] === "string" ? value["work_dir"] : null,
      args,
      env
    });
  }
  finish(cutLine) {
    const { sink, path } = this;
    if (this.pending.length > 0 && cutLine) {
      sink.cut ??= {
        path,
        line: this.pendingLine,
        expected: "the end of an event",
        found: "the end of the file",
        hint: "the file was cut off: only complete events are shown"
      };
      this.problems++;
      this.pending = [];
    } else this.dropPending();
    if (this.version === void 0 && this.known > 0)
      sink.warn({ path, line: 1, expected: "a version", found: "no version; read as version 1.1" });
    sink.creator ??= this.creator;
    sink.addPart({
      path,
      notes: [
        `version ${this.version ?? "???"}; ${this.events} events, ${this.variables} variables at the start${this.problems > 0 ? `, ${this.problems} problems` : ""}`
      ],
      events: ["events"]
    });
  }
};
function firstByte(bytes) {
  let at = 0;
  while (at < bytes.length && isBlank(bytes[at])) at++;
  return at;
}
var IN_STRING = -1;
var NEWLINE = Uint8Array.of(10);
function openAfter(bytes, before) {
  let open2 = before;
  let inside = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === 34) inside = !inside;
    else if (inside) at += byte === 92 ? 1 : 0;
    else if (byte === 123 || byte === 91) open2++;
    else if (byte === 125 || byte === 93) open2--;
  }
  return inside ? IN_STRING : Math.max(0, open2);
}
var startsObject = (bytes) => bytes[firstByte(bytes)] === 123;
var isEvent = (v) => "id" in v && ("executable" in v || "args" in v) || "version" in v;
function idText(value, key, text3) {
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    const m = new RegExp(`"${key}"\\s*:\\s*([-+.\\deE]+)`).exec(text3);
    if (m) return m[1];
  }
  return value === void 0 ? "" : typeof value === "string" ? value : JSON.stringify(value);
}
async function load2(source, sink, signal) {
  const { path } = source;
  const reader = new Reader(sink, sink.tables(ProcessWriter), path);
  const { read, rest } = await readLines(
    source,
    signal,
    (bytes, from, to) => reader.line(bytes.subarray(from, to), true),
    (bytes) => reader.begin(bytes)
  );
  if (read === 0) throw new FormatError({ path, line: 0, expected: "a build trace", found: "an empty file" });
  if (rest.length > 0) reader.line(rest, false);
  reader.finish(rest.length > 0);
  if (reader.known === 0) throw new FormatError({ path, line: 1, expected: "JSON objects of a build trace", found: "none" });
}
var buildTrace = {
  name: "build-trace",
  title: "Klocwork build trace (kwinject): the commands of a build, without times",
  provides: ["processes"],
  make: "kwinject --trace-out build.trace make",
  fileNames: /\.trace(\.gz)?$/,
  detect: detect2,
  load: load2
};

// src/formats/loader.ts
var LAST_PART = Number.MAX_SAFE_INTEGER;

// src/formats/callgrind/digest-code.ts
var DIGEST_CODE = "AGFzbQEAAAABOAhgA39/fgF/YAJ/fwF/YAF/AX9gAX8BfmAFf39/f38Bf2AHf35/fn9+fgBgAABgBn9/fn9/fwF/Aw0MAwAEBQEBBgAHAAICBQQBAIABBs4BKX8BQQALfwFBAAt/AUEAC38BQQALfwFBAAt/AUEBC38BQQALfwFBAAt/AUEAC38BQQALfwFBAQt/AUEAC38BQQALfwFBAAt/AUEAC38BQQALfwFBAAt/AUF/C38BQX8LfwFBfwt/AUF/C38BQX8LfwFBAAt/AUEAC38BQQALfwFBAAt/AUEAC38BQQALfgFCAAt+AUIAC34BQgALfwFBAAt/AUEAC34BQgALfgFCAAt+AUIAC34BQgALfgFCAAt+AUIAC38BQQALfwFBAAsH1gEZBmRpZ2VzdAALBXBsYWNlAAoIYmFzZUhpZ2gDCAhiYXNlTGluZQMJB2Jhc2VMb3cDBwVjYWxscwMMA2NmaQMSA2NmbgMRA2NvYgMTBmV2ZW50cwMGCGZhckp1bXBzAxgIaGFzSW5zdHIDBAdoYXNMaW5lAwUDamZpAxQDamZuAxUFanVtcHMDDQVrbm93bgMKBWxpbmVkAxkFbGluZXMDEAVtYXJrcwMOBHJvd3MDCwdzZWdIaWdoAxYIc2VnTWl4ZWQDFwV3aWRlcwMPBm1lbW9yeQIACopLDMgBAgN/AX4gAC0AAEEwRgR/IAAtAAFBIHJB+ABGBUEACwRAIABBAmoiACECA0ACQCAALQAAIgNBMGsiAUEJSwRAIANBIHJB1wBrIgFBCkkgAUEPS3INAQsgAa0gBEIEhoQhBCAAQQFqIQAMAQsLQQAgACAAIAJGIAAgAmtBEEtyGyQbIAQPCyAAIQEDQCAALQAAQTBrIgJBCU0EQCACrSAEQgp+fCEEIABBAWohAAwBCwtBACAAIAAgAUYgACABa0ESS3IbJBsgBAtbAgF+AX8gAEEBaiAAIAAtAAAiBEErRiIARQRAIARBLUYhAAsgABsQACEDIxsgAUcgA0I+iEIAUnIEQEEADwsgAAR+IAIgA3wgAiADfSAEQStGGwUgAwskHUEBC9gCAgN/AX4DQCAALQAAIgVBCkcEQAJAIAVBDUYEfyAALQABQQpGBUEACwRAIABBAWohAAwBC0IAIQggACEFA0AgAC0AAEEwayIHQQlNBEAgB60gCEIKfnwhCCAAQQFqIQAMAQsLQQAgACAAIAVGIAAgBWtBD0tyGyQbIxtFIAYjBk5yBEBBAA8LIxsiAC0AACIFQQpGIAVBIEZyIAVBDUZyIAVBCUZyRQRAQQAPCyADIAQgBmwgAmpBAnRqIAg+AgAgCEL/////D1YEQCMPQRhsQcCI6gJqIgUgATYCACAFIAI2AgQgBSAGNgIIIAUgCLo5AxAjD0EBaiQPCyAGQQFqIQYDQCAALQAAQSBGBH9BAQUgAC0AAEEJRgsEQCAAQQFqIQAMAQsLDAILCwsDQCAGIwZIBEAgAyAEIAZsIAJqQQJ0akEANgIAIAZBAWohBgwBCwsgAEEBagudAgEBfyMNQQJ0QcCIgAFqIgcgADYCACAHIAE+AoCACCAHIAI2AoCAECAHIAM+AoCAGCAHIANCIIg+AoCAICAHIxQ2AoCAKCAHIxU2AoCAMCAHIAU+AoCAOCAHIAY+AoCAQCMNQcCIyAFqIARBAEc6AAAgBUL/////D1YEQCMPQRhsQcCI6gJqIgBBAzYCACAAIw02AgQgAEEANgIIIAAgBbo5AxAjD0EBaiQPCyAGQv////8PVgRAIw9BGGxBwIjqAmoiAEEENgIAIAAjDTYCBCAAQQA2AgggACAGujkDECMPQQFqJA8LIxUjFHFBAE4Ef0EBBSABIAOFQiCIQgBSCwRAQQQkGAtBfyQVQX8kFCMaQU9xJBojDUEBaiQNC98DAQN/IAAvAQAhAiAAKAIAQf///wdxIQQgAC0AAkE9RgR/IAJB5twBRgR/QQEFIAJB5tgBRgR/QQIFIAJB5soBRiACQebSAUZyBH9BAwVBBEEAIAJB78QBRhsLCwshAyAAQQNqBSAALQADQT1GBH8gBEHjzLkDRgR/QQUFIARB48yxA0YgBEHjzKUDRnIEf0EGBSAEQePeiQNGBH9BBwUgBEHqzLEDRiAEQerMpQNGcgR/QQgFQQlBACAEQerMuQNGGwsLCwshAyAAQQRqBSAACwshACADBH8gAC0AAEEoRwVBAQsEQEEADwsgAEEBaiIAIQRBACQAIAAtAABBMGshAgNAIAJBCU0EQCMAQQpsIAJqJAAgAEEBaiIALQAAQTBrIQIMAQsLIAAgBEYgACAEa0EIS3IEf0EBBSAALQAAQSlHCwRAQQAPCyAAQQFqIQADQCAALQAAQSBGBH9BAQUgAC0AAEEJRgsEQCAAQQFqIQAMAQsLA0AgACABSQR/IAFBAWstAAAiAkEKRiACQSBGciACQQ1GciACQQlGcgVBAAsEQCABQQFrIQEMAQsLIAAgAUkEfyAALQAAQShGBH9BAQUgAC0AAEEnRgsFQQALBEBBAA8LIAAkASABJAIgAwvJAwMFfgd/AnsjIEECdCENIyEhBSMiIQQjIyEGA0AgACABSQRAAkAgAP0ABAAiDkHAiPQC/QAEAP0j/WRoIQwgAC0AAEErRyAOQdCI9AL9AAQA/SP9ZEEBIAx0QQFrcSIHaCIKQQJrQQVLcg0AIAcgB0EBa3EiByAHQQFrcUEBIAcbDQAgDkHgiPQC/QAEAP1xIAAgCkEBaiIJai0AACIIQTBJIgsgB2giByAKQQR0ckEEdCAMckEBdHJBBHRBwIjwAmr9AAQA/Q4iD0HwiPQC/QAEAP1w/WQNACAPQYCJ9AL9AAQAIg79ngH9fiAPIA79nwH9fv2FAUGQifQC/QAEAP26ASIO/RsArCAFfCECIAhBKkYgCyAHIAlrRnNFQoCAgICAgMv/AyAIrYincUVBACAO/RsBIgdrIAcgCEEtRhusIARCACALG3wiA0Igh6cgAkIgiKcgBUIgiKdzcnINACADIAaEIQYgDUHAiBBqIAMiBD4CACANQcCIMGogAiIFPgIAIA1BoIn0AmogDv0bAkGQzgBsIA79GwNqNgIAIA1BBGohDSAAIAxBAWpqIQAMAgsLCyANQQJ2JCAgBSQhIAQkIiAGJCMgAAuHBAEKfwNAIAJBEEkEQCACQcCI9AJqIgBBCjoAACAAQSA6ABAgAEEwOgAgIABB9gA6ADAgAEEBQQogAkEBcSIBGzoAQCAAIAEEf0EABUEBQeQAIAJBAnEbCzoAUCACQQFqIQIMAQsLQQAhAgNAIAJBCEgEQEEAIQMDQCADQRBIBEBBACEEA0AgBEEQSARAQQAhBQNAIAVBAkgEQCACQQFrIQYgAkUiB0UiAARAIAZBAEggBkEESnIhAAsgAkEEdCADckEEdCAEckEBdCAFckEEdEHAiPACaiEIQQAhAQNAIAFBBEgEQCACQQRrIAFqIQkgASAIaiAABH8gAgVB/wEgCSABQQQgBmtIIAdyGws6AAAgAUEBaiEBDAELCyAIQQRqIQAgAyACQQFqQQAgAhtrIAVrIgZBAEggBkEESnIhB0EAIQEDQCABQQRIBEAgA0EEayABaiEJIAAgAWogBwR/IAMFQf8BIAlBBCAGayABShsLOgAAIAFBAWohAQwBCwsgCEEIaiEAIAQgA2tBAWsiBkEASCAGQQhKciEHQQAhAQNAIAFBCEgEQCAEQQhrIAFqIQggACABaiAHBH8gBAVB/wEgCEEIIAZrIAFKGws6AAAgAUEBaiEBDAELCyAFQQFqIQUMAQsLIARBAWohBAwBCwsgA0EBaiEDDAELCyACQQFqIQIMAQsLC7kRAwd+Cn8BeyMEQQBHIQ4jBUEARyEQQQEhCgJAIAAoAgAiC0HjwrHjBkYEfyAALwEEQfP6AEYFQQALDQBBACEKIAAtAARBPUcNACALQerGuaMGRgR/QQMFQQJBACALQerqtYMHRhsLIQoLAkAgCkUNAEIAJB4gAEEGQQUgCkEBRiIPG2oiEf0ABAAiFP0MISEhISEhISEhISEhISEhIf0m/WQgEf0ABBD9DCEhISEhISEhISEhISEhISH9Jv1kQRB0ciIMaCARaiILIBFrIQ0gCkEDRiIKBH4gFP0MLy8vLy8vLy8vLy8vLy8vL/0j/WRoIgBFIABBCEtyDQEgACARakEIaykDAEKw4MCBg4aMmDCFQn9CwAAgAEEDdKx9hoMiA0L27Nmz586du/YAfCADhEKAgYKEiJCgwIB/gyQeIA0gAEEBamshDSADQoEUfkIIiEL/gfyH8J/A/wCDQoGAkAN+QhCIQv//g4Dw/z+DQoGAgICA4gl+QiCIBUIACyANQQBMIA1BCEpyDQAjHiALQQhrKQMAQrDgwIGDhoyYMIVCf0LAACANQQN0rH2GgyIEQvbs2bPnzp279gB8IASEQoCBgoSIkKDAgH+DhCQeIARCgRR+QgiIQv+B/Ifwn8D/AINCgYCQA35CEIhC//+DgPD/P4NCgYCAgIDiCX5CIIgiBiAKGyEHQQAhDSAOBH4gCy0AAEEgcyENIAtBAWoiEi0AACEAAn4jISIDIBEgDCAMQQFrcSIMaGoiCyASayAAQTBJayITRSAAQSpGcQ0AGiATQQBMIBNBCEpyBH9BAQUgEi0AAUH4AEYLBEAgEiALIAMQAQR+Ix0FQn8LDAELIx4gC0EIaykDAEKw4MCBg4aMmDCFQn9CwAAgE0EDdKx9hoMiBEL27Nmz586du/YAfCAEhEKAgYKEiJCgwIB/g4QkHkJ/QoCAgICAgMv/AyAArYhCAYNQIABBKkZyDQAaIANCACAAQTBJG0IAIARCgRR+QgiIQv+B/Ifwn8D/AINCgYCQA35CEIhC//+DgPD/P4NCgYCAgIDiCX5CIIgiA30gAyAAQS1GG3wLBUIACyEIIBAEfiANIAstAABBIHNyIQ0gC0EBaiIALQAAIRICfiMiIgMgESAMIAxBAWtxIgxoaiILIABrIBJBMElrIhFFIBJBKkZxDQAaIBFBAEwgEUEISnIEf0EBBSAALQABQfgARgsEQCAAIAsgAxABBH4jHQVCfwsMAQsjHiALQQhrKQMAQrDgwIGDhoyYMIVCf0LAACARQQN0rH2GgyIEQvbs2bPnzp279gB8IASEQoCBgoSIkKDAgH+DhCQeQn9CgICAgICAy/8DIBKtiEIBg1AgEkEqRnINABogA0IAIBJBMEkbQgAgBEKBFH5CCIhC/4H8h/CfwP8Ag0KBgJADfkIQiEL//4OA8P8/g0KBgICAgOIJfkIgiCIDfSADIBJBLUYbfAsFQgALIQUgDSAMRXINACALQQFqIAsgCy0AAEEgRhsiCy0AAEEKRyALQQFqIAFPcg0AIAtBAWoiAP0ABAD9DCEhISEhISEhISEhISEhISH9Jv1kIQwjISEEIyIhAyAOBH8CfiAEIAAgDGhqIgsgAGsgAC0AACIBQTBJayINRSABQSpGcQ0AGiANQQBMIA1BCEpyBH9BAQUgAC0AAUH4AEYLBEAgACALIAQQAQR+Ix0FQn8LDAELIx4gC0EIaykDAEKw4MCBg4aMmDCFQn9CwAAgDUEDdKx9hoMiCUL27Nmz586du/YAfCAJhEKAgYKEiJCgwIB/g4QkHkJ/QoCAgICAgMv/AyABrYhCAYNQIAFBKkZyDQAaIARCACABQTBJG0IAIAlCgRR+QgiIQv+B/Ifwn8D/AINCgYCQA35CEIhC//+DgPD/P4NCgYCAgIDiCX5CIIgiBH0gBCABQS1GG3wLIQQgDCAMQQFrcSEMIBAEfyALLQAAQSBzBUEACyENIAtBAWoFIAALIQEgEARAAn4gAyAAIAxoaiILIAFrIAEtAAAiAEEwSWsiDkUgAEEqRnENABogDkEATCAOQQhKcgR/QQEFIAEtAAFB+ABGCwRAIAEgCyADEAEEfiMdBUJ/CwwBCyMeIAtBCGspAwBCsODAgYOGjJgwhUJ/QsAAIA5BA3SsfYaDIglC9uzZs+fOnbv2AHwgCYRCgIGChIiQoMCAf4OEJB5Cf0KAgICAgIDL/wMgAK2IQgGDUCAAQSpGcg0AGiADQgAgAEEwSRtCACAJQoEUfkIIiEL/gfyH8J/A/wCDQoGAkAN+QhCIQv//g4Dw/z+DQoGAgICA4gl+QiCIIgN9IAMgAEEtRht8CyEDC0EBIAhCAFNBASAEQiCHIAJSQQEjHkIAUiANIAxFchsbGwR/QQEFIAMgBYRCIIdCAFILDQAgC0EBaiALIAstAABBIEYbIQAgDwRAIwZBE3RBoIn0AmohCgJAIwZBAUYEQCAAKQMAQrDgwIGDhoyYMIUiAkL27Nmz586du/YAfCAChEKAgYKEiJCgwIB/gyIFekIDiKciAUUgBVByBH9BAQUgACABai0AAEEKRwsEf0EABSAKIwxBAnRqIAJCwAAgAUEDdK19hkKBFH5CCIhC/4H8h/CfwP8Ag0KBgJADfkIQiEL//4OA8P8/g0KBgICAgOIJfkIgiD4CACAAIAFqQQFqCyIBDQELIABBASMMIApBgIACEAIhAQsgAQRAIwxBAnRBwIjQAGoiACADPgIAIAAgBD4CgIAIIAAjETYCgIAQIAAjEjYCgIAYIAAjEzYCgIAgIAAgBz4CgIAoIAdC/////w9WBEAjD0EYbEHAiOoCaiIAQQI2AgAgACMMNgIEIABBADYCCCAAIAe6OQMQIw9BAWokDwtBfyQTQX8kEiMaQXFxJBojDEEBaiQMCyABDwsgAC0AAEEKRw0AIAOnIAQgBacgCCAKIAcgBhADIABBAWoPC0EAC8oIAgJ+A38gAEEGQQUgAUEBRhtqIQADQCAALQAAQSBGBH9BAQUgAC0AAEEJRgsEQCAAQQFqIQAMAQsLIAAhCANAIAAtAABBMGsiCUEJTQRAIAmtIAZCCn58IQYgAEEBaiEADAELC0EAIAAgACAIRiAAIAhrQQ9LchskGyAGJCQjJCQlAkAjG0UNACMbIQAgAUEDRgRAIAAtAABBL0cNAUIAIQYgAEEBaiIAIQgDQCAALQAAQTBrIgFBCU0EQCABrSAGQgp+fCEGIABBAWohAAwBCwtBACAAIAAgCEYgACAIa0EPS3IbJBsgBiQlIxtFDQEjGyEACyAALQAAIgFBCkYgAUEgRnIgAUENRnIgAUEJRnJFDQBBACQnQgAkJgNAIAAtAABBIEYEf0EBBSAALQAAQQlGCwRAIABBAWohAAwBCwsjBAR/IAAtAABBIEsFQQALBEAgAiEHQQAhAQJAIARFIAAtAAAiCEEwSXENACAIQSpGBEAgAiQcIABBAWohAAVCACECIAhBK0YiBEUEQCAIQS1GIQQLIABBAWogACAEGyIAIQkgAC0AAEEwayEKA0AgCkEJTQRAIAqtIAJCCn58IQIgAEEBaiIALQAAQTBrIQoMAQsLIAAgCUYgACAJa0ESS3IEf0EBBSAKQTBqQSByQfgARgsEQCAJEAAhAiMbRQ0CIxshAAsgBAR+IAIgB3wgByACfSAIQStGGwUgAgshBiAEBH8gAiAGViACIAdWIAhBK0YbBUEACw0BIAYkHAsgAC0AACIBQQpGIAFBIEZyIAFBDUZyIAFBCUZyBEADQCAALQAAQSBGBH9BAQUgAC0AAEEJRgsEQCAAQQFqIQAMAQsLBUEAIQALIAAhAQsgASIARQ0BIxwkJgsjBQR/IAAtAABBIEsFQQALBEAgA60hBwJ/QQAgBUUgAC0AACIEQTBJcQ0AGiAEQSpGBEAgByQcIABBAWohAAVCACECIARBK0YiAUUEQCAEQS1GIQELIABBAWogACABGyIAIQMgAC0AAEEwayEFA0AgBUEJTQRAIAWtIAJCCn58IQIgAEEBaiIALQAAQTBrIQUMAQsLIAAgA0YgACADa0ESS3IEf0EBBSAFQTBqQSByQfgARgsEQCADEAAhAkEAIxtFDQIaIxshAAtBAEEBIAEEfiACIAd8IAcgAn0gBEErRhsFIAILIgZC/////w9WIAJC/////w9WBH9BAQUgAQR/IAIgBlYgAiAHViAEQStGGwVBAAsLGw0BGiAGJBwLIAAtAAAiAUEKRiABQSBGciABQQ1GciABQQlGcgRAA0AgAC0AAEEgRgR/QQEFIAAtAABBCUYLBEAgAEEBaiEADAELCwVBACEACyAACyIARQ0BIxynJCcLA0AgAP0ABAD9DAoKCgoKCgoKCgoKCgoKCgr9I/1kIgFFBEAgAEEQaiEADAELCyAAIAFoakEBag8LQQAL5wMCAX4Df0EAJCgDQCAAIAFJBH8jDUGAgAJGIwxBgIACRnIjD0HmH0pyBUEBC0UEQAJAIAAtAAAiBEHqAEcgBEHjAEdxDQAgACgCACIEQRh2QT1HBH9BAAUgBEH///8HcSIEQePMuQNGBH9BAQUgBEHjzLEDRiAEQePMpQNGcgR/QQIFIARB496JA0YEf0EDBSAEQerMsQNGIARB6sylA0ZyBH9BBAVBBUEAIARB6sy5A0YbCwsLCwsiBQR/IxpBASAFdHFBASAAQQRqIgYpAwFCsODAgYOGjJgwhSIDQvbs2bPnzp279gB8IAOEQoCBgoSIkKDAgH+DekIDiKciBEUgBi0AAEEoR3IgBEEHS3IEf0EBBSAGQQFqIARqLwEAQakURwsEf0EABSADQsAAIARBA3SsfYZCgRR+QgiIQv+B/Ifwn8D/AINCgYCQA35CEIhC//+DgPD/P4NCgYCAgIDiCX5CIIinJAAgBCAGakEDagsiBBsNASMAIQAjGkEBIAV0ciQaIAVBAUYEQCAAJBEFIAVBAkYEQCAAJBIFIAVBA0YEQCAAJBMFIAVBBEYEQCAAJBQFIAAkFQsLCwsjKEEBaiQoIAQFIAAgASACEAciBEUNASMoQQJqJCggBAshAAwCCwsLIAALhgEAAkACQAJAAkACQAJAAkACQAJAAkACQAJAAkACQCAADg0AAQIDBAUGBwgJCgsMDQtBgAgPC0GAgBAPC0HAiBAPC0HAiDAPC0HAiNAADwtBwIiAAQ8LQcCIyAEPC0HAiMoBDwtBwIjqAg8LQaCJ9AIPC0GAgAgPC0GAgAIPC0GAgAIPC0EYC7sZAwZ+Fn8CewJAIwZFDQBBACQQQQAkD0EAJA5BACQNQQAkDEEAJAtBfyQVQX8kFEF/JBNBfyQSQX8kEUEAJBhBACQaIx9FBEAQBgtBASQfQgAkIyMEQQBHIRUgAEGACGohE0GACCEAIwetIwitQiCGhCEBIwkhCCMKQQBHIg5FBEAgFUUhDgsjBUEARyEWIwpBAEciD0UEQCAWRSEPCyMGQQFGIRcjBkETdEGgifQCaiEZQn8hAwNAIAxFIBFxRSAAIBNJcQRAIAAhCSABQiCIIANRQQAgD0EAQQAgDiAMGxsbBEAgEiQgIAEkISAIrSQiIAAtAAAiB0HqAEYgB0HjAEZyBEAgACATIAMQCSEAIAsjKGohCwUgFiAXcQRAIBUEQCAAIBMQBSEABSMgQQJ0IQcjISEFIyIhAiMjIQQDQCAAIBNJBEACQCAA/QAEACIdQcCI9AL9AAQA/SP9ZGghCCAdQdCI9AL9AAQA/SP9ZEEBIAh0QQFrcSIQIBBBAWtxQQEgEBsNACAdQeCI9AL9AAQA/XEgAC0AACIaQTBJIhsgEGgiEEEEdCAIckEBdHJBBHRBwIjwAmr9AAQA/Q4iHUHwiPQC/QAEAP1w/WQNACAaQSpGIBAgG0ZzRUKAgICAgIDL/wMgGq2Ip3FFQQAgHUGAifQC/QAEACIe/Z4B/X4gHSAe/Z8B/X79hQFBkIn0Av0ABAD9ugEiHf0bASIQayAQIBpBLUYbrCACQgAgGxt8IgFCIIencg0AIAEgBIQhBCAHQcCIEGogASICPgIAIAdBwIgwaiAFPgIAIAdBoIn0AmogHf0bAkGQzgBsIB39GwNqNgIAIAdBBGohByAAIAhBAWpqIQAMAgsLCyAHQQJ2JCAgBSQhIAIkIiAEJCMLIAsjICASa2ohCyMgIRIjIqchCCMhIQELCyAAIAlHBEBBASARIw1BgIACRiMMQYCAAkZyIw9B5h9KchshEQwDCwsDQCAALQAAQSBGBH9BAQUgAC0AAEEJRgsEQCAAQQFqIQAMAQsLIAAtAAAiB0E5SwR/QQEFIAdBK0cgB0EwSXEgB0EtR3EgB0EqR3ELBEAgC0EBaiELIAdBI0YgB0EKRnIEf0EBBSAHQQ1GBH8gAC0AAUEKRgVBAAsLBEADQCAA/QAEAP0MCgoKCgoKCgoKCgoKCgoKCv0j/WQiB0UEQCAAQRBqIQAMAQsLIAAgB2hqQQFqIQAMAwtBASEHAkAgACgCACIQQePCseMGRgR/IAAvAQRB8/oARgVBAAsNAEEAIQcgAC0ABEE9Rw0AIBBB6sa5owZGBH9BAwVBAkEAIBBB6uq1gwdGGwshBwsgBwRAIAwNBCAJIQogC0EBayENIAAgByIMIAEgCCAOIA8QCCIARQ0EDAMLIAwNAyMaQQEgACgCACIHQRh2QT1HBH9BAAUgB0H///8HcSIHQePMuQNGBH9BAQUgB0HjzLEDRiAHQePMpQNGcgR/QQIFIAdB496JA0YEf0EDBSAHQerMsQNGIAdB6sylA0ZyBH9BBAVBBUEAIAdB6sy5A0YbCwsLCwsiG3RxQQAgGxsNAyAbBEAgAEEEaiEQA0AgEC0AAEEgRgR/QQEFIBAtAABBCUYLBEAgEEEBaiEQDAELC0F/IQcCQCAQLQAAQShHDQAgEEEBaiIQIRxBACEJA0AgEC0AAEEwayIaQQlNBEAgCUEKbCAaaiEJIBBBAWohEAwBCwsgECAcRiAQIBxrQQhLcgR/QQEFIBAtAABBKUcLDQAgEEEBaiIQLQAAQQpHBEADQCAQLQAAQSBGBH9BAQUgEC0AAEEJRgsEQCAQQQFqIRAMAQsLIBBBAWogECAQLQAAQQ1GGyIQLQAAQQpHDQELIBAkAyAJIQcLBUF/IQcLIAdBAE4EQCMaQQEgG3RyJBogG0EBRgRAIAckEQUgG0ECRgRAIAckEgUgG0EDRgRAIAckEwUgG0EERgRAIAckFAUgByQVCwsLCyMDQQFqIQAMAwsgG0EBRgRAQX8kEQUgG0ECRgRAQX8kEgUgG0EDRgRAQX8kEwUgG0EERgRAQX8kFAVBfyQVCwsLCyAAIQcDQCAH/QAEAP0MCgoKCgoKCgoKCgoKCgoKCv0j/WQiCUUEQCAHQRBqIQcMAQsLIw5B0ABsQcCIygFqIRAjDkEBaiQOIBAgAEGACGs2AgAgECAHIAloaiIHQYAIazYCBCAQIAs2AgggECASNgIMIBAjDDYCECAQIw02AhQgECABPgIYIBAgAUIgiD4CHCAQIAg2AiAgECADPgIkIBAjGCAUQQJBACAOIA9xG3JyNgIoIBAjETYCLCAQIxI2AjAgECMTNgI0IBAjFDYCOCAQIxU2AjwgECAAIAcQBDYCQCAQIwA2AkQgECMBQYAIazYCSCAQIwJBgAhrNgJMQX8kFUF/JBRBfyQTQX8kEkF/JBFBACQYQQAkGkJ/IQNBACEUQQEgESMOQf//AUYbIREgB0EBaiEADAILIBUEfkEAIQcCQCAORSAALQAAIhBBMElxDQAgEEEqRgRAIAEkHCAAQQFqIQAFQgAhAiAAQQFqIAAgEEErRiIABH8gAAUgEEEtRgsiCRsiACEaIAAtAABBMGshBwNAIAdBCU0EQCAHrSACQgp+fCECIABBAWoiAC0AAEEwayEHDAELCyAAIBpGIAAgGmtBEktyBH9BAQUgB0EwakEgckH4AEYLBEAgGhAAIQJBACEHIxtFDQIjGyEACyAJBH4gASACfCABIAJ9IBBBK0YbBSACCyEEQQAhByAJBH8gAiAEViABIAJUIBBBK0YbBUEACw0BIAQkHAsgAC0AACIHQQpGIAdBIEZyIAdBDUZyIAdBCUZyBEADQCAALQAAQSBGBH9BAQUgAC0AAEEJRgsEQCAAQQFqIQAMAQsLBUEAIQALIAAhBwsgByIARQ0DIxwFIAELIQIgFgR/IAitIQYCf0EAIA9FIAAtAAAiEEEwSXENABogEEEqRgRAIAYkHCAAQQFqIQAFQgAhBCAAQQFqIAAgEEErRiIABH8gAAUgEEEtRgsiCRsiACEaIAAtAABBMGshBwNAIAdBCU0EQCAHrSAEQgp+fCEEIABBAWoiAC0AAEEwayEHDAELCyAAIBpGIAAgGmtBEktyBH9BAQUgB0EwakEgckH4AEYLBEAgGhAAIQRBACMbRQ0CGiMbIQALQQBBASAJBH4gBCAGfCAGIAR9IBBBK0YbBSAECyIFQv////8PViAEQv////8PVgR/QQEFIAkEfyAEIAVWIAQgBlYgEEErRhsFQQALCxsNARogBSQcCyAALQAAIgdBCkYgB0EgRnIgB0ENRnIgB0EJRnIEQANAIAAtAABBIEYEf0EBBSAALQAAQQlGCwRAIABBAWohAAwBCwsFQQAhAAsgAAsiAEUNAyMcpwUgCAshByALQQFqIQsgAkIgiCIEIANSBEBBASAUIANCAFkbIRQgBCEDCyAMRQRAQQEhD0EBIQ4gGCAHIghyIRggEkECdCIHQcCIEGogCDYCACAHQcCIMGogAiIBPgIAIBcEfyAAKQMAQrDgwIGDhoyYMIUiAiACQvbs2bPnzp279gB8hEKAgYKEiJCgwIB/gyIEekIDiKciCUUgBFByBH9BAQUgACAJai0AAEEKRwsEf0EABSAHQaCJ9AJqIAJCwAAgCUEDdK19hkKBFH5CCIhC/4H8h/CfwP8Ag0KBgJADfkIQiEL//4OA8P8/g0KBgICAgOIJfkIgiD4CACAAIAlqQQFqCwVBAAsiBwR/IAcFIABBACASQaCJ9AJBgIAIEAILIgBFDQNBASARIBJBAWoiEkGAgAhGBH9BAQUjDUGAgAJGIwxBgIACRnIjD0HmH0pyCxshEQwCCyAPRSAORXINAiAMQQFGBEAgAEEBIwwgGUGAgAIQAiIARQ0DIwxBAnRBwIjQAGoiCSAHNgIAIAkgAj4CgIAIIAkjETYCgIAQIAkjEjYCgIAYIAkjEzYCgIAgIAkjJCICPgKAgCggAkL/////D1YEQCMPQRhsQcCI6gJqIgdBAjYCACAHIww2AgQgB0EANgIIIAcgAro5AxAjD0EBaiQPC0F/JBNBfyQSIxpBcXEkGiMMQQFqJAwFIABBAWogACAALQAAQQ1GGyIALQAAQQpHDQMgAEEBaiEAIAcgAiMnIyYgDEEDRiMkIyUQAwtBACEMQQEgESMNQYCAAkYjDEGAgAJGciMPQeYfSnIbIREMAQsLIAwEQCANIQsgCiEACyADpyQWIBQkFyMjIBithEIAUiQZIBIkCyALJBAgAackByABQiCIpyQIIAgkCSAOIA9xJAogAEGACGsPC0F/Cw==";

// src/formats/callgrind/digest.ts
var WIDE2 = { rows: 0, calls: 1, callCount: 2, taken: 3, executed: 4 };
var CALL_COLUMNS = 6;
var JUMP_COLUMNS = 9;
var MARK_WORDS = 20;
var MARK = {
  from: 0,
  eol: 1,
  line: 2,
  rows: 3,
  calls: 4,
  jumps: 5,
  base: 6,
  high: 9,
  flags: 10,
  ids: 11,
  names: 16,
  id: 17,
  nameFrom: 18,
  nameEnd: 19
};
var FLAG = { mixed: 1, known: 2, farJumps: 4 };
var NAMES = { fn: 1, fl: 2, fi: 3, ob: 4, cfn: 5, cfi: 6, cob: 7, jfi: 8, jfn: 9 };
var PLACES = "input size line address call jump conditional mark wide costs rows calls jumps events".split(" ");
var compiled;
function openDigester() {
  if (typeof WebAssembly === "undefined") return void 0;
  if (!compiled) {
    const code = Uint8Array.from(atob(DIGEST_CODE), (c) => c.charCodeAt(0));
    if (!WebAssembly.validate(code)) return void 0;
    compiled = new WebAssembly.Module(code);
  }
  return new Digester(compiled);
}
var Digester = class {
  code;
  at;
  constructor(module2) {
    this.code = new WebAssembly.Instance(module2).exports;
    this.at = Object.fromEntries(PLACES.map((name, i) => [name, this.code.place(i)]));
  }
  /** The most bytes it takes at once. */
  get most() {
    return this.at["size"];
  }
  takes(form) {
    return form.events > 0 && form.events <= this.at["events"];
  }
  /**
   * The digest of the whole lines buf[from..to), at most `most` bytes; undefined if they contain something only the scanner can
   * read. It may end before `to`, at the start of a line. Without a base the first position must be absolute. The columns are
   * views of the WebAssembly memory: valid until the next call.
   */
  digest(buf, from, to, form, base) {
    const { code, at } = this;
    const room3 = at["costs"] + form.events * 4 * (at["rows"] + at["calls"]);
    const lacking = room3 - code.memory.buffer.byteLength;
    if (lacking > 0) code.memory.grow(Math.ceil(lacking / 65536));
    const size = to - from;
    const bytes = new Uint8Array(code.memory.buffer);
    bytes.set(buf.subarray(from, to), at["input"]);
    bytes.fill(10, at["input"] + size, at["input"] + size + 16);
    const put = (name, value) => {
      code[name].value = value;
    };
    put("hasInstr", form.hasInstr ? 1 : 0);
    put("hasLine", form.hasLine ? 1 : 0);
    put("events", form.events);
    put("baseLow", base?.low ?? 0);
    put("baseHigh", base?.high ?? 0);
    put("baseLine", base?.line ?? 0);
    put("known", base ? 1 : 0);
    const used = code.digest(size);
    return used < 0 ? void 0 : this.take(used, form);
  }
  take(used, form) {
    const { code, at } = this;
    const { buffer } = code.memory;
    const get = (name) => code[name].value;
    const [rows, calls, jumps, marks] = [get("rows"), get("calls"), get("jumps"), get("marks")];
    const words2 = (place, length) => new Uint32Array(buffer, place, length);
    const table = (place, columns, room3, length) => Array.from({ length: columns }, (_, k) => words2(place + k * room3 * 4, length));
    const signed = (place, columns, room3, length) => Array.from({ length: columns }, (_, k) => new Int32Array(buffer, place + k * room3 * 4, length));
    const [roomRows, roomCalls, roomJumps] = [at["rows"], at["calls"], at["jumps"]];
    const mark = new Int32Array(buffer, at["mark"], (marks + 1) * MARK_WORDS);
    const flags = get("segMixed") | get("known") << 1 | get("farJumps");
    mark.set(
      [used, used, get("lines"), rows, calls, jumps, get("baseLow"), get("baseHigh"), get("baseLine"), get("segHigh"), flags],
      marks * MARK_WORDS
    );
    mark.set(
      ["cfn", "cfi", "cob", "jfi", "jfn"].map((name) => get(name)),
      marks * MARK_WORDS + MARK.ids
    );
    const wide = Array.from({ length: get("wides") }, (_, i) => {
      const place = at["wide"] + i * 24;
      const [kind, row, column] = words2(place, 3);
      return [kind, row, column, new Float64Array(buffer, place + 16, 1)[0]];
    });
    return {
      form,
      used,
      rows,
      calls,
      jumps,
      marks,
      lined: get("lined") === 1,
      line: words2(at["line"], rows),
      address: words2(at["address"], rows),
      costs: table(at["costs"], form.events, roomRows, rows),
      call: signed(at["call"], CALL_COLUMNS, roomCalls, calls),
      callCosts: table(at["costs"] + form.events * roomRows * 4, form.events, roomCalls, calls),
      jump: signed(at["jump"], JUMP_COLUMNS, roomJumps, jumps),
      conditional: new Uint8Array(buffer, at["conditional"], jumps),
      mark,
      wide
    };
  }
};

// src/formats/callgrind/apply.ts
function formOf(parts) {
  return { hasInstr: parts.hasInstr, hasLine: parts.hasLine, events: parts.columns.length };
}
function sameForm(a2, b) {
  return a2.hasInstr === b.hasInstr && a2.hasLine === b.hasLine && a2.events === b.events;
}
function applyDigest(scanner, d, buf, from) {
  const { tables, parts, specs } = scanner;
  const { mark } = d;
  const { columns } = parts;
  const firstLine2 = scanner.lineNo;
  const before = { rows: tables.lines.rows, calls: tables.calls.rows, jumps: tables.jumps.line.length };
  copyRows(tables, d, columns);
  copyCalls(tables, d, columns);
  copyJumps(tables, d);
  const { span: callSpan, callee } = tables.calls;
  const [, , cfn, cfi, cob] = d.call;
  let row = 0;
  let call = 0;
  let jump = 0;
  let byte = 0;
  let line = 0;
  for (let m = 0; m <= d.marks; m++) {
    const w2 = m * MARK_WORDS;
    const endRow = mark[w2 + MARK.rows];
    const endCall = mark[w2 + MARK.calls];
    const endJump = mark[w2 + MARK.jumps];
    const flags = mark[w2 + MARK.flags];
    const start2 = mark[w2 + MARK.from];
    const hasRows = endRow > row || endCall > call || endJump > jump;
    let plain = (flags & FLAG.mixed) === 0 && (!hasRows || specs.hasFunction) && knowsIds(specs, mark, w2 + MARK.ids);
    if (plain && endJump > jump && (flags & FLAG.farJumps || specs.jumpsAway)) plain = knowsJumps(specs, d, jump, endJump);
    if (plain && hasRows) {
      const high = mark[w2 + MARK.high] >>> 0;
      if (specs.span < 0 || high !== specs.spanHigh) {
        tables.lines.rows = before.rows + row;
        specs.openSpan(0, parts.part, high);
        parts.hasBody = true;
      }
      if (endCall > call) {
        if (d.form.hasInstr) tables.calls.hasAddress = true;
        const { span } = specs;
        specs.keepCalled();
        for (let i = call; i < endCall && plain; i++) {
          const mention = specs.callee(cfn[i], cfi[i], cob[i]);
          if (mention < 0) plain = false;
          callSpan.data[before.calls + i] = span;
          callee.data[before.calls + i] = mention;
        }
        if (!plain) specs.takeBackCalled();
      }
      if (plain && endJump > jump) putJumps(scanner, d, before.jumps, jump, endJump, (flags & FLAG.farJumps) !== 0);
    }
    if (plain) {
      const ids = w2 + MARK.ids;
      specs.callIds(mark[ids], mark[ids + 1], mark[ids + 2]);
      specs.jumpIds(mark[ids + 3], mark[ids + 4]);
    } else {
      setRows(tables, before.rows + row, before.calls + call, before.jumps + jump);
      scanner.lineNo = firstLine2 + line;
      scanner.scan(buf, from + byte, from + lineStart(buf, from, start2));
    }
    tables.lines.rows = before.rows + endRow;
    if (plain && flags & FLAG.known) {
      scanner.base.low = mark[w2 + MARK.base] >>> 0;
      scanner.base.high = mark[w2 + MARK.base + 1] >>> 0;
      scanner.base.line = mark[w2 + MARK.base + 2] >>> 0;
    }
    line = mark[w2 + MARK.line];
    scanner.lineNo = firstLine2 + line;
    if (m === d.marks) {
      setRows(tables, before.rows + endRow, before.calls + endCall, before.jumps + endJump);
      break;
    }
    row = endRow;
    call = endCall;
    jump = endJump;
    const eol = mark[w2 + MARK.eol];
    byte = eol + 1;
    const names = mark[w2 + MARK.names];
    if (names > 0) {
      const [id, at, end] = [mark[w2 + MARK.id], from + mark[w2 + MARK.nameFrom], from + mark[w2 + MARK.nameEnd]];
      if (specs.readNamed(names, id, buf, at, end)) continue;
    }
    scanner.otherLine(buf, from + start2, from + eol);
    if (scanner.waiting || !sameForm(d.form, formOf(parts)) || columns.some((c, k) => c !== parts.columns[k])) {
      setRows(tables, before.rows + endRow, before.calls + endCall, before.jumps + endJump);
      tables.lines.line.fill(0, before.rows + endRow, tables.lines.costs.filled);
      tables.lines.costs.clear(before.rows + endRow);
      tables.calls.costs.clear(before.calls + endCall);
      scanner.scan(buf, from + byte, from + d.used);
      break;
    }
  }
  tables.lines.costs.sumsTo(tables.lines.rows);
  tables.lines.costs.filled = 0;
  tables.calls.costs.filled = 0;
  return d.used;
}
function knowsIds(specs, mark, ids) {
  const [cfn, cfi, cob] = [mark[ids], mark[ids + 1], mark[ids + 2]];
  const [jfi, jfn] = [mark[ids + 3], mark[ids + 4]];
  return (cfn & cfi & cob & jfi & jfn) === -1 || specs.knows(cfn, cfi, cob) && specs.knows(jfn, jfi, -1);
}
function knowsJumps(specs, d, jump, end) {
  const [, , , , , jfi, jfn] = d.jump;
  if (specs.jumpsOut) return false;
  for (let i = jump; i < end; i++) if (jfn[i] >= 0 || !specs.knows(-1, jfi[i], -1)) return false;
  return true;
}
function putJumps({ tables, specs }, d, first, jump, end, far) {
  const { span, targetFile, targetHigh } = tables.jumps;
  const [, , , , high, jfi] = d.jump;
  if (d.form.hasInstr) tables.jumps.hasAddress = true;
  if (!far && !specs.jumpsAway) {
    const { span: from, file } = specs;
    for (let i = first + jump; i < first + end; i++) {
      span.data[i] = from;
      targetFile.data[i] = file;
    }
    return;
  }
  for (let i = jump; i < end; i++) {
    specs.jumpIds(jfi[i], -1);
    span.data[first + i] = specs.span;
    if (high[i] >>> 0 !== specs.spanHigh) targetHigh.set(first + i, high[i] >>> 0);
    const file = specs.takeJumpFile();
    targetFile.data[first + i] = file >= 0 ? file : specs.file;
  }
}
function lineStart(buf, from, at) {
  while (at > 0 && buf[from + at - 1] !== 10) at--;
  return at;
}
function setRows(tables, rows, calls, jumps) {
  tables.lines.rows = rows;
  tables.calls.setRows(calls);
  tables.jumps.setRows(jumps);
}
function copyRows(tables, d, columns) {
  const { lines } = tables;
  const first = lines.rows;
  const end = first + d.rows;
  if (end > lines.capacity) lines.reserve(Math.max(end, lines.capacity * 2));
  if (d.lined) lines.line.set(d.line, first);
  if (d.form.hasInstr) lines.address?.set(d.address, first);
  for (const [k, column] of d.costs.entries()) lines.costs.columns[columns[k]].set(column, first);
  lines.costs.filled = end;
  for (const [table, row, k, value] of d.wide) if (table === WIDE2.rows) lines.costs.set(columns[k], first + row, value);
}
function copyCalls(tables, d, columns) {
  if (d.calls === 0) return;
  const { calls } = tables;
  const first = calls.rows;
  calls.makeRoom(first + d.calls);
  calls.line.data.set(d.call[0], first);
  if (d.form.hasInstr) calls.address.data.set(d.call[1], first);
  else calls.address.data.fill(0, first, first + d.calls);
  calls.count.put(d.call[5], first);
  for (const [k, column] of d.callCosts.entries()) calls.costs.columns[columns[k]].set(column, first);
  calls.costs.filled = first + d.calls;
  for (const [table, row, k, value] of d.wide) {
    if (table === WIDE2.calls) calls.costs.set(columns[k], first + row, value);
    else if (table === WIDE2.callCount) calls.count.set(first + row, value);
  }
}
function copyJumps(tables, d) {
  if (d.jumps === 0) return;
  const { jumps } = tables;
  const first = jumps.line.length;
  jumps.makeRoom(first + d.jumps);
  jumps.line.data.set(d.jump[0], first);
  if (d.form.hasInstr) jumps.address.data.set(d.jump[1], first);
  else jumps.address.data.fill(0, first, first + d.jumps);
  jumps.targetLine.data.set(d.jump[2], first);
  jumps.targetAddress.data.set(d.jump[3], first);
  jumps.conditional.data.set(d.conditional, first);
  jumps.taken.put(d.jump[7], first);
  jumps.executed.put(d.jump[8], first);
  for (const [table, row, , value] of d.wide) {
    if (table === WIDE2.taken) jumps.taken.set(first + row, value);
    else if (table === WIDE2.executed) jumps.executed.set(first + row, value);
  }
}

// src/formats/callgrind/pieces.ts
var digester;
var digestPiece = ({ bytes, form, room: room3 }) => {
  digester ??= openDigester();
  const digests = [];
  let base;
  let at = 0;
  for (let p2 = 0; p2 < bytes.length; ) {
    const to = bytes.lastIndexOf(10, Math.min(bytes.length, p2 + digester.most) - 1) + 1;
    const digest = to > p2 ? digester.digest(bytes, p2, to, form, base) : void 0;
    if (!digest || digest.used === 0) break;
    const end = digest.marks * MARK_WORDS;
    if (digest.mark[end + MARK.flags] & FLAG.known) {
      const [low, high, line] = digest.mark.subarray(end + MARK.base, end + MARK.base + 3);
      base = { low: low >>> 0, high: high >>> 0, line: line >>> 0 };
    }
    const needed = at + bytesOf(digest);
    if (needed > room3.byteLength) {
      const larger = new ArrayBuffer(needed * 2);
      new Uint8Array(larger).set(new Uint8Array(room3, 0, at));
      room3 = larger;
    }
    digests.push(pack(digest, room3, at));
    at = needed;
    p2 += digest.used;
  }
  return { result: { bytes, digests, room: room3 }, transfer: [bytes.buffer, room3] };
};
function pack(d, room3, at) {
  const { form, used, rows, calls, jumps, marks, wide, lined } = d;
  const counts = { form, used, rows, calls, jumps, marks, wide, lined };
  const copy = viewsOf(counts, room3, at);
  copy.line.set(d.line);
  copy.address.set(d.address);
  for (const [k, column] of d.costs.entries()) copy.costs[k].set(column);
  for (const [k, column] of d.call.entries()) copy.call[k].set(column);
  for (const [k, column] of d.callCosts.entries()) copy.callCosts[k].set(column);
  for (const [k, column] of d.jump.entries()) copy.jump[k].set(column);
  copy.mark.set(d.mark);
  copy.conditional.set(d.conditional);
  return { ...counts, at };
}
function unpack({ at, ...counts }, room3) {
  return { ...counts, ...viewsOf(counts, room3, at) };
}
function bytesOf({ form, rows, calls, jumps, marks }) {
  const { events } = form;
  const words2 = rows * (2 + events) + calls * (CALL_COLUMNS + events) + jumps * JUMP_COLUMNS + (marks + 1) * MARK_WORDS;
  return (words2 + Math.ceil(jumps / 4)) * 4;
}
function viewsOf({ form, rows, calls, jumps, marks }, buffer, at) {
  const words2 = (length) => new Uint32Array(buffer, (at += length * 4) - length * 4, length);
  const ints = (length) => new Int32Array(buffer, (at += length * 4) - length * 4, length);
  const many = (columns, make) => Array.from({ length: columns }, make);
  return {
    line: words2(rows),
    address: words2(rows),
    costs: many(form.events, () => words2(rows)),
    call: many(CALL_COLUMNS, () => ints(calls)),
    callCosts: many(form.events, () => words2(calls)),
    jump: many(JUMP_COLUMNS, () => ints(jumps)),
    mark: ints((marks + 1) * MARK_WORDS),
    conditional: new Uint8Array(buffer, at, jumps)
  };
}

// src/formats/callgrind/line-reader.ts
var START = 4096;
var PATIENCE = 3;
var LineReader = class {
  scanner;
  digester;
  start;
  most;
  refused = 0;
  /** Bytes read by digests; the scanner read the rest. */
  digested = 0;
  constructor(scanner, reading = {}) {
    this.scanner = scanner;
    this.digester = reading.plain ? void 0 : openDigester();
    this.start = reading.start ?? START;
    this.most = Math.min(this.digester?.most ?? 0, reading.most ?? Number.POSITIVE_INFINITY);
  }
  /** Reads whole lines: buf[end - 1] is a line end. */
  read(buf, p2, end) {
    const { scanner, digester: digester2 } = this;
    while (p2 < end) {
      if (!digester2 || this.refused >= PATIENCE) {
        scanner.scan(buf, p2, end);
        return;
      }
      if (!this.ready()) {
        const to2 = lineEnd(buf, Math.min(p2 + (scanner.waiting ? 1 : this.start), end));
        scanner.scan(buf, p2, to2);
        p2 = to2;
        continue;
      }
      const to = lastLineEnd(buf, p2, Math.min(end, p2 + this.most));
      const digest = to > p2 ? digester2.digest(buf, p2, to, formOf(scanner.parts), scanner.base) : void 0;
      if (digest && digest.used > 0) {
        this.refused = 0;
        this.digested += digest.used;
        p2 += applyDigest(scanner, digest, buf, p2);
      } else {
        if (!digest) this.refused++;
        const next = to > p2 ? to : lineEnd(buf, Math.min(p2 + this.most, end));
        scanner.scan(buf, p2, next);
        p2 = next;
      }
    }
  }
  /** Reads a piece from its digests, as far as they go. */
  readDigested({ bytes, digests, room: room3 }) {
    const { scanner } = this;
    let p2 = 0;
    for (const packed of digests) {
      const { base } = scanner;
      if (!this.ready() || !sameForm(packed.form, formOf(scanner.parts)) || !packed.form.hasInstr && base.high !== 0) break;
      this.digested += packed.used;
      p2 += applyDigest(scanner, unpack(packed, room3), bytes, p2);
    }
    if (p2 < bytes.length) this.read(bytes, p2, bytes.length);
  }
  /** The form of the lines, if digests support it. */
  form() {
    return this.digester && this.refused < PATIENCE && this.ready() ? formOf(this.scanner.parts) : void 0;
  }
  /** True if the form of the lines is known and digests support it. */
  ready() {
    const { parts, base, waiting } = this.scanner;
    const takes = this.digester?.takes(formOf(parts)) ?? false;
    return parts.hasBody && !parts.hasBb && base.bb === 0 && !waiting && takes;
  }
};
function lineEnd(buf, p2) {
  return buf.indexOf(10, p2 - 1) + 1;
}
function lastLineEnd(buf, from, to) {
  const end = buf.lastIndexOf(10, to - 1) + 1;
  return Math.max(from, end);
}

// src/formats/callgrind/piece-queue.ts
var FN = new TextEncoder().encode("\nfn=");
var MOST2 = 32 << 20;
var ROOM = 8 << 20;
var NOTHING = {};
var PieceQueue = class {
  waiting = [];
  /** Buffers returned by the threads, for reuse. */
  spare = [];
  hopeless = false;
  reader;
  threads;
  large;
  constructor(reader, threads, large) {
    this.reader = reader;
    this.threads = threads;
    this.large = large;
  }
  /** True if a file of this size is worth using threads, and digests support its lines. */
  wants(size) {
    return this.threads !== void 0 && size >= this.large && !this.hopeless && this.reader.form() !== void 0;
  }
  /** Queues `rest` and the chunk after it, up to their last fn=. Returns what comes after that. */
  async add(rest, chunk) {
    const cut = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).lastIndexOf(FN) + 1;
    if (cut === 0) {
      const more = [...rest, chunk.slice()];
      this.hopeless = more.reduce((n, r) => n + r.length, 0) > MOST2;
      return more;
    }
    const parts = [...rest, chunk.subarray(0, cut)];
    const { buffer, room: room3 } = this.spare.pop() ?? NOTHING;
    const length = parts.reduce((n, part) => n + part.length, 0);
    const large = buffer && buffer.byteLength >= length ? buffer : new ArrayBuffer(length + (length >> 2));
    const bytes = joinBytes(parts, large);
    const piece = { bytes, form: this.reader.form(), room: room3 ?? new ArrayBuffer(ROOM) };
    const digested = this.threads.run(piece, [bytes.buffer, piece.room]);
    digested.catch(() => {
    });
    this.waiting.push(digested);
    if (this.waiting.length > this.threads.count + 1) await this.readNext();
    return [chunk.slice(cut)];
  }
  async drain() {
    while (this.waiting.length > 0) await this.readNext();
  }
  async readNext() {
    const piece = await this.waiting.shift();
    this.reader.readDigested(piece);
    this.spare.push({ buffer: piece.bytes.buffer, room: piece.room });
  }
};

// src/model/cost-columns.ts
var CostColumns = class {
  columns = [];
  capacity;
  /** End of the rows that may already hold values, even past the row being set. */
  filled = 0;
  /** Values beyond 2^53: [row, exact value] by column. */
  beyond = /* @__PURE__ */ new Map();
  /** The sums of the first `summed` rows. */
  sums = [];
  summed = 0;
  constructor(capacity) {
    this.capacity = capacity;
  }
  ensureColumns(count) {
    while (this.columns.length < count) this.columns.push(new Uint32Array(this.capacity));
  }
  reserve(capacity, used) {
    this.capacity = capacity;
    for (let c = 0; c < this.columns.length; c++) {
      const old = this.columns[c];
      const next = old instanceof Uint32Array ? new Uint32Array(capacity) : new Float64Array(capacity);
      next.set(old.subarray(0, used));
      this.columns[c] = next;
    }
  }
  /** Clears what was written from `row` on, so that rows left out stay 0. */
  clear(row) {
    for (const column of this.columns) column.fill(0, row, this.filled);
    this.filled = 0;
  }
  /**
   * Sums of the first `rows` rows by column, exact below 2^53. Each call resumes from the last: called now and then, it finds the
   * rows still in the cache.
   */
  sumsTo(rows) {
    if (rows < this.summed) this.summed = 0;
    if (this.summed === 0) this.sums = [];
    this.sums = this.columns.map((column, k) => (this.sums[k] ?? 0) + sumOf(column, this.summed, rows));
    this.summed = rows;
    return this.sums;
  }
  /** Writes any value: fractional, negative and 64-bit ones too. */
  set(column, row, value) {
    let target = this.columns[column];
    if (typeof value === "bigint") {
      const list2 = this.beyond.get(column);
      if (list2) list2.push([row, value]);
      else this.beyond.set(column, [[row, value]]);
      value = Number(value);
    }
    if (target instanceof Uint32Array && value >>> 0 !== value) {
      const wide = new Float64Array(this.capacity);
      wide.set(target.subarray(0, Math.max(row, this.filled)));
      this.columns[column] = target = wide;
    }
    target[row] = value;
  }
};
function sumOf(column, from, to) {
  let a2 = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = from;
  for (; i + 4 <= to; i += 4) {
    a2 += column[i];
    b += column[i + 1];
    c += column[i + 2];
    d += column[i + 3];
  }
  for (; i < to; i++) a2 += column[i];
  return a2 + b + c + d;
}
var HALF = 2 ** 32;
function splitHalves(column, rows, beyond) {
  const high = new Float64Array(rows);
  const low = new Uint32Array(rows);
  for (let row = 0; row < rows; row++) {
    const value = column[row];
    const h = Math.floor(value / HALF);
    high[row] = h;
    low[row] = value - h * HALF;
  }
  for (const [row, value] of beyond ?? []) {
    high[row] = Number(value >> 32n);
    low[row] = Number(value & 0xffffffffn);
  }
  return { high, low };
}

// src/model/formula.ts
var TERM = /^([+-]?)\s*(?:(0x[0-9a-f]+|\d+(?:\.\d+)?)(?:\s*\*\s*|\s+|(?=[^\d.*\s])))?(\S+)$/i;
function parseFormula(text3) {
  const parts = text3.trim().split(/\s*(?=[+-]\s)|\s*(?=[+])/).filter((p2) => p2 !== "");
  const out = [];
  for (const part of parts) {
    const m = TERM.exec(part.trim());
    if (!m) return void 0;
    const factor = (m[2] === void 0 ? 1 : Number(m[2])) * (m[1] === "-" ? -1 : 1);
    out.push([factor, m[3]]);
  }
  return out.length > 0 ? out : void 0;
}
function resolveFormulas(notes, known2, warn) {
  const parsed = new Map(notes.map((n) => [n.name, parseFormula(n.formula ?? "")]));
  const done = new Map(known2.map((e) => [e.name, e]));
  const failed = /* @__PURE__ */ new Set();
  const complain = (note, expected, found) => {
    failed.add(note.name);
    warn({ path: note.path, ...note.line === void 0 ? {} : { line: note.line }, expected, found });
  };
  for (let progress = true; progress; ) {
    progress = false;
    for (const note of notes) {
      if (done.has(note.name) || failed.has(note.name)) continue;
      const terms = parsed.get(note.name);
      if (!terms) {
        complain(note, `a formula for event ${note.name}, like 2 Ir + Dr`, note.formula ?? "");
        progress = true;
        continue;
      }
      const missing = terms.find(([, name]) => !done.has(name) && (!parsed.has(name) || failed.has(name)));
      if (missing) {
        complain(note, `recorded events in the formula of ${note.name}`, `event ${missing[1]} is not recorded`);
        progress = true;
      } else if (terms.every(([, name]) => done.has(name))) {
        done.set(
          note.name,
          combine(
            note,
            terms.map(([factor, name]) => [factor, done.get(name)])
          )
        );
        progress = true;
      }
    }
  }
  const circular = notes.filter((n) => !done.has(n.name) && !failed.has(n.name));
  if (circular.length > 0) {
    const names = circular.map((n) => n.name);
    complain(circular[0], "a formula that leads back to recorded events", `${names.join(" and ")} depend on each other`);
  }
  return notes.flatMap((n) => known2.some((e) => e.name === n.name) ? [] : done.get(n.name) ?? []);
}
function combine(note, parts) {
  const sum4 = (pick2) => {
    const by = /* @__PURE__ */ new Map();
    for (const [factor, event] of parts)
      for (const [f, column] of pick2(event)) by.set(column, (by.get(column) ?? 0) + factor * f);
    return [...by].map(([column, factor]) => [factor, column]);
  };
  const wide = parts.some(([, e]) => e.exact) && parts.every(([f]) => Number.isInteger(f));
  return {
    name: note.name,
    unit: parts[0][1].unit,
    ...note.longName ? { longName: note.longName } : {},
    formula: note.formula ?? "",
    terms: sum4((e) => e.terms),
    ...wide ? { exact: { high: sum4((e) => e.exact?.high ?? []), low: sum4((e) => e.exact?.low ?? e.terms) } } : {}
  };
}

// src/model/callgraph/preview.ts
var Previewer = class {
  sink;
  spans;
  lines;
  self = new Float64Array(1024);
  span = 0;
  total = 0;
  constructor(sink, spans, lines) {
    this.sink = sink;
    this.spans = spans;
    this.lines = lines;
  }
  /** The top `most` routines so far; undefined while there are no rows. */
  take(most) {
    const { sink, spans, lines } = this;
    const { eventNames } = sink;
    const column = lines.costs.columns[0];
    const end = spans.start.length - 1;
    if (!column || end <= 0) return void 0;
    if (sink.routineCount > this.self.length) {
      const next = new Float64Array(Math.max(sink.routineCount, this.self.length * 2));
      next.set(this.self);
      this.self = next;
    }
    const { self } = this;
    const start2 = spans.start.data;
    for (; this.span < end; this.span++) {
      let sum4 = 0;
      for (let i = start2[this.span]; i < start2[this.span + 1]; i++) sum4 += column[i];
      const routine = spans.routine.data[this.span];
      self[routine] = self[routine] + sum4;
      this.total += sum4;
    }
    const top = [];
    for (let r = 0; r < sink.routineCount; r++) {
      const cost = self[r];
      if (cost <= 0 || top.length === most && cost <= self[top[most - 1]]) continue;
      let at = top.length;
      while (at > 0 && self[top[at - 1]] < cost) at--;
      top.splice(at, 0, r);
      if (top.length > most) top.pop();
    }
    return {
      event: eventNames[0],
      total: this.total,
      routines: top.map((r) => ({ name: sink.routineText(r), self: self[r] }))
    };
  }
};

// src/model/callgraph/rows.ts
function roomFor(table, rows) {
  for (const column of Object.values(table))
    if (column instanceof Grow && rows > column.data.length) column.reserve(Math.max(rows, column.data.length * 2));
}
function setLengths(table, rows) {
  for (const column of Object.values(table)) if (column instanceof Grow) column.length = rows;
}
var SpanRows = class {
  routine = new Grow(Uint32Array);
  file = new Grow(Int32Array);
  part = new Grow(Uint32Array);
  high = new Grow(Uint32Array);
  start = new Grow(Uint32Array);
  push(routine, file, part, high, start2) {
    this.routine.push(routine);
    this.file.push(file);
    this.part.push(part);
    this.high.push(high);
    this.start.push(start2);
    return this.routine.length - 1;
  }
};
var LineRows = class {
  rows = 0;
  capacity = 1 << 14;
  line = new Uint32Array(this.capacity);
  address;
  costs = new CostColumns(this.capacity);
  needAddress() {
    this.address ??= new Uint32Array(this.capacity);
  }
  reserve(capacity) {
    if (capacity <= this.capacity) return;
    const line = new Uint32Array(capacity);
    line.set(this.line.subarray(0, this.rows));
    this.line = line;
    if (this.address) {
      const address = new Uint32Array(capacity);
      address.set(this.address.subarray(0, this.rows));
      this.address = address;
    }
    this.costs.reserve(capacity, this.rows);
    this.capacity = capacity;
  }
  finish(costs) {
    const line = this.line.subarray(0, this.rows);
    return this.address ? { line, address: this.address.subarray(0, this.rows), costs } : { line, costs };
  }
};
var CallRows = class {
  rows = 0;
  span = new Grow(Uint32Array);
  callee = new Grow(Uint32Array);
  line = new Grow(Uint32Array);
  address = new Grow(Uint32Array);
  count = new Counts();
  costs = new CostColumns(1 << 12);
  hasAddress = false;
  push(span, callee, line, address, count) {
    this.span.push(span);
    this.callee.push(callee);
    this.line.push(line);
    this.address.push(address);
    this.count.push(count);
    if (this.rows === this.costs.capacity) this.costs.reserve(this.rows * 2, this.rows);
    return this.rows++;
  }
  /** Makes room for `rows` rows, for a writer that fills whole columns. */
  makeRoom(rows) {
    roomFor(this, rows);
    if (rows > this.costs.capacity) this.costs.reserve(Math.max(rows, this.costs.capacity * 2), this.rows);
  }
  setRows(rows) {
    this.rows = rows;
    setLengths(this, rows);
  }
  finish(costs) {
    return {
      span: this.span.done(),
      callee: this.callee.done(),
      line: this.line.done(),
      ...this.hasAddress ? { address: this.address.done() } : {},
      count: this.count.done(),
      costs
    };
  }
};
var JumpRows = class {
  span = new Grow(Uint32Array);
  line = new Grow(Uint32Array);
  address = new Grow(Uint32Array);
  targetFile = new Grow(Int32Array);
  targetRoutine = new Dense();
  targetLine = new Grow(Uint32Array);
  /** By row: upper halves of target addresses that differ from their span's. */
  targetHigh = /* @__PURE__ */ new Map();
  targetAddress = new Grow(Uint32Array);
  conditional = new Grow(Uint8Array);
  taken = new Counts();
  executed = new Counts();
  hasAddress = false;
  makeRoom(rows) {
    roomFor(this, rows);
  }
  setRows(rows) {
    setLengths(this, rows);
  }
  /** `spanHigh`: upper halves by span. */
  finish(spanHigh) {
    const targetHigh = this.targetHigh.size > 0 ? this.span.done().map((span) => spanHigh[span]) : void 0;
    if (targetHigh) for (const [row, value] of this.targetHigh) targetHigh[row] = value;
    return {
      span: this.span.done(),
      line: this.line.done(),
      ...this.hasAddress ? { address: this.address.done(), targetAddress: this.targetAddress.done() } : {},
      targetFile: this.targetFile.done(),
      ...this.targetRoutine.any ? { targetRoutine: this.targetRoutine.column(this.line.length) } : {},
      targetLine: this.targetLine.done(),
      ...targetHigh ? { targetHigh } : {},
      conditional: this.conditional.done(),
      taken: this.taken.done(),
      executed: this.executed.done()
    };
  }
};

// src/model/callgraph/writer.ts
var CallGraphWriter = class {
  lines = new LineRows();
  calls = new CallRows();
  jumps = new JumpRows();
  spans = new SpanRows();
  sink;
  previewer;
  constructor(sink) {
    this.sink = sink;
    this.previewer = new Previewer(sink, this.spans, this.lines);
  }
  get rows() {
    return this.lines.rows;
  }
  /** The cost column of each event name; a new name gets a new column. */
  eventColumns(names) {
    const { eventNames } = this.sink;
    const out = names.map((name) => {
      const at = eventNames.indexOf(name);
      return at >= 0 ? at : eventNames.push(name) - 1;
    });
    this.lines.costs.ensureColumns(eventNames.length);
    this.calls.costs.ensureColumns(eventNames.length);
    return out;
  }
  /** Reserves room for `times` × the current rows and names. */
  expect(times) {
    const { lines, calls } = this;
    lines.reserve(Math.min(MOST_EXPECTED, Math.ceil(lines.rows * times)));
    for (const table of [calls, this.jumps, this.spans]) expectRows(table, times);
    calls.costs.reserve(Math.min(MOST_EXPECTED, Math.max(calls.costs.capacity, Math.ceil(calls.rows * times))), calls.rows);
    this.sink.expect(times);
  }
  preview(most) {
    return this.previewer.take(most);
  }
  finish() {
    const { lines, calls, jumps, spans, sink } = this;
    spans.start.push(lines.rows);
    const raw = sink.eventNames.length;
    const lineCosts = [];
    const callCosts = [];
    const exact = /* @__PURE__ */ new Map();
    let columns = raw;
    for (let c = 0; c < raw; c++) {
      lineCosts.push(lines.costs.columns[c].subarray(0, lines.rows));
      callCosts.push(calls.costs.columns[c].subarray(0, calls.rows));
    }
    for (let c = 0; c < raw; c++) {
      const beyond = lines.costs.beyond.has(c) || calls.costs.beyond.has(c);
      if (!beyond && sumIsExact(lines.costs, lines.rows, c) && sumIsExact(calls.costs, calls.rows, c)) continue;
      const l2 = splitHalves(lineCosts[c], lines.rows, lines.costs.beyond.get(c));
      const k = splitHalves(callCosts[c], calls.rows, calls.costs.beyond.get(c));
      lineCosts.push(l2.high, l2.low);
      callCosts.push(k.high, k.low);
      exact.set(c, { high: columns, low: columns + 1 });
      columns += 2;
    }
    return {
      kind: "callgraph",
      events: this.finishEvents(exact),
      columns,
      spans: {
        routine: spans.routine.done(),
        file: spans.file.done(),
        part: spans.part.done(),
        high: spans.high.done(),
        start: spans.start.done()
      },
      lines: lines.finish(lineCosts),
      ...calls.rows > 0 ? { calls: calls.finish(callCosts) } : {},
      ...jumps.line.length > 0 ? { jumps: jumps.finish(spans.high.done()) } : {}
    };
  }
  finishEvents(exact) {
    const { eventNames, eventNotes } = this.sink;
    const recorded = eventNames.map((name, c) => {
      const note = eventNotes.find((n) => n.name === name && n.longName !== void 0);
      const half = exact.get(c);
      return {
        name,
        unit: eventNotes.find((n) => n.name === name && n.unit)?.unit ?? "count",
        ...note?.longName ? { longName: note.longName } : {},
        terms: [[1, c]],
        ...half ? { exact: { high: [[1, half.high]], low: [[1, half.low]] } } : {}
      };
    });
    const seen = new Set(eventNames);
    const notes = eventNotes.filter((n) => n.formula !== void 0 && !seen.has(n.name) && seen.add(n.name));
    return [...recorded, ...resolveFormulas(notes, recorded, (p2) => this.sink.warn(p2))];
  }
};
function sumIsExact(costs, rows, c) {
  const column = costs.columns[c];
  if (column instanceof Uint32Array) return costs.sumsTo(rows)[c] < 2 ** 53;
  let plus = 0;
  let minus = 0;
  for (let i = 0; i < rows; i++) {
    const v = column[i];
    if (v >= 0) plus += v;
    else minus -= v;
  }
  return Math.max(plus, minus) < 2 ** 53;
}

// src/formats/callgrind/numbers.ts
var cursor = { at: 0 };
function skipBlanks(buf, p2) {
  while (buf[p2] === 32 || buf[p2] === 9) p2++;
  return p2;
}
function shortNumber(buf, p2) {
  const from = p2;
  let v = 0;
  let d = buf[p2] - 48;
  while (d >= 0 && d <= 9) {
    v = v * 10 + d;
    d = buf[++p2] - 48;
  }
  if (p2 === from || p2 - from > 9 || d === 72 || d === 40) return void 0;
  cursor.at = p2;
  return v;
}
var LIMIT = 1n << 64n;
function readNumber(buf, p2, signed) {
  let sign = 1;
  if (signed && (buf[p2] === 45 || buf[p2] === 43)) {
    if (buf[p2] === 45) sign = -1;
    p2++;
  }
  const hex = buf[p2] === 48 && (buf[p2 + 1] | 32) === 120;
  if (hex) p2 += 2;
  const from = p2;
  let value = 0;
  for (; ; ) {
    const d = digit(buf[p2], hex);
    if (d < 0) break;
    value = value * (hex ? 16 : 10) + d;
    p2++;
  }
  cursor.at = p2;
  if (p2 === from) return void 0;
  if (value <= Number.MAX_SAFE_INTEGER) return sign * value;
  if (p2 - from > 400) return void 0;
  let text3 = "";
  for (let i = from; i < p2; i++) text3 += String.fromCharCode(buf[i]);
  const big = BigInt(hex ? "0x" + text3 : text3);
  if (big >= LIMIT) return void 0;
  return sign < 0 ? -big : big;
}
function digit(c, hex) {
  if (c >= 48 && c <= 57) return c - 48;
  if (!hex) return -1;
  const lower = c | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}
function wordAt(buf, p2) {
  let end = p2;
  while (end < buf.length && end - p2 < 40 && buf[end] !== 10 && buf[end] !== 13 && buf[end] !== 32 && buf[end] !== 9) end++;
  if (end === p2) return buf[p2] === 32 || buf[p2] === 9 ? "a blank" : "the end of the line";
  return `"${new TextDecoder().decode(buf.subarray(p2, end))}"`;
}
function problemAt(where, buf, p2, what) {
  let from = p2;
  while (from > 0 && buf[from - 1] !== 10) from--;
  let to = p2;
  while (to < buf.length && buf[to] !== 10 && to - from < 400) to++;
  const decode = (a2, b) => new TextDecoder().decode(buf.subarray(a2, b));
  const excerpt = decode(from, to).replace(/\r$/, "");
  return {
    ...where,
    expected: what.expected,
    found: what.found,
    ...what.hint ? { hint: what.hint } : {},
    ...excerpt === "" ? {} : { excerpt, column: decode(from, p2).length }
  };
}

// src/formats/callgrind/positions.ts
var HALF2 = 4294967296;
function readPositions(buf, p2, columns, base, into, fail) {
  const { low, high, bb, line } = base;
  into.low = low;
  into.high = high;
  into.bb = bb;
  into.line = line;
  if (columns.hasInstr) p2 = behindPosition(buf, readAddress(buf, p2, columns, base, into, fail), columns, fail);
  if (columns.hasBb) {
    into.bb = readPosition(buf, p2, bb, columns, fail);
    p2 = cursor.at;
  }
  if (columns.hasLine) {
    into.line = readLine(buf, p2, line, columns, fail);
    p2 = cursor.at;
  }
  return p2;
}
function readTarget(buf, p2, columns, base, into, fail) {
  into.low = into.high = into.bb = into.line = 0;
  p2 = skipBlanks(buf, p2);
  if (columns.hasInstr && buf[p2] > 32) p2 = skipBlanks(buf, readAddress(buf, p2, columns, base, into, fail));
  if (columns.hasBb && buf[p2] > 32) {
    into.bb = readPosition(buf, p2, base.bb, columns, fail);
    p2 = cursor.at;
  }
  if (columns.hasLine && buf[p2] > 32) into.line = readLine(buf, p2, base.line, columns, fail);
}
function readAddress(buf, p2, columns, base, into, fail) {
  const sign = buf[p2];
  if (sign === STAR) {
    into.low = base.low;
    into.high = base.high;
    return p2 + 1;
  }
  const relative = sign === PLUS || sign === MINUS;
  const from = relative ? p2 + 1 : p2;
  const v = shortNumber(buf, from) ?? readNumber(buf, from, false);
  if (v === void 0) missingPosition(buf, from, columns, fail);
  let [low, high] = typeof v === "bigint" ? [Number(v & 0xffffffffn), Number(v >> 32n)] : [v % HALF2, Math.floor(v / HALF2)];
  if (relative) {
    const by = sign === MINUS ? -1 : 1;
    low = base.low + by * low;
    high = base.high + by * high;
    if (low >= HALF2) {
      low -= HALF2;
      high++;
    } else if (low < 0) {
      low += HALF2;
      high--;
    }
    if (high < 0) fail(p2, "an address of at least 0", `address ${high * HALF2 + low}`);
  }
  into.low = low;
  into.high = high;
  return cursor.at;
}
function readLine(buf, p2, base, columns, fail) {
  const line = readPosition(buf, p2, base, columns, fail);
  if (line < 0) fail(p2, "a line number of at least 0", `line number ${line}`);
  if (line > 4294967295) fail(p2, "a line number below 2^32", wordAt(buf, p2));
  return line;
}
function readPosition(buf, p2, base, columns, fail) {
  const c = buf[p2];
  let value = base;
  if (c === STAR) cursor.at = p2 + 1;
  else {
    const relative = c === PLUS || c === MINUS;
    const from = relative ? p2 + 1 : p2;
    const v = shortNumber(buf, from) ?? readNumber(buf, from, false);
    if (v === void 0) missingPosition(buf, p2, columns, fail);
    value = Number(v) * (c === MINUS ? -1 : 1) + (relative ? base : 0);
  }
  cursor.at = behindPosition(buf, cursor.at, columns, fail);
  return value;
}
function behindPosition(buf, p2, columns, fail) {
  const c = buf[p2];
  if (c !== 32 && c !== 9 && c !== 10 && c !== 13) fail(p2, `a position (${columns.positions.join(" ")})`, wordAt(buf, p2));
  return skipBlanks(buf, p2);
}
function missingPosition(buf, p2, { positions }, fail) {
  if (positions.length > 1 && (buf[p2] === 10 || buf[p2] === 13)) {
    fail(p2, `${positions.length} subpositions (${positions.join(" ")})`, `${positions.length - 1}`);
  }
  fail(p2, `a position (${positions.join(" ")})`, wordAt(buf, p2));
}
var STAR = 42;
var PLUS = 43;
var MINUS = 45;

// src/formats/callgrind/associations.ts
var AssociationReader = class {
  count = 0;
  executed = 0;
  conditional = false;
  mention = -1;
  targetFile = -1;
  target = { low: 0, high: 0, bb: 0, line: 0 };
  tables;
  parts;
  specs;
  fail;
  constructor(tables, parts, specs, fail) {
    this.tables = tables;
    this.parts = parts;
    this.specs = specs;
    this.fail = fail;
  }
  number(buf, p2, form) {
    const v = shortNumber(buf, p2) ?? readNumber(buf, p2, false);
    if (v === void 0) this.fail(p2, form, wordAt(buf, p2));
    return Number(v);
  }
  /** `calls=COUNT TARGET`: the count, and as many of the target's positions as are given. */
  callsLine(buf, p2, base) {
    const form = "calls=COUNT TARGET";
    p2 = skipBlanks(buf, p2);
    this.count = this.number(buf, p2, form);
    p2 = cursor.at;
    if (buf[p2] > 32) this.fail(p2, form, wordAt(buf, p2));
    readTarget(buf, p2, this.parts, base, this.target, this.fail);
    if (this.specs.calledFn < 0) this.fail(p2, "cfn= before calls=", "none");
    this.mention = this.specs.takeCallee();
  }
  jumpLine(buf, p2, conditional, base) {
    const form = conditional ? "jcnd=TAKEN/EXECUTED TARGET" : "jump=COUNT TARGET";
    p2 = skipBlanks(buf, p2);
    this.count = this.executed = this.number(buf, p2, form);
    p2 = cursor.at;
    if (conditional) {
      const slash = buf[p2] === 47;
      if (slash) p2++;
      p2 = skipBlanks(buf, p2);
      const second = this.number(buf, p2, form);
      p2 = cursor.at;
      if (slash) this.executed = second;
      else this.count = second;
    }
    if (buf[p2] > 32) this.fail(p2, form, wordAt(buf, p2));
    readTarget(buf, p2, this.parts, base, this.target, this.fail);
    this.conditional = conditional;
    this.mention = this.specs.takeJumpTarget();
    this.targetFile = this.specs.takeJumpFile();
  }
  /** Writes a jump from this line and address. */
  writeJump(line, own) {
    const { specs, parts, target } = this;
    const j = this.tables.jumps;
    const row = j.line.length;
    if (this.mention >= 0) j.targetRoutine.set(row, this.mention);
    if (target.high !== specs.spanHigh) j.targetHigh.set(row, target.high);
    j.span.push(specs.span);
    j.line.push(line);
    j.address.push(own);
    j.targetFile.push(this.targetFile >= 0 ? this.targetFile : specs.file);
    j.targetLine.push(target.line);
    j.targetAddress.push(target.low);
    j.conditional.push(this.conditional ? 1 : 0);
    j.taken.push(this.count);
    j.executed.push(this.executed);
    if (parts.hasInstr) j.hasAddress = true;
  }
  /** Writes a call from this line and address; returns the row that its costs go to. */
  writeCall(line, own) {
    const { calls } = this.tables;
    if (this.parts.hasInstr) calls.hasAddress = true;
    return calls.push(this.specs.span, this.mention, line, own, this.count);
  }
};

// src/formats/callgrind/parts.ts
var OPENS = /* @__PURE__ */ new Set(["version", "creator", "pid", "cmd", "part", "thread", "desc", "positions", "events"]);
var SILENT = /* @__PURE__ */ new Set(["arch", "timeframe (BB)", "timeframe"]);
var POSITIONS = ["instr", "bb", "line"];
var PartReader = class {
  hasInstr = false;
  hasBb = false;
  hasLine = true;
  positions = ["line"];
  /** Cost column of each event of the current part. */
  columns = [];
  eventNames = [];
  hasEvents = false;
  hasBody = false;
  /** Number of the part that rows belong to. */
  part = 0;
  pid = null;
  command = null;
  creator = null;
  open;
  sink;
  tables;
  path;
  fail;
  constructor(sink, tables, path, fail) {
    this.sink = sink;
    this.tables = tables;
    this.path = path;
    this.fail = fail;
    this.part = sink.parts.length;
    this.open = this.newPart();
  }
  newPart() {
    return {
      part: null,
      thread: null,
      notes: [],
      events: this.eventNames,
      summary: null,
      summaryLine: 0,
      totals: null,
      firstRow: this.tables.lines.rows,
      sumsBefore: this.tables.lines.costs.sumsTo(this.tables.lines.rows)
    };
  }
  needEvents(p2) {
    this.fail(
      p2,
      "an events: line before the first cost line",
      "a cost line",
      'the events: line names the counts, as in "events: Ir"'
    );
  }
  /** Reads `key: value`, with the colon at `colon`. Returns true if it opened a new part. */
  header(buf, p2, colon, end, line) {
    const key = decodeBytes(buf, p2, colon).trim();
    let from = colon + 1;
    while (from < end && (buf[from] === 32 || buf[from] === 9)) from++;
    const text3 = decodeBytes(buf, from, end);
    let opened = false;
    if ((this.hasBody || this.open.totals !== null) && OPENS.has(key)) {
      this.close();
      this.open = this.newPart();
      this.hasBody = false;
      this.part = this.sink.parts.length;
      opened = true;
    }
    this.apply(key, text3, buf, from, line);
    return opened;
  }
  apply(key, text3, buf, at, line) {
    const { open: open2, sink, path } = this;
    switch (key) {
      case "version":
        if (!/^[01](\.\d+)*$/.test(text3)) this.fail(at, "version 1", `version ${text3}`);
        break;
      case "creator":
        this.creator = text3;
        sink.creator ??= text3;
        break;
      case "cmd":
        this.command = unescapeCommand(text3);
        sink.command ??= this.command;
        break;
      case "pid":
        this.pid = this.wholeNumber(buf, at, "pid");
        break;
      case "part":
        open2.part = this.wholeNumber(buf, at, "part");
        break;
      case "thread":
        open2.thread = this.wholeNumber(buf, at, "thread");
        break;
      case "desc":
        if (text3 !== "") open2.notes.push(text3);
        break;
      case "positions":
        this.setPositions(text3, at);
        break;
      case "events":
        this.setEvents(text3, at);
        break;
      case "event":
        this.eventLine(text3, at, line);
        break;
      case "summary":
        open2.summary = this.values(buf, at);
        open2.summaryLine = line;
        break;
      case "totals":
        open2.totals = this.values(buf, at);
        this.compare(open2.totals, line);
        break;
      default:
        if (!SILENT.has(key))
          sink.warn({ path, line, expected: "a known header key", found: `unknown header key "${key}"; skipped` });
    }
  }
  wholeNumber(buf, at, key) {
    const v = readNumber(buf, at, true);
    if (v === void 0) this.fail(at, `a number after ${key}:`, "none");
    return Number(v);
  }
  setPositions(text3, at) {
    const words2 = text3.split(/\s+/).filter((w2) => w2 !== "");
    const wrong = words2.find((w2) => !POSITIONS.includes(w2));
    if (wrong !== void 0) this.fail(at, "positions: with any of instr bb line", `"${wrong}"`);
    for (let i = 1; i < words2.length; i++) {
      if (POSITIONS.indexOf(words2[i]) <= POSITIONS.indexOf(words2[i - 1]))
        this.fail(at, "positions in the order instr bb line", `"${text3}"`);
    }
    this.positions = words2.length > 0 ? words2 : ["line"];
    this.hasInstr = words2.includes("instr");
    this.hasBb = words2.includes("bb");
    this.hasLine = this.positions.includes("line");
    if (this.hasInstr || this.hasBb && !this.hasLine) this.tables.lines.needAddress();
  }
  setEvents(text3, at) {
    const names = text3.split(/\s+/).filter((w2) => w2 !== "");
    if (names.length === 0) this.fail(at, "at least one event name after events:", "none");
    const twice = names.find((n, i) => names.indexOf(n) !== i);
    if (twice !== void 0) this.fail(at, "each event only once", `event ${twice} twice`);
    this.eventNames = this.open.events = names;
    this.columns = this.tables.eventColumns(names);
    this.hasEvents = true;
  }
  /** `event: Name = formula : long name`; formula and long name are optional. A name has no blanks, a long name may have any text. */
  eventLine(text3, at, line) {
    const m = /^(\S+?)\s*(?:=\s*([^:]*?))?\s*(?:\s:|:\s)\s*(.*)$/.exec(text3 + " ") ?? /^(\S+)\s*(?:=\s*([^:]*?))?\s*$/.exec(text3);
    if (!m) this.fail(at, "event: NAME [= FORMULA] [: LONG NAME]", `"${text3}"`);
    const longName = m[3]?.trim();
    const unit = unitOf(m[1], longName ?? "");
    this.sink.eventNotes.push({
      name: m[1],
      ...longName ? { longName } : {},
      ...m[2] ? { formula: m[2].trim() } : {},
      ...unit ? { unit } : {},
      path: this.path,
      line
    });
  }
  values(buf, at) {
    const out = [];
    for (let p2 = at; ; ) {
      while (buf[p2] === 32 || buf[p2] === 9) p2++;
      if (buf[p2] === 10 || buf[p2] === 13) return out;
      let q = p2;
      while (buf[q] > 32) q++;
      const v = buf[p2] === 46 && q === p2 + 1 ? 0 : readNumber(buf, p2, true);
      if (v === void 0) this.fail(p2, "a count", `"${decodeBytes(buf, p2, Math.min(q, p2 + 40))}"`);
      out.push(v);
      p2 = q;
    }
  }
  /** totals: must be the sum of the cost lines. */
  compare(totals, line) {
    const sums = this.sums();
    for (let k = 0; k < Math.min(totals.length, sums.length); k++) {
      if (BigInt(totals[k]) === BigInt(sums[k])) continue;
      this.sink.warn({
        path: this.path,
        line,
        expected: `the sum of the cost lines, ${sums[k]} ${this.eventNames[k]}`,
        found: `totals: ${totals[k]}, while the cost lines add up to ${sums[k]}`
      });
      return;
    }
  }
  /** Sum of the part's cost lines by event; exact. */
  sums() {
    const { lines } = this.tables;
    const { firstRow, sumsBefore } = this.open;
    const sums = lines.costs.sumsTo(lines.rows);
    return this.columns.map((c) => {
      const beyond = lines.costs.beyond.get(c);
      if (Math.abs(sums[c]) <= Number.MAX_SAFE_INTEGER && !beyond) return sums[c] - (sumsBefore[c] ?? 0);
      const column = lines.costs.columns[c];
      const exact = new Map(beyond);
      let big = 0n;
      for (let i = firstRow; i < lines.rows; i++) big += exact.get(i) ?? BigInt(column[i]);
      return big;
    });
  }
  close() {
    const { open: open2, sink } = this;
    const part = {
      path: this.path,
      part: open2.part,
      thread: open2.thread,
      pid: this.pid,
      command: this.command,
      notes: open2.notes,
      events: open2.events,
      positions: this.positions,
      summary: open2.summary,
      totals: open2.totals
    };
    sink.addPart(part);
  }
  /** At the end of the file: closes the last part and checks that it is complete. `noLineEnd`: the last line had no line end. */
  finish(line, noLineEnd) {
    const { open: open2, sink, path } = this;
    if (!this.hasEvents) this.fail(0, "an events: line", "the end of the file");
    const sums = this.sums();
    const promised = open2.summary ?? [];
    const short = promised.findIndex((v, k) => sums[k] !== void 0 && v > sums[k]);
    const valgrind = this.creator?.startsWith("callgrind-") ?? false;
    if (open2.totals === null && !sink.cut && (valgrind || noLineEnd && short >= 0)) {
      const of = short >= 0 ? ` after ${sums[short]} of ${promised[short]} ${this.eventNames[short]}` : "";
      const problem = {
        path,
        line,
        expected: "a totals: line at the end",
        found: `the end of the file${noLineEnd ? " within a line" : ""}${of}; the file may be cut off`
      };
      if (valgrind && (noLineEnd || short >= 0)) sink.cut ??= problem;
      else sink.warn(problem);
    }
    this.close();
  }
};
function unescapeCommand(text3) {
  return text3.replace(/\\([n\\])/g, (_, c) => c === "n" ? "\n" : "\\");
}
function unitOf(name, longName) {
  if (/\bbytes\b/i.test(longName)) return "bytes";
  if (/^sys(Cpu)?Time$/.test(name) && /\bns(ec)?\b/i.test(longName)) return "ns";
  return void 0;
}

// src/formats/callgrind/names.ts
var Ids = class {
  dense = new Dense();
  wild = /* @__PURE__ */ new Map();
  get(id) {
    return id < WILD ? this.dense.get(id) : this.wild.get(id) ?? -1;
  }
  expect(times) {
    this.dense.expect(times);
  }
  set(id, value) {
    if (id < WILD) this.dense.set(id, value);
    else this.wild.set(id, value);
  }
};
var WILD = 1 << 24;
var Functions = class {
  ids = new Ids();
  name = new Grow(Uint32Array);
  /** 1 if the function has an id. */
  hasId = new Grow(Uint8Array);
  /** For functions with an id: the routine, made by the first fn= with cost lines; -1 if none yet. */
  own = new Grow(Int32Array);
  lastMention = new Grow(Int32Array);
  plain = /* @__PURE__ */ new Map();
  mentionFn = new Grow(Uint32Array);
  mentionFile = new Grow(Int32Array);
  mentionObject = new Grow(Int32Array);
  nextMention = new Grow(Int32Array);
  add(name, hasId) {
    this.name.push(name);
    this.hasId.push(hasId ? 1 : 0);
    this.own.push(-1);
    this.lastMention.push(-1);
    return this.name.length - 1;
  }
  /** Reserves room for `times` × the current functions. */
  expect(times) {
    expectRows(this, times);
    this.ids.expect(times);
  }
  byName(name) {
    let fn = this.plain.get(name);
    if (fn === void 0) this.plain.set(name, fn = this.add(name, false));
    return fn;
  }
  /**
   * The routine of a function whose cost lines follow. An id is one function wherever its costs are: Valgrind's heap profiles
   * give it a new fl= for inlined code. A name without an id is a different function in each file or object.
   */
  routineAt(sink, fn, file, object) {
    const own = this.own.data;
    if (own[fn] >= 0) return own[fn];
    const routine = sink.routine(this.name.data[fn], file, object);
    if (this.hasId.data[fn] === 1) own[fn] = routine;
    return routine;
  }
  mention(fn, file, object) {
    let at = this.lastMention.data[fn];
    while (at >= 0) {
      if (this.mentionFile.data[at] === file && this.mentionObject.data[at] === object) return at;
      at = this.nextMention.data[at];
    }
    at = this.mentionFn.length;
    this.mentionFn.push(fn);
    this.mentionFile.push(file);
    this.mentionObject.push(object);
    this.nextMention.push(this.lastMention.data[fn]);
    this.lastMention.data[fn] = at;
    return at;
  }
  /** The routine of each mention. A function with an id but no cost lines is located at its first mention. */
  resolve(sink) {
    const out = new Uint32Array(this.mentionFn.length);
    for (let m = 0; m < out.length; m++)
      out[m] = this.routineAt(sink, this.mentionFn.data[m], this.mentionFile.data[m], this.mentionObject.data[m]);
    return out;
  }
};

// src/formats/callgrind/specs.ts
var WORDS = /* @__PURE__ */ new Map([
  ["fn", NAMES.fn],
  ["fl", NAMES.fl],
  ["fi", NAMES.fi],
  ["fe", NAMES.fi],
  ["ob", NAMES.ob],
  ["cfn", NAMES.cfn],
  ["cfl", NAMES.cfi],
  ["cfi", NAMES.cfi],
  ["cob", NAMES.cob],
  ["jfn", NAMES.jfn],
  ["jfl", NAMES.jfi],
  ["jfi", NAMES.jfi]
]);
var FUNCTIONS = /* @__PURE__ */ new Set([NAMES.fn, NAMES.cfn, NAMES.jfn]);
var OBJECTS = /* @__PURE__ */ new Set([NAMES.ob, NAMES.cob]);
var SpecReader = class {
  functions = new Functions();
  /** The span that rows go to; -1 if the next row opens a new one. */
  span = -1;
  spanHigh = 0;
  /** The source file of the next rows: from fl=, or from fi= and fe= inside a function. */
  file = -1;
  /** The function of the next calls= line. */
  calledFn = -1;
  flFile = -1;
  object = -1;
  fn = -1;
  routine = -1;
  calledFile = -2;
  calledObject = -2;
  keptFn = -1;
  keptFile = -2;
  keptObject = -2;
  jumpFn = -1;
  jumpFile = -1;
  files = new Ids();
  objects = new Ids();
  firstCall;
  firstJump;
  sink;
  tables;
  fail;
  unknownWords = /* @__PURE__ */ new Map();
  constructor(sink, tables, fail) {
    this.sink = sink;
    this.tables = tables;
    this.fail = fail;
    this.firstCall = tables.calls.rows;
    this.firstJump = tables.jumps.line.length;
  }
  /** Reads `word=name` at p, with the `=` at eq; false if the word is unknown. */
  spec(buf, p2, eq, end) {
    const what = eq - p2 > 3 ? void 0 : WORDS.get(decodeBytes(buf, p2, eq));
    if (what === void 0) return false;
    if (FUNCTIONS.has(what)) this.setFunction(what, this.readFunction(buf, eq + 1, end));
    else if (OBJECTS.has(what)) this.setObject(what, this.readObject(buf, eq + 1, end));
    else this.setFile(what, this.readFile(buf, eq + 1, end));
    return true;
  }
  /**
   * Reads a line of the form `word=(id) name` or `word=(id)` that is already split up: the name is buf[at..end) and contains no ids.
   * If the line is wrong, returns false and reads nothing.
   */
  readNamed(what, id, buf, at, end) {
    const { sink } = this;
    const name = () => sink.strings.bytesId(buf, at, end);
    if (FUNCTIONS.has(what)) {
      const fn = this.namedFunction(id, buf, at, end);
      if (fn >= 0) this.setFunction(what, fn);
      return fn >= 0;
    }
    if (OBJECTS.has(what)) {
      const object = this.namedPlace(this.objects, id, at < end ? sink.object(name()) : -1);
      if (object >= 0) this.setObject(what, object);
      return object >= 0;
    }
    const file = this.namedPlace(this.files, id, at < end ? sink.file(name()) : -1);
    if (file >= 0) this.setFile(what, file);
    return file >= 0;
  }
  setFunction(what, fn) {
    if (what === NAMES.cfn) this.calledFn = fn;
    else if (what === NAMES.jfn) this.jumpFn = fn;
    else {
      this.fn = fn;
      this.routine = -1;
      this.file = this.flFile;
      this.span = -1;
    }
  }
  setObject(what, object) {
    if (what === NAMES.cob) this.calledObject = object;
    else {
      this.object = object;
      this.span = -1;
    }
  }
  setFile(what, file) {
    if (what === NAMES.cfi) this.calledFile = file;
    else if (what === NAMES.jfi) this.jumpFile = file;
    else {
      this.file = file;
      if (what === NAMES.fl) this.flFile = file;
      this.span = -1;
    }
  }
  namedFunction(id, buf, at, end) {
    const { functions } = this;
    const known2 = functions.ids.get(id);
    if (at === end) return known2;
    const name = this.sink.strings.bytesId(buf, at, end);
    if (known2 >= 0) return functions.name.data[known2] === name ? known2 : -1;
    const fn = functions.add(name, true);
    functions.ids.set(id, fn);
    return fn;
  }
  /** `named`: the file or object with that name; -1 if there is only the id. */
  namedPlace(ids, id, named) {
    const known2 = ids.get(id);
    if (named < 0 || known2 === named) return known2;
    if (known2 >= 0) return -1;
    ids.set(id, named);
    return named;
  }
  /** The first row at a new location: from here on the function is known to be in this file and object. */
  openSpan(p2, part, high) {
    if (this.fn < 0) this.fail(p2, "fn= before the first cost line", "a cost line outside any function");
    if (this.routine < 0) {
      this.routine = this.functions.routineAt(this.sink, this.fn, this.flFile, this.object);
    }
    this.span = this.tables.spans.push(this.routine, this.file, part, high, this.tables.lines.rows);
    this.spanHigh = high;
  }
  /** The callee of a calls= line. The location given by cfi= and cob= is valid for this call only. */
  takeCallee() {
    const file = this.calledFile === -2 ? this.file : this.calledFile;
    const object = this.calledObject === -2 ? this.object : this.calledObject;
    const mention = this.functions.mention(this.calledFn, file, object);
    this.calledFile = -2;
    this.calledObject = -2;
    return mention;
  }
  takeJumpTarget() {
    const fn = this.jumpFn;
    this.jumpFn = -1;
    return fn < 0 ? -1 : this.functions.mention(fn, this.jumpFile >= 0 ? this.jumpFile : this.file, this.object);
  }
  takeJumpFile() {
    const file = this.jumpFile;
    this.jumpFile = -1;
    return file;
  }
  get hasFunction() {
    return this.fn >= 0;
  }
  /** The next jump goes to another function or file. */
  get jumpsAway() {
    return this.jumpFn >= 0 || this.jumpFile >= 0;
  }
  /** The next jump goes to another function. */
  get jumpsOut() {
    return this.jumpFn >= 0;
  }
  /** True if the ids are defined; -1 means no id. */
  knows(fn, file, object) {
    return (fn < 0 || this.functions.ids.get(fn) >= 0) && (file < 0 || this.files.get(file) >= 0) && (object < 0 || this.objects.get(object) >= 0);
  }
  /** Has the effect of reading the lines with these ids. */
  callIds(fn, file, object) {
    if (fn >= 0) this.calledFn = this.functions.ids.get(fn);
    if (file >= 0) this.calledFile = this.files.get(file);
    if (object >= 0) this.calledObject = this.objects.get(object);
  }
  jumpIds(file, fn) {
    if (file >= 0) this.jumpFile = this.files.get(file);
    if (fn >= 0) this.jumpFn = this.functions.ids.get(fn);
  }
  /** Saves the current callee and its location; takeBackCalled() restores them. */
  keepCalled() {
    this.keptFn = this.calledFn;
    this.keptFile = this.calledFile;
    this.keptObject = this.calledObject;
  }
  takeBackCalled() {
    this.calledFn = this.keptFn;
    this.calledFile = this.keptFile;
    this.calledObject = this.keptObject;
  }
  /** The callee of a call with these ids (-1 keeps what was read before); -1 if one is not defined. */
  callee(fn, file, object) {
    if (fn >= 0) this.calledFn = this.functions.ids.get(fn);
    if (file >= 0 && (this.calledFile = this.files.get(file)) < 0) return -1;
    if (object >= 0 && (this.calledObject = this.objects.get(object)) < 0) return -1;
    return this.calledFn < 0 ? -1 : this.takeCallee();
  }
  unknown(buf, p2, eq, line) {
    const word = decodeBytes(buf, p2, Math.min(eq, p2 + 40));
    const known2 = this.unknownWords.get(word);
    if (known2) known2.times++;
    else this.unknownWords.set(word, { line, times: 1 });
  }
  /** At the end of the file: replaces mentions by routines, in the rows that this file wrote. */
  finish(path) {
    const routines = this.functions.resolve(this.sink);
    const { calls, jumps } = this.tables;
    for (let i = this.firstCall; i < calls.rows; i++) calls.callee.data[i] = routines[calls.callee.data[i]];
    if (jumps.targetRoutine.any) {
      for (let i = this.firstJump; i < jumps.line.length; i++) {
        const mention = jumps.targetRoutine.get(i);
        if (mention >= 0) jumps.targetRoutine.set(i, routines[mention]);
      }
    }
    for (const [word, { line, times }] of this.unknownWords) {
      const more = times > 1 ? `, ${times} times` : "";
      this.sink.warn({ path, line, expected: "a known word such as fl= or fn=", found: `unknown ${word}=${more}; skipped` });
    }
  }
  /** Reads the id of `(id) name`, `(id)` or `name` (-1 for none); leaves cursor.at at the name. */
  readId(buf, p2, end) {
    while (p2 < end && (buf[p2] === 32 || buf[p2] === 9)) p2++;
    if (buf[p2] !== 40 || !(buf[p2 + 1] >= 48 && buf[p2 + 1] <= 57)) {
      cursor.at = p2;
      return -1;
    }
    const id = readNumber(buf, p2 + 1, false);
    if (typeof id !== "number" || buf[cursor.at] !== 41)
      this.fail(p2, "an id like (12)", decodeBytes(buf, p2, Math.min(end, p2 + 40)));
    p2 = cursor.at + 1;
    while (p2 < end && (buf[p2] === 32 || buf[p2] === 9)) p2++;
    cursor.at = p2;
    return id;
  }
  readFile(buf, p2, end) {
    const id = this.readId(buf, p2, end);
    const at = cursor.at;
    const known2 = id < 0 ? -1 : this.files.get(id);
    if (id >= 0 && at >= end) {
      if (known2 < 0) this.undefinedId(p2, "file", id);
      return known2;
    }
    const file = this.sink.file(this.sink.strings.bytesId(buf, at, end));
    if (id >= 0) {
      if (known2 >= 0 && known2 !== file) this.redefined(p2, "file", id, this.sink.fileName(known2));
      this.files.set(id, file);
    }
    return file;
  }
  readObject(buf, p2, end) {
    const id = this.readId(buf, p2, end);
    const at = cursor.at;
    const known2 = id < 0 ? -1 : this.objects.get(id);
    if (id >= 0 && at >= end) {
      if (known2 < 0) this.undefinedId(p2, "object", id);
      return known2;
    }
    const object = this.sink.object(this.sink.strings.bytesId(buf, at, end));
    if (id >= 0) {
      if (known2 >= 0 && known2 !== object) this.redefined(p2, "object", id, -1);
      this.objects.set(id, object);
    }
    return object;
  }
  readFunction(buf, p2, end) {
    const id = this.readId(buf, p2, end);
    const at = cursor.at;
    const { functions, sink } = this;
    if (id < 0) return functions.byName(sink.strings.bytesId(buf, at, end));
    const known2 = functions.ids.get(id);
    if (at >= end) {
      if (known2 < 0) this.undefinedId(p2, "function", id);
      return known2;
    }
    const name = buf[at] === 40 || buf[at] === 39 ? this.madeOfIds(buf, at, end) : sink.strings.bytesId(buf, at, end);
    if (known2 >= 0) {
      if (functions.name.data[known2] !== name) this.redefined(p2, "function", id, functions.name.data[known2]);
      return known2;
    }
    const fn = functions.add(name, true);
    functions.ids.set(id, fn);
    return fn;
  }
  madeOfIds(buf, at, end) {
    const { functions, sink } = this;
    const text3 = decodeBytes(buf, at, end);
    if (!/^\(\d+\)(?:'|$)/.test(text3)) return sink.strings.bytesId(buf, at, end);
    const named = text3.replace(/(^|')\((\d+)\)/g, (whole, quote, digits) => {
      const fn = functions.ids.get(Number(digits));
      return fn < 0 ? whole : quote + sink.strings.text(functions.name.data[fn]);
    });
    return sink.strings.textId(named);
  }
  undefinedId(p2, kind, id) {
    this.fail(p2, `a definition of ${kind} id ${id} before its first use`, `undefined ${kind} id ${id}`);
  }
  redefined(p2, kind, id, old) {
    const name = old >= 0 ? ` as "${this.sink.strings.text(old)}"` : "";
    this.fail(p2, `one name for ${kind} id ${id}`, `a second name; ${kind} id ${id} is already defined${name}`);
  }
};

// src/formats/callgrind/scan.ts
var BODY_HINT = "body lines that start with a letter are fl= fi= fe= fn= ob= cfl= cfi= cfn= cob= calls= jump= or jcnd=";
var Scanner = class {
  sink;
  tables;
  path;
  parts;
  specs;
  associations;
  /** The line being read; 1 is the first. */
  lineNo = 0;
  /** The last self cost line, which relative positions are relative to. */
  base = { low: 0, high: 0, bb: 0, line: 0 };
  /** The positions of the line just read. */
  at = { low: 0, high: 0, bb: 0, line: 0 };
  pending;
  buf = new Uint8Array(0);
  constructor(sink, path) {
    this.sink = sink;
    this.tables = sink.tables(CallGraphWriter);
    this.path = path;
    this.parts = new PartReader(sink, this.tables, path, this.fail);
    this.specs = new SpecReader(sink, this.tables, this.fail);
    this.associations = new AssociationReader(this.tables, this.parts, this.specs, this.fail);
  }
  /** A calls= or jump= line waits for its second line. */
  get waiting() {
    return this.pending !== void 0;
  }
  /** Throws the problem at position p of the current line. */
  fail = (p2, expected, found, hint) => {
    throw new FormatError(problemAt({ path: this.path, line: this.lineNo }, this.buf, p2, { expected, found, hint }));
  };
  /** Scans whole lines: buf[end - 1] is a line end. */
  scan(buf, p2, end) {
    this.buf = buf;
    while (p2 < end) {
      this.lineNo++;
      p2 = skipBlanks(buf, p2);
      if (startsPosition(buf[p2])) p2 = this.pending ? this.secondLine(buf, p2, this.pending) : this.costLine(buf, p2);
      else {
        const eol = buf.indexOf(10, p2);
        if (!isEmpty(buf, p2, eol)) this.otherLine(buf, p2, eol);
        p2 = eol + 1;
      }
    }
  }
  /** At the end of the file. `open`: its last line had no line end. */
  finish(open2) {
    const { pending, path } = this;
    if (pending) {
      this.lineNo = pending.line;
      const expected = pending.kind === "call" ? "a cost line after calls=" : "a position line after the jump";
      this.sink.cut ??= { path, line: pending.line, expected, found: "the end of the file" };
      this.pending = void 0;
    }
    this.parts.finish(this.lineNo, open2);
    this.specs.finish(path);
  }
  /** A self cost line: positions and counts. Like the others, returns the start of the next line. */
  costLine(buf, start2) {
    const { parts, at, base } = this;
    const { lines } = this.tables;
    const p2 = readPositions(buf, start2, parts, base, at, this.fail);
    this.enterSpan(start2);
    Object.assign(base, at);
    if (lines.rows === lines.capacity) lines.reserve(lines.capacity * 2);
    const row = lines.rows;
    lines.line[row] = at.line;
    if (lines.address) lines.address[row] = parts.hasInstr ? at.low : at.bb;
    const end = this.counts(buf, p2, lines.costs, row);
    lines.rows = row + 1;
    return end;
  }
  /** The line after calls= or a jump: the source position, and for a call its inclusive cost. */
  secondLine(buf, start2, { kind }) {
    const { parts, at } = this;
    let p2 = readPositions(buf, start2, parts, this.base, at, this.fail);
    this.enterSpan(p2);
    this.pending = void 0;
    const own = parts.hasInstr ? at.low : at.bb;
    if (kind === "call") return this.counts(buf, p2, this.tables.calls.costs, this.associations.writeCall(at.line, own));
    this.associations.writeJump(at.line, own);
    if (buf[p2] === 13) p2++;
    if (buf[p2] !== 10) this.fail(p2, "nothing after the position of a jump", wordAt(buf, p2));
    return p2 + 1;
  }
  /** Opens a new span if the current one does not apply to this line. */
  enterSpan(p2) {
    const { parts, specs, at } = this;
    if (specs.span >= 0 && at.high === specs.spanHigh) return;
    if (parts.columns.length === 0) parts.needEvents(p2);
    specs.openSpan(p2, parts.part, at.high);
    parts.hasBody = true;
  }
  /** The counts of a row, up to the end of the line. */
  counts(buf, p2, into, row) {
    const { columns } = this.parts;
    for (let k = 0; buf[p2] !== 10; k++) {
      const v = shortNumber(buf, p2);
      if (v !== void 0 && buf[cursor.at] <= 32 && k < columns.length) {
        into.columns[columns[k]][row] = v;
        p2 = cursor.at;
      } else p2 = this.oddCount(buf, p2, k, into, row);
      p2 = skipBlanks(buf, p2);
    }
    return p2 + 1;
  }
  /** A count that is hexadecimal, negative, longer than nine digits, a dot, or wrong. Returns where it ends. */
  oddCount(buf, p2, k, into, row) {
    const { columns } = this.parts;
    if (buf[p2] === 13 && buf[p2 + 1] === 10) return p2 + 1;
    let v = 0;
    if (buf[p2] === 46) cursor.at = p2 + 1;
    else v = readNumber(buf, p2, true);
    const end = cursor.at;
    const c = buf[end];
    if (v === void 0 && end > p2 && c <= 32) this.fail(p2, "a count that fits in 64 bits", wordAt(buf, p2));
    if (v === void 0 || c !== 10 && c !== 32 && c !== 9 && c !== 13) this.fail(p2, "a count", wordAt(buf, p2));
    if (k >= columns.length) {
      const names = this.parts.eventNames.join(" ");
      this.fail(p2, `at most ${columns.length} counts (${names})`, `one more, ${wordAt(buf, p2)}`);
    }
    into.set(columns[k], row, v);
    return end;
  }
  /** Any line but a cost line: specification, calls, jump or header. */
  otherLine(buf, p2, eol) {
    this.buf = buf;
    let end = eol;
    while (end > p2 && (buf[end - 1] === 13 || buf[end - 1] === 32 || buf[end - 1] === 9)) end--;
    let eq = p2;
    while (eq < end && buf[eq] !== 61 && buf[eq] !== 58) eq++;
    if (this.pending) this.unfinished(p2, this.pending);
    if (buf[eq] !== 61 || eq === end) this.headerLine(buf, p2, eq, end);
    else if (isWord(buf, p2, eq, "calls") || isWord(buf, p2, eq, "rcalls")) this.callsLine(buf, p2, eq);
    else if (isWord(buf, p2, eq, "jump")) this.jumpLine(buf, eq, false);
    else if (isWord(buf, p2, eq, "jcnd")) this.jumpLine(buf, eq, true);
    else if (!this.specs.spec(buf, p2, eq, end)) this.unknownWord(buf, p2, eq);
  }
  headerLine(buf, p2, colon, end) {
    const { parts, specs } = this;
    if (colon === end) {
      this.fail(p2, parts.hasBody ? "a cost line or fn=" : "a header line (key: value)", wordAt(buf, p2), BODY_HINT);
    }
    if (parts.header(buf, p2, colon, end, this.lineNo)) specs.span = -1;
  }
  callsLine(buf, p2, eq) {
    if (this.parts.columns.length === 0) this.parts.needEvents(p2);
    this.associations.callsLine(buf, eq + 1, this.base);
    this.pending = { kind: "call", line: this.lineNo };
  }
  jumpLine(buf, eq, conditional) {
    this.associations.jumpLine(buf, eq + 1, conditional, this.base);
    this.pending = { kind: "jump", line: this.lineNo };
  }
  unknownWord(buf, p2, eq) {
    if (!this.parts.hasEvents && !/^[a-z]+$/i.test(new TextDecoder().decode(buf.subarray(p2, eq)))) {
      this.fail(p2, "a header line (key: value)", wordAt(buf, p2));
    }
    this.specs.unknown(buf, p2, eq, this.lineNo);
  }
  unfinished(p2, { kind, line }) {
    const what = kind === "call" ? `a cost line after the calls= of line ${line}` : `a position line after the jump of line ${line}`;
    this.fail(p2, what, wordAt(this.buf, p2));
  }
};
function startsPosition(c) {
  return c >= 48 && c <= 57 || c === 43 || c === 45 || c === 42;
}
function isEmpty(buf, p2, eol) {
  return p2 === eol || buf[p2] === 35 || buf[p2] === 13 && eol === p2 + 1;
}
function isWord(buf, p2, end, word) {
  if (end - p2 !== word.length) return false;
  for (let i = 0; i < word.length; i++) if (buf[p2 + i] !== word.charCodeAt(i)) return false;
  return true;
}

// src/formats/callgrind/index.ts
function isCachegrind(text3) {
  return /^(?:#[^\n]*\n|\s)*(?:desc|cmd):/.test(text3) && /^events:/m.test(text3) && !isCallgrind(text3) && /^f[ln]=/m.test(text3);
}
function isCallgrind(text3) {
  if (/^(# callgrind format|version:|creator:|positions:|part:|pid:|thread:|summary: *\d.*\n(?:.*\n)*?fn=)/m.test(text3))
    return true;
  return /^(ob|fi|fe|cfn|cfi|cfl|cob|calls|jump|jcnd)=|^f[ln]=\(\d/m.test(text3);
}
function detectCallgrind(head, path) {
  const text3 = headText(head);
  if (text3.includes("\0")) return "no";
  if (isCachegrind(text3)) return "no";
  const events = /^events:/m.test(text3);
  if (/^# callgrind format\b/.test(text3.trimStart())) return "yes";
  if (events && isCallgrind(text3)) return "yes";
  if (/^version:\s*\S+\s*\n(?:.*\n)*?creator:/.test(text3) && /^(cmd|pid|part|positions|events):/m.test(text3)) return "yes";
  if (events) return "maybe";
  return /callgrind\.out|xtmemory|xtleak/.test(path) && /^[\x09\x0a\x0d\x20-\xff]*$/.test(text3) ? "maybe" : "no";
}
function detectCachegrind(head) {
  const text3 = headText(head);
  return !text3.includes("\0") && isCachegrind(text3) ? "yes" : "no";
}
async function load3(source, sink, signal, reading = {}) {
  const scanner = new Scanner(sink, source.path);
  const reader = new LineReader(scanner, reading);
  const queue = new PieceQueue(reader, source.threads, reading.large ?? LARGE);
  let rest = [];
  let read = 0;
  const rowsBefore = scanner.tables.rows;
  let reserved = false;
  const readRest = () => {
    const bytes = joinBytes(rest);
    const end = bytes.lastIndexOf(10) + 1;
    if (end > 0) reader.read(bytes, scanner.lineNo === 0 ? markLength(bytes) : 0, end);
    rest = end < bytes.length ? [bytes.subarray(end)] : [];
  };
  for await (const piece of source.chunks()) {
    signal.throwIfAborted();
    const chunk = new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
    read += chunk.length;
    if (queue.wants(source.size ?? read)) {
      rest = await queue.add(rest, chunk);
      continue;
    }
    await queue.drain();
    let from = 0;
    if (rest.length > 0) {
      const first = chunk.indexOf(10) + 1;
      rest.push(chunk.slice(0, first > 0 ? first : chunk.length));
      if (first === 0) continue;
      readRest();
      from = first;
    } else if (scanner.lineNo === 0) from = markLength(chunk);
    const end = chunk.lastIndexOf(10) + 1;
    if (end > from) reader.read(chunk, from, end);
    const tail = Math.max(from, end);
    if (tail < chunk.length) rest.push(chunk.slice(tail));
    if (source.size && read < source.size && !reserved) {
      reserved = true;
      scanner.tables.expect(1.5 * (source.size / read));
      scanner.specs.functions.expect(1.5 * (source.size / read));
    }
  }
  if (read === 0) {
    throw new FormatError({ path: source.path, line: 0, expected: "a profile", found: "an empty file", hint: EMPTY_HINT });
  }
  await queue.drain();
  readRest();
  const open2 = rest.length > 0;
  if (open2) {
    rest.push(new Uint8Array([10]));
    if (scanner.tables.rows === rowsBefore) readRest();
    else sink.cut ??= cutIn(readRest);
  }
  scanner.finish(open2);
}
function cutIn(read) {
  try {
    read();
    return void 0;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return { ...error.problem, hint: "the file was cut off within this line: only what comes before it is shown" };
  }
}
var LARGE = 16 << 20;
var EMPTY_HINT = "callgrind --separate-threads=yes leaves the file NAME empty: open NAME-01, NAME-02 \u2026 next to it";
var run = {
  stem: (name) => (/^((?:callgrind|cachegrind)\.out\.\d+)(?:\.\d+)?(?:-\d+)?(?:\.gz)?$/.exec(name) ?? /^(.+\.out)(?:\.\d+)?(?:-\d+)?(?:\.gz)?$/.exec(name))?.[1],
  place: (rest) => {
    const m = /^(?:\.(\d+))?(?:-(\d+))?(?:\.gz)?$/.exec(rest);
    return m ? { part: m[1] ? Number(m[1]) : LAST_PART, thread: m[2] ? Number(m[2]) : 0 } : void 0;
  }
};
var callgrind = {
  name: "callgrind",
  title: "Callgrind profile (valgrind --tool=callgrind, Valgrind's xtree files, pprof -callgrind, xdebug)",
  provides: ["routines", "lines", "calls", "instrs", "jumps"],
  options: { instrs: "--dump-instr=yes", jumps: "--collect-jumps=yes" },
  make: "valgrind --tool=callgrind --dump-instr=yes --collect-jumps=yes ./program",
  fileNames: /^(callgrind\.out\..*|.*\.callgrind\.out.*|xtmemory\.kcg\..*|xtleak\.kcg\..*|cachegrind\.out\.\d+\.(gz|xt)?)$/,
  detect: detectCallgrind,
  run,
  task: digestPiece,
  load: (source, sink, signal) => load3(source, sink, signal)
};
var cachegrind = {
  name: "cachegrind",
  title: "Cachegrind profile (valgrind --tool=cachegrind, cg_merge, cg_diff)",
  provides: ["routines", "lines"],
  make: "valgrind --tool=cachegrind --branch-sim=yes ./program",
  fileNames: /^(cachegrind\.out\..*|.*\.cachegrind\.out.*)$/,
  detect: detectCachegrind,
  run,
  task: digestPiece,
  load: (source, sink, signal) => load3(source, sink, signal)
};

// src/model/steps/writer.ts
var KINDS = ["step", "whole", "async", "sum"];
var StepWriter = class {
  notes = [];
  tracks = [];
  gauges = [];
  marks = [];
  /** Which step hands over to which, as rows of `notes`. */
  links = [];
  /** Dependencies by the build system's own file, as rows of `notes`; undefined if there is no such file. */
  needs;
  /** Tracks whose steps run in parallel: only `whole` steps contain others there. */
  parallel = /* @__PURE__ */ new Set();
  /** What the build system says about its targets, by name; of several configure runs, the last counts. */
  targets = /* @__PURE__ */ new Map();
  /** Time 0 in microseconds since 1970; null if the file does not say. */
  originUs = null;
  /** Cores of the machine; null where the file does not say. */
  cores = null;
  /** True for traces, where slices of one name are a routine; names of build steps are not routines. */
  namesAreRoutines = false;
  trackOf = /* @__PURE__ */ new Map();
  sink;
  constructor(sink) {
    this.sink = sink;
  }
  get rows() {
    return this.notes.length;
  }
  track(pid, tid) {
    const key = `${pid}
${tid}`;
    let at = this.trackOf.get(key);
    if (at === void 0) {
      at = this.tracks.push({ pid, tid, name: null, processName: null, sort: 0, processSort: 0 }) - 1;
      this.trackOf.set(key, at);
    }
    return at;
  }
  /** A track that the tool does not name, and so has no title. */
  untitledTrack(pid, tid) {
    const at = this.track(pid, tid);
    const note = this.tracks[at];
    note.name = "";
    note.processName = "";
    return at;
  }
  finish() {
    const { sink } = this;
    const steps = this.tables();
    if (this.namesAreRoutines) {
      for (let i = 0; i < steps.name.length; i++) if (KINDS[steps.kind[i]] !== "sum") sink.routine(steps.name[i], -1, -1);
    }
    const time = { name: "time", unit: "us", longName: "elapsed time", terms: [[1, 0]] };
    return { kind: "steps", events: [time], columns: 1, steps };
  }
  tables() {
    const { notes, sink } = this;
    const order = stepOrder(notes);
    const sorted = order.map((i) => notes[i]);
    const place = new Uint32Array(order.length);
    order.forEach((note, row) => {
      place[note] = row;
    });
    const text3 = (get) => Int32Array.from(sorted, (note) => {
      const t2 = get(note);
      return t2 === void 0 ? -1 : sink.strings.textId(t2);
    });
    const number2 = (get) => Float64Array.from(sorted, get);
    const pairs = (list2, side) => Uint32Array.from(list2, (p2) => place[p2[side]]);
    return {
      // Names and texts get their ids in this order.
      name: Uint32Array.from(sorted, (s) => sink.strings.textId(s.name)),
      role: text3((s) => s.role),
      kind: Uint8Array.from(sorted, (s) => KINDS.indexOf(s.kind ?? "step")),
      track: Uint32Array.from(sorted, (s) => s.track),
      part: Uint32Array.from(sorted, (s) => s.part),
      parent: parentsOf(sorted, this.parallel),
      startUs: number2((s) => s.neverRan ? Number.NaN : s.startUs),
      durationUs: number2((s) => s.durationUs),
      cpuUs: number2((s) => s.cpuUs ?? Number.NaN),
      result: number2((s) => s.result ?? Number.NaN),
      caveat: text3((s) => s.caveat),
      target: text3((s) => s.target),
      source: text3((s) => s.source),
      language: text3((s) => s.language),
      config: text3((s) => s.config),
      command: text3((s) => s.command),
      directory: text3((s) => s.directory),
      more: text3((s) => s.more),
      trace: text3((s) => s.trace),
      ...outputsOf(sorted, sink),
      linkFrom: pairs(this.links, 0),
      linkTo: pairs(this.links, 1),
      ...this.needs ? { needs: { step: pairs(this.needs, 0), of: pairs(this.needs, 1) } } : {},
      tracks: this.tracks,
      gauges: this.gauges,
      marks: this.marks,
      parallel: [...this.parallel],
      targets: [...this.targets].map(([name, t2]) => ({ name, ...t2 })),
      originUs: this.originUs,
      cores: this.cores
    };
  }
};
function stepOrder(notes) {
  const order = notes.map((_, i) => i);
  return order.sort((a2, b) => notes[a2].startUs - notes[b].startUs || notes[b].durationUs - notes[a2].durationUs || a2 - b);
}
function outputsOf(steps, sink) {
  const outputStart = new Uint32Array(steps.length + 1);
  const flat = steps.flatMap((s, row) => {
    const outputs = s.outputs ?? [];
    outputStart[row + 1] = outputStart[row] + outputs.length;
    return outputs;
  });
  return {
    outputStart,
    outputPath: Uint32Array.from(flat, (o) => sink.strings.textId(o.path)),
    outputBytes: Float64Array.from(flat, (o) => o.bytes ?? Number.NaN)
  };
}
function parentsOf(steps, parallel) {
  const parent = new Int32Array(steps.length).fill(-1);
  const open2 = /* @__PURE__ */ new Map();
  steps.forEach((s, row) => {
    const kind = s.kind ?? "step";
    if (s.neverRan || kind === "sum" || kind === "async") return;
    const key = `${s.part} ${s.track}`;
    let stack = open2.get(key);
    if (!stack) open2.set(key, stack = []);
    const end = s.startUs + s.durationUs;
    const endOf = (k) => steps[k].startUs + steps[k].durationUs;
    for (let top = stack.at(-1); top !== void 0 && endOf(top) <= s.startUs; top = stack.at(-1)) {
      if (s.durationUs === 0 && endOf(top) === s.startUs && steps[top].startUs === s.startUs) break;
      stack.pop();
    }
    for (let k = stack.length - 1; k >= 0; k--) {
      if (endOf(stack[k]) < end) continue;
      parent[row] = stack[k];
      break;
    }
    if (kind === "whole" || !parallel.has(s.track)) stack.push(row);
  });
  return parent;
}

// src/formats/cmake/snippet.ts
var WHOLE = /* @__PURE__ */ new Set(["cmakeBuild", "build", "cmakeInstall", "ctest"]);
var KNOWN = /* @__PURE__ */ new Set([
  "version",
  "role",
  "command",
  "workingDir",
  "result",
  "timeStart",
  "duration",
  "target",
  "targetType",
  "source",
  "language",
  "config",
  "outputs",
  "outputSizes"
]);
var LATEST_MS = 9e12;
var text2 = (value) => typeof value === "string" && value !== "" ? value : void 0;
var number = (value) => typeof value === "number" && Number.isFinite(value) ? value : void 0;
function stepName(s) {
  const role = text2(s["role"]) ?? "???";
  const what = role === "compile" ? text2(s["source"]) : role === "test" ? text2(s["testName"]) : role === "custom" ? text2(s["command"]) : text2(s["target"]);
  return what === void 0 ? role : `${role}: ${what}`;
}
function stepOf(s, part, track) {
  const role = text2(s["role"]);
  if (role === void 0) return "no role";
  const start2 = number(s["timeStart"]);
  const duration = number(s["duration"]);
  if (start2 === void 0) return `${role} without timeStart`;
  if (duration === void 0) return `${role} without duration`;
  if (start2 < 0 || duration < 0) return `${role} with a negative time`;
  if (start2 > LATEST_MS || duration > LATEST_MS)
    return `${role} with a time of ${Math.max(start2, duration)} ms, which is out of range`;
  const paths = Array.isArray(s["outputs"]) ? s["outputs"].filter((o) => typeof o === "string") : [];
  const sizes = Array.isArray(s["outputSizes"]) ? s["outputSizes"] : [];
  const rest = Object.entries(s).filter(([key]) => !KNOWN.has(key));
  return {
    name: stepName(s),
    role,
    kind: WHOLE.has(role) ? "whole" : "step",
    track,
    part,
    startUs: start2 * 1e3,
    durationUs: duration * 1e3,
    result: number(s["result"]) ?? null,
    ...role === "test" && s["result"] === 0 ? { caveat: "CMake also writes 0 for tests that crashed or timed out" } : {},
    // An empty name is valid.
    target: typeof s["target"] === "string" ? s["target"] : void 0,
    source: text2(s["source"]),
    language: text2(s["language"]),
    config: text2(s["config"]),
    command: text2(s["command"]),
    directory: text2(s["workingDir"]),
    // CMake writes 0 if it could not determine the size: it does not mean an empty file.
    outputs: paths.map((path, i) => ({ path, bytes: number(sizes[i]) || null })),
    ...rest.length > 0 ? { more: JSON.stringify(Object.fromEntries(rest)) } : {},
    ...start2 === 0 && !WHOLE.has(role) ? { neverRan: true } : {}
  };
}
function gaugesOf(s) {
  const d = s["dynamicSystemInformation"];
  if (!isObject(d)) return [];
  const out = [];
  for (const [key, name, unit] of [
    ["HostMemoryUsed", "host memory", "KiB"],
    ["CPULoadAverage", "host load", ""]
  ]) {
    for (const when of ["before", "after"]) {
      const value = number(d[`${when}${key}`]);
      if (value !== void 0) out.push({ name, unit, after: when === "after", value });
    }
  }
  return out;
}

// src/formats/trace-events.ts
function detect3(head) {
  const text3 = headText(head).trimStart();
  if (/^\{[\s\S]*?"traceEvents"\s*:\s*\[/.test(text3)) return "yes";
  if (/^\[\s*\]?\s*$/.test(text3)) return "maybe";
  if (/^\[\s*\{/.test(text3) && /"ph"\s*:\s*"/.test(text3)) return "yes";
  return "no";
}
function numberOf(value) {
  if (typeof value === "number") return Number.isFinite(value) ? value : void 0;
  if (typeof value !== "string" || value.trim() === "") return void 0;
  const n = Number(value);
  return Number.isFinite(n) ? n : void 0;
}
var nameOf = (value) => typeof value === "string" ? value : value === void 0 || value === null ? "" : String(value);
var idOf = (value) => typeof value === "object" ? JSON.stringify(value) : String(value ?? "");
var Reader2 = class {
  rows;
  sink;
  path;
  part;
  open = /* @__PURE__ */ new Map();
  openAsync = /* @__PURE__ */ new Map();
  flows = /* @__PURE__ */ new Map();
  skipped = /* @__PURE__ */ new Map();
  dropped = /* @__PURE__ */ new Map();
  firstNote;
  wholeFlows = 0;
  last = Number.NEGATIVE_INFINITY;
  events = 0;
  /** CMake steps found in `args`. */
  cmakeSteps = 0;
  beginningOfTime = null;
  constructor(sink, rows, path) {
    this.sink = sink;
    this.rows = rows;
    this.path = path;
    this.part = sink.parts.length;
    this.firstNote = rows.notes.length;
  }
  event(value) {
    this.events++;
    if (!isObject(value)) return this.drop("values that are not objects");
    const phase = nameOf(value["ph"]);
    const us = numberOf(value["ts"]);
    if (phase === "M") return this.metadata(value);
    if (phase === "") return this.drop("events without a phase");
    if (us === void 0) return this.drop(`events of phase ${phase.slice(0, 4)} without a time`);
    const track = this.rows.track(idOf(value["pid"]), idOf(value["tid"]));
    const duration = numberOf(value["dur"]);
    this.last = Math.max(this.last, us + (duration && duration > 0 ? duration : 0));
    switch (phase) {
      case "X":
        if (duration !== void 0 && duration < 0) this.drop("events with a negative duration, shown as 0");
        return this.slice(value, us, Math.max(0, duration ?? 0), track);
      case "B": {
        const stack = this.open.get(track);
        if (stack) stack.push({ event: value, us, track });
        else this.open.set(track, [{ event: value, us, track }]);
        return;
      }
      case "E": {
        const begun = this.open.get(track)?.pop();
        if (!begun) return this.drop("end events without a begin");
        return this.slice(
          {
            ...begun.event,
            ...isObject(value["args"]) ? { args: { ...begun.event["args"], ...value["args"] } } : {}
          },
          begun.us,
          Math.max(0, us - begun.us),
          track
        );
      }
      case "b":
      case "S":
      case "e":
      case "F":
        return this.asynchronous(value, phase === "b" || phase === "S", us, track);
      case "n":
      case "T":
      case "p":
        return;
      case "i":
      case "I":
      case "R":
        this.rows.marks.push({ name: nameOf(value["name"]), track, us });
        return;
      case "C":
        return this.counter(value, us);
      case "s":
      case "t":
      case "f":
        return this.flow(value, phase, us, track);
      default:
        return this.skip(phase.slice(0, 4));
    }
  }
  drop(why) {
    this.dropped.set(why, (this.dropped.get(why) ?? 0) + 1);
  }
  skip(phase) {
    this.skipped.set(phase, (this.skipped.get(phase) ?? 0) + 1);
  }
  slice(event, us, durationUs, track) {
    const { args } = event;
    if (isObject(args) && "role" in args && "timeStart" in args) {
      const own = this.rows.untitledTrack("cmake", "steps");
      this.rows.parallel.add(own);
      const step = stepOf(args, this.part, own);
      if (typeof step !== "string") {
        this.cmakeSteps++;
        this.rows.notes.push(step);
        for (const g2 of gaugesOf(args))
          this.rows.gauges.push({
            name: g2.name,
            unit: g2.unit,
            us: step.startUs + (g2.after ? step.durationUs : 0),
            value: g2.value
          });
        return;
      }
    }
    const name = nameOf(event["name"]);
    const sum4 = name.startsWith("Total ") && isObject(args) && "count" in args;
    const detail = isObject(args) && typeof args["detail"] === "string" ? args["detail"] : void 0;
    const note = {
      name,
      kind: sum4 ? "sum" : "step",
      track,
      part: this.part,
      startUs: us,
      durationUs,
      ...typeof event["cat"] === "string" && event["cat"] !== "" ? { role: event["cat"] } : {},
      ...detail === void 0 ? {} : { target: detail },
      ...isObject(args) && Object.keys(args).length > (detail === void 0 ? 0 : 1) ? { more: JSON.stringify(args) } : {},
      cpuUs: numberOf(event["tdur"])
    };
    this.rows.notes.push(note);
  }
  asynchronous(event, begins, us, track) {
    const id2 = event["id2"];
    const local = isObject(id2) ? idOf(id2["local"] ?? id2["global"]) : "";
    const pid = isObject(id2) && "local" in id2 ? idOf(event["pid"]) : "";
    const key = `${nameOf(event["cat"])}
${idOf(event["id"])}
${local}
${pid}
${nameOf(event["name"])}`;
    const stack = this.openAsync.get(key) ?? [];
    this.openAsync.set(key, stack);
    if (begins) {
      stack.push({ event, us, track });
      return;
    }
    const begun = stack.pop();
    if (!begun) return this.drop("asynchronous end events without a begin");
    const own = this.rows.track("async", nameOf(event["cat"]));
    this.rows.notes.push({
      name: nameOf(event["name"]),
      kind: "async",
      track: own,
      part: this.part,
      startUs: begun.us,
      durationUs: Math.max(0, us - begun.us),
      role: nameOf(event["cat"])
    });
  }
  counter(event, us) {
    const { args } = event;
    if (!isObject(args)) return;
    const id = event["id"] === void 0 ? "" : `[${idOf(event["id"])}]`;
    for (const [series, value] of Object.entries(args))
      if (typeof value === "number" && Number.isFinite(value))
        this.rows.gauges.push({ name: `${nameOf(event["name"])}${id}.${series}`, unit: "", us, value });
  }
  flow(event, phase, us, track) {
    const key = `${nameOf(event["cat"])}
${idOf(event["id"])}
${nameOf(event["name"])}`;
    const way = this.flows.get(key);
    if (phase === "s") this.flows.set(key, [{ us, track }]);
    else if (way) {
      way.push({ us, track });
      if (phase !== "f") return;
      this.flows.delete(key);
      this.wholeFlows++;
      for (let k = 1; k < way.length; k++) {
        const [from, to] = [this.holder(way[k - 1]), this.holder(way[k])];
        if (from >= 0 && to >= 0 && from !== to) this.rows.links.push([from, to]);
      }
    } else this.drop("flow events without a start");
  }
  /** The innermost slice on the track at that time; -1 if there is none. Flows are few, so a linear search will do. */
  holder({ us, track }) {
    let best = -1;
    const { notes } = this.rows;
    for (let i = this.firstNote; i < notes.length; i++) {
      const s = notes[i];
      if (s.track !== track || us < s.startUs || us > s.startUs + s.durationUs) continue;
      if (best < 0 || s.startUs >= notes[best].startUs) best = i;
    }
    return best;
  }
  metadata(event) {
    const { args } = event;
    if (!isObject(args)) return;
    const pid = idOf(event["pid"]);
    switch (event["name"]) {
      case "thread_name":
        this.rows.tracks[this.rows.track(pid, idOf(event["tid"]))].name = nameOf(args["name"]);
        return;
      case "process_name":
        this.processes.set(pid, { ...this.processes.get(pid), name: nameOf(args["name"]) });
        return;
      case "process_labels":
        this.processes.set(pid, { ...this.processes.get(pid), labels: nameOf(args["labels"]) });
        return;
      case "thread_sort_index":
        this.rows.tracks[this.rows.track(pid, idOf(event["tid"]))].sort = numberOf(args["sort_index"]) ?? 0;
        return;
      case "process_sort_index":
        this.processes.set(pid, { ...this.processes.get(pid), sort: numberOf(args["sort_index"]) ?? 0 });
        return;
      case "num_cpus":
        this.rows.cores = numberOf(args["number"]) ?? null;
        return;
    }
  }
  processes = /* @__PURE__ */ new Map();
  finish() {
    const { rows, sink, path } = this;
    const warn = (expected, found) => sink.warn({ path, expected, found });
    const unclosed = [];
    for (const [track, stack] of this.open) {
      for (const { event, us } of stack.reverse()) {
        unclosed.push(nameOf(event["name"]));
        this.slice(event, us, Math.max(0, this.last - us), track);
      }
    }
    if (unclosed.length > 0) warn("an end for every begin", `no end for ${list(unclosed)}; shown up to the end of the trace`);
    const never = [...this.openAsync.values()].flat().map((o) => nameOf(o.event["name"]));
    if (never.length > 0) warn("an end for every asynchronous begin", `no end for ${list(never)}; left out`);
    for (const [why, n] of this.dropped) warn("valid events", `${n} ${why}`);
    const skipped = [...this.skipped.values()].reduce((a2, b) => a2 + b, 0);
    if (skipped > 0)
      warn("phases that a timeline can show", `${skipped} events of phases ${[...this.skipped.keys()].join(" ")}; left out`);
    if (this.flows.size > 0) warn("an end for every flow", `no end for ${this.flows.size} flows`);
    for (const t2 of rows.tracks) {
      const p2 = this.processes.get(t2.pid);
      if (!p2) continue;
      t2.processName = [p2.name, p2.labels].filter((x) => x).join(" ") || null;
      t2.processSort = p2.sort ?? 0;
    }
    const own = rows.notes.length - this.firstNote;
    sink.creator ??= this.cmakeSteps > 0 ? "CMake" : this.beginningOfTime !== null ? "clang -ftime-trace" : null;
    rows.namesAreRoutines ||= this.cmakeSteps < own;
    if (this.beginningOfTime !== null) rows.originUs = this.beginningOfTime;
    sink.addPart({
      path,
      notes: [`${this.events} events${this.wholeFlows > 0 ? `, ${this.wholeFlows} whole flows` : ""}`],
      events: ["time"]
    });
  }
};
function list(names) {
  const some = names.slice(0, 5).join(", ");
  return names.length > 5 ? `${names.length}: ${some} \u2026` : some;
}
async function load4(source, sink, signal) {
  const { path } = source;
  const reader = new Reader2(sink, sink.tables(StepWriter), path);
  const splitter = new ListSplitter("traceEvents", {
    element: (value, offset) => {
      if (value === void 0) sink.warn({ path, offset, expected: "an event", found: "invalid JSON; left out" });
      else reader.event(value);
    },
    member: (key, value) => {
      if (key === "beginningOfTime" && typeof value === "number") reader.beginningOfTime = value;
    },
    wrong: (offset, found) => {
      throw new FormatError({ path, offset, expected: "a list of events, or an object with traceEvents", found });
    }
  });
  const { read: bytes, rest } = await readPieces(source, signal, (piece) => splitter.take(piece));
  if (bytes === 0) throw new FormatError({ path, offset: 0, expected: "a trace", found: "an empty file" });
  const open2 = splitter.end(rest);
  if (!splitter.found) throw new FormatError({ path, offset: bytes, expected: "traceEvents", found: "an object without it" });
  if (open2?.inside)
    sink.cut ??= {
      path,
      offset: open2.offset,
      expected: "the end of an event",
      found: "the end of the file",
      hint: "the file was cut off: only complete events are shown"
    };
  reader.finish();
}
var traceEvents = {
  name: "trace-events",
  title: "Trace Event file (clang -ftime-trace, CMake, ninjatracing, Chrome)",
  provides: ["routines", "steps"],
  make: "clang++ -ftime-trace -c file.cpp",
  fileNames: /(^trace.*|\.trace|time-trace.*)\.json(\.gz)?$/,
  detect: detect3,
  load: load4
};

// src/formats/cmake/kept.ts
var KEPT_FOLDER = ".proftui";
var BUILD_FILE = "../../../../build.ninja";
var isKept = (bytes) => decodeBytes(bytes, 0, Math.min(bytes.length, 64)).startsWith('{"proftuiBuild":');
function keptFolder(bytes, path, warn) {
  const files = /* @__PURE__ */ new Map();
  const encoder2 = new TextEncoder();
  let line = 0;
  for (let from = 0; from < bytes.length; ) {
    let end = bytes.indexOf(10, from);
    if (end < 0) end = bytes.length;
    line++;
    if (line > 1 && end > from) {
      try {
        const value = JSON.parse(decodeBytes(bytes, from, end));
        if (isObject(value) && typeof value["file"] === "string" && typeof value["text"] === "string")
          files.set(value["file"], encoder2.encode(value["text"]));
        else warn(line, "a line without file and text");
      } catch (error) {
        warn(line, error.message);
      }
    }
    from = end + 1;
  }
  const names = [...files.keys()].sort();
  return {
    path,
    list(relative) {
      const prefix = relative === "" ? "" : `${relative}/`;
      return names.filter((n) => n.startsWith(prefix) && !n.slice(prefix.length).includes("/")).map((n) => ({ name: n.slice(prefix.length), folder: false, bytes: files.get(n).length }));
    },
    read: (relative) => files.get(relative)
  };
}

// src/base/paths.ts
function normalPath(path) {
  const windows = /^[A-Za-z]:/.test(path);
  if (!(windows ? /[\\/]\.{0,2}([\\/]|$)/ : /\/\.{0,2}(\/|$)/).test(path)) return path;
  const parts = [];
  for (const part of path.split(windows ? /[\\/]/ : "/")) {
    if (part === "..") {
      const above = parts.at(-1);
      if (parts.length > 1 && above !== "..") parts.pop();
      else if (above !== "" && !(windows && parts.length === 1)) parts.push(part);
    } else if (part !== "." && (part !== "" || parts.length === 0)) parts.push(part);
  }
  return parts.join(windows ? "\\" : "/");
}
function absolutePath(directory, path) {
  if (directory === "" || path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path)) return path;
  return normalPath(/^[A-Za-z]:/.test(directory) ? `${directory}\\${path}` : `${directory}/${path}`);
}

// src/formats/cmake/ninja-file.ts
var MOST_FILES = 1e3;
function readNinja(read, name, root) {
  const graph = /* @__PURE__ */ new Map();
  const variables = /* @__PURE__ */ new Map();
  const files = [name];
  const seen = new Set(files);
  let found = false;
  for (let k = 0; k < files.length && k < MOST_FILES; k++) {
    const bytes = read(files[k]);
    if (!bytes) continue;
    found = true;
    for (const line of statements(bytes)) {
      const included = /^(?:include|subninja) (.+)$/.exec(line);
      if (included) {
        const path = words(included[1], variables)[0] ?? "";
        if (!seen.has(path) && !path.startsWith("/") && !path.split("/").includes("..")) {
          seen.add(path);
          files.push(path);
        }
      } else if (line.startsWith("build ")) {
        const [left, right] = edge(line.slice(6), variables);
        const inputs = right.slice(1).map((path) => fromFolder(root, path));
        for (const out of left) graph.set(absolutePath(root, out), inputs);
      } else {
        const variable = /^([\w.-]+) *= *(.*)$/.exec(line);
        if (variable) variables.set(variable[1], words(variable[2], variables).join(" "));
      }
    }
  }
  return found ? graph : void 0;
}
function* statements(bytes) {
  let held = "";
  for (let from = 0; from < bytes.length; ) {
    let end = bytes.indexOf(10, from);
    if (end < 0) end = bytes.length;
    const line = decodeBytes(bytes, from, end > from && bytes[end - 1] === 13 ? end - 1 : end);
    from = end + 1;
    const dollars = /\$*$/.exec(line)[0].length;
    if (dollars % 2 === 1) {
      held += (held === "" ? line : line.trimStart()).slice(0, -1);
      continue;
    }
    const whole = held === "" ? line : held + line.trimStart();
    held = "";
    if (whole !== "" && !/^[\s#]/.test(whole)) yield whole;
  }
}
var PIECE = /\$([ :$])|\$\{([\w.-]+)\}|\$([\w-]+)|([^$\s:|]+)|([:|\s])|(\$)/g;
function edge(text3, variables) {
  const sides = [[], []];
  let side = 0;
  let word = "";
  const end = () => {
    if (word !== "") sides[side].push(word);
    word = "";
  };
  for (const m of text3.matchAll(PIECE)) {
    if (m[5] === void 0) word += m[1] ?? (m[4] || (m[6] ?? variables.get(m[2] ?? m[3]) ?? ""));
    else if (m[5] === ":" && side === 1) word += ":";
    else {
      end();
      if (m[5] === ":") side = 1;
    }
  }
  end();
  const at = sides[1].indexOf("@");
  return at < 0 ? sides : [sides[0], sides[1].slice(0, at)];
}
var words = (text3, variables) => edge(text3.replaceAll(":", "$:"), variables)[0];
var fromFolder = (folder2, path) => normalPath(absolutePath(folder2, path));
function needsOf(notes, graph, root) {
  const madeBy = /* @__PURE__ */ new Map();
  const outputs = notes.map(
    (note) => (note.outputs ?? []).map(({ path }) => {
      const fromRoot = fromFolder(root, path);
      return graph.has(fromRoot) || note.directory === void 0 ? fromRoot : fromFolder(note.directory, path);
    })
  );
  outputs.forEach((list2, i) => {
    for (const path of list2) {
      const makers = madeBy.get(path);
      if (makers) makers.push(i);
      else madeBy.set(path, [i]);
    }
  });
  const pairs = [];
  outputs.forEach((list2, i) => {
    const queue = list2.flatMap((path) => graph.get(path) ?? []);
    const seen = new Set(queue);
    const found = /* @__PURE__ */ new Set();
    for (let k = 0; k < queue.length; k++) {
      const makers = madeBy.get(queue[k]);
      if (makers) for (const m of makers) found.add(m);
      else
        for (const next of graph.get(queue[k]) ?? []) {
          if (seen.has(next)) continue;
          seen.add(next);
          queue.push(next);
        }
    }
    for (const path of list2) for (const m of madeBy.get(path)) if (notes[m].startUs < notes[i].startUs) found.add(m);
    found.delete(i);
    for (const m of found) pairs.push([i, m]);
  });
  return pairs;
}

// src/formats/cmake/index.ts
var SNIPPET = /^[A-Za-z]+-[0-9a-f]{8,}-\d{4}-\d\d-\d\dT[\d-]+\.json$/;
var INDEX = /^index-.*\.json$/;
var PLACES2 = [".cmake/instrumentation/v1/data", "instrumentation/v1/data", "v1/data", "data", ""];
var isSnippet = (name) => SNIPPET.test(name) && !INDEX.test(name);
var join = (a2, b) => a2 === "" ? b : `${a2}/${b}`;
function dataFolder(folder2) {
  const holds = (at) => {
    const names = folder2.list(at);
    if (names.some((n) => !n.folder && isSnippet(n.name))) return true;
    const inside = [
      ["index", INDEX],
      ["trace", /^trace-.*\.json(\.gz)?$/],
      ["content", /^cmake-.*\.json$/]
    ];
    return inside.some(
      ([sub, files]) => names.some((n) => n.folder && n.name === sub) && folder2.list(join(at, sub)).some((n) => files.test(n.name))
    );
  };
  for (const at of PLACES2) if ((at !== "" || !folder2.list("").some((n) => n.name === ".cmake")) && holds(at)) return at;
  for (const above of [".cmake", ""]) {
    const old = folder2.list(above).filter((n) => n.folder && /^instrumentation-[0-9a-f-]+$/.test(n.name));
    for (const { name } of old) if (holds(join(above, `${name}/v1/data`))) return join(above, `${name}/v1/data`);
  }
  return folder2.list(".cmake/instrumentation/v1").some((n) => n.name === "data" && n.folder) ? PLACES2[0] : void 0;
}
var Reader3 = class {
  folder;
  data;
  sink;
  rows;
  track;
  contents = /* @__PURE__ */ new Set();
  constructor(folder2, data, sink) {
    this.folder = folder2;
    this.data = data;
    this.sink = sink;
    this.rows = sink.tables(StepWriter);
    this.track = this.rows.untitledTrack("cmake", "steps");
    this.rows.parallel.add(this.track);
    sink.creator ??= "CMake";
  }
  pathOf(relative) {
    return `${this.folder.path}/${join(this.data, relative)}`;
  }
  warn(relative, expected, found) {
    this.sink.warn({ path: this.pathOf(relative), expected, found });
  }
  /** A JSON object; otherwise undefined, with a warning. */
  json(relative, what) {
    const bytes = this.folder.read(join(this.data, relative));
    if (!bytes) {
      this.warn(relative, what, "no such file");
      return void 0;
    }
    let value;
    try {
      value = JSON.parse(decodeBytes(bytes, markLength(bytes), bytes.length));
    } catch (error) {
      this.warn(relative, `${what} as JSON`, bytes.length === 0 ? "an empty file" : error.message);
      return void 0;
    }
    if (isObject(value)) return value;
    this.warn(relative, `${what} that is a JSON object`, `${JSON.stringify(value).slice(0, 40)}; left out`);
    return void 0;
  }
  /** Minor versions add fields; a major one may change them. */
  checkVersion(value, relative) {
    const major = isObject(value) ? value["major"] : value;
    if (major === void 0 || major === 1) return;
    throw new FormatError({
      path: this.pathOf(relative),
      expected: "CMake instrumentation data of version 1",
      found: `version ${JSON.stringify(value)}`,
      hint: "a newer major version may give the same fields another meaning"
    });
  }
  /** Loads the folder's sets, each as a part. */
  load(only) {
    const indexes = this.folder.list(join(this.data, "index")).filter((n) => !n.folder && n.name.endsWith(".json"));
    const there = new Set(
      this.folder.list(this.data).filter((n) => !n.folder && isSnippet(n.name)).map((n) => n.name)
    );
    const listed = /* @__PURE__ */ new Set();
    const chosen = only === void 0 ? indexes : indexes.filter((n) => n.name === only);
    for (const { name } of chosen) this.index(`index/${name}`, there, listed);
    if (chosen.length === 0 && there.size > 0) this.set([...there], "all snippets of the folder; no index lists them", null);
    else {
      const rest = [...there].filter((n) => !listed.has(n));
      if (only === void 0 && rest.length > 0)
        this.warn(
          "",
          "every snippet in an index",
          `${rest.length} snippets that no index lists: ${rest.slice(0, 3).join(", ")}; left out`
        );
    }
  }
  index(relative, there, listed) {
    const index = this.json(relative, "an index");
    if (!index) return;
    this.checkVersion(index["version"], relative);
    const names = Array.isArray(index["snippets"]) ? index["snippets"] : [];
    const set = /* @__PURE__ */ new Set();
    for (const given of names) {
      const name = typeof given === "string" ? given.replace(/^(\.\/)+/, "") : "";
      if (name === "" || name.includes("/") || name.includes("\\") || name === "..")
        this.warn(relative, "the name of a snippet", `${JSON.stringify(given)}; not opened`);
      else if (!there.has(name)) this.warn(relative, "every listed snippet", `snippet ${name} missing`);
      else set.add(name);
    }
    for (const name of set) listed.add(name);
    const info = index["staticSystemInformation"];
    if (isObject(info)) {
      const cores = info["numberOfLogicalCPU"];
      if (typeof cores === "number" && cores > 0) this.rows.cores = cores;
    }
    const hook = typeof index["hook"] === "string" ? index["hook"] : "???";
    this.set([...set], `set of the hook ${hook}`, isObject(info) ? info : null);
  }
  set(names, what, info) {
    const part = this.sink.parts.length;
    let steps = 0;
    const before = this.rows.notes.length;
    for (const name of names) if (this.snippet(name, part)) steps++;
    const never = this.rows.notes.slice(before).filter((s) => s.neverRan).length;
    const system = info ? ["OSName", "OSPlatform", "OSRelease", "modelName", "numberOfLogicalCPU", "totalPhysicalMemory"].flatMap(
      (k) => info[k] === null || info[k] === void 0 ? [] : [`${k} ${String(info[k])}`]
    ) : [];
    this.sink.addPart({
      path: this.folder.path,
      notes: [
        `${what}: ${steps} steps`,
        ...never > 0 ? [`${never} of them never ran; CMake writes those without a program over each other, so there may be more`] : [],
        ...system.length > 0 ? [`host: ${system.join(", ")}`] : []
      ],
      events: ["time"]
    });
  }
  snippet(name, part) {
    const value = this.json(name, "a snippet");
    if (!value) return false;
    return this.step(value, name, part);
  }
  step(value, name, part) {
    this.checkVersion(value["version"], name);
    const step = stepOf(value, part, this.track);
    if (typeof step === "string") {
      this.warn(name, "a step with role, timeStart and duration", `${step}; left out`);
      return false;
    }
    this.rows.notes.push({ ...step, trace: this.traceOf(value["traceFile"], name) });
    if (!step.neverRan)
      for (const g2 of gaugesOf(value))
        this.rows.gauges.push({ name: g2.name, unit: g2.unit, us: step.startUs + (g2.after ? step.durationUs : 0), value: g2.value });
    const content = value["cmakeContent"];
    if (typeof content === "string") this.content(content, name);
    return true;
  }
  /** The trace of a step's compiler: a file in the data folder, never a path out of it. */
  traceOf(given, from) {
    if (typeof given !== "string" || given === "") return void 0;
    if (!given.startsWith("/") && !given.split(/[/\\]/).includes("..")) return this.pathOf(given);
    this.warn(from, "a traceFile inside the data folder", `${JSON.stringify(given)}; not opened`);
    return void 0;
  }
  /** Reads the project's targets. Only a file in content/ is accepted, whatever path the step gives. */
  content(given, from) {
    if (this.contents.has(given)) return;
    this.contents.add(given);
    const m = /^content\/([^/\\]+\.json)$/.exec(given);
    if (!m) return this.warn(from, "a cmakeContent inside content/", `${JSON.stringify(given)}; not opened`);
    if (!this.folder.read(join(this.data, given))) return;
    const content = this.json(given, "a content file");
    if (!content) return;
    if (typeof content["project"] === "string") this.sink.command ??= content["project"];
    const targets = content["targets"];
    for (const [name, target] of Object.entries(isObject(targets) ? targets : {})) {
      if (!isObject(target)) continue;
      const labels = Array.isArray(target["labels"]) ? target["labels"].map(String) : [];
      this.rows.targets.set(name, { type: typeof target["type"] === "string" ? target["type"] : null, labels });
    }
    if (isObject(content["custom"])) this.sink.notes.push(`custom content: ${JSON.stringify(content["custom"])}`);
  }
  /** Reads all content files, for a trace, which names none. */
  allContents() {
    for (const { name, folder: folder2 } of this.folder.list(join(this.data, "content")))
      if (!folder2 && name.endsWith(".json")) this.content(`content/${name}`, "");
  }
  get latestTrace() {
    return this.folder.list(join(this.data, "trace")).filter((n) => !n.folder && /\.json(\.gz)?$/.test(n.name)).at(-1)?.name;
  }
};
function readGraph(folder2, data, rows) {
  const read = (name) => folder2.read(join(data, name === "build.ninja" ? BUILD_FILE : `../../../../${name}`));
  const root = rows.notes.find((s) => s.role === "link" || s.role === "compile")?.directory;
  const graph = root === void 0 ? void 0 : readNinja(read, "build.ninja", root);
  if (graph && root !== void 0) rows.needs = needsOf(rows.notes, graph, root);
}
function setOrigin(sink) {
  const rows = sink.tables(StepWriter);
  const ran2 = rows.notes.filter((s) => !s.neverRan);
  if (rows.originUs !== null || ran2.length === 0) return;
  const origin = ran2.reduce((least, s) => Math.min(least, s.startUs), Number.POSITIVE_INFINITY);
  rows.originUs = origin;
  rows.notes.forEach((s, i) => {
    rows.notes[i] = { ...s, startUs: s.neverRan ? 0 : s.startUs - origin };
  });
  rows.gauges.forEach((g2, i) => {
    rows.gauges[i] = { ...g2, us: g2.us - origin };
  });
}
async function loadFolder(folder2, sink, signal) {
  const data = dataFolder(folder2);
  if (data === void 0)
    throw new FormatError({
      path: folder2.path,
      expected: "a CMake build tree with instrumentation data",
      found: "none",
      hint: "run proftui cmake enable BUILD, then build"
    });
  const reader = new Reader3(folder2, data, sink);
  reader.load();
  if (sink.tables(StepWriter).notes.length === 0 && sink.parts.every((p2) => p2.notes[0].endsWith(": 0 steps"))) {
    const trace = reader.latestTrace;
    const bytes = trace === void 0 ? void 0 : folder2.read(join(data, `trace/${trace}`));
    if (bytes) {
      sink.parts.length = 0;
      sink.notes.push(`from the trace ${trace}: CMake has deleted the snippets after indexing them`);
      const source = {
        path: `${folder2.path}/${join(data, `trace/${trace}`)}`,
        size: bytes.length,
        chunks: async function* () {
          yield bytes;
        }
      };
      await traceEvents.load(source, sink, signal);
      reader.allContents();
    }
  }
  if (sink.parts.length === 0) {
    sink.warn({ path: folder2.path, expected: "steps", found: "none: nothing has been built, or a callback has removed them" });
    sink.addPart({
      path: folder2.path,
      notes: ["no data"],
      events: ["time"]
    });
  }
  setOrigin(sink);
  readGraph(folder2, data, sink.tables(StepWriter));
}
function detect4(head, path) {
  const text3 = headText(head).trimStart();
  if (text3.startsWith('{"proftuiBuild":')) return "yes";
  if (!text3.startsWith("{") || /"traceEvents"/.test(text3)) return "no";
  const isIndex = /"snippets"\s*:\s*\[/.test(text3) && /"(hook|dataDir|buildDir)"\s*:/.test(text3);
  const isStep = /"role"\s*:\s*"/.test(text3) && /"(timeStart|duration|workingDir)"\s*:/.test(text3);
  const name = path.slice(path.lastIndexOf("/") + 1);
  return isIndex || isStep ? "yes" : INDEX.test(name) || isSnippet(name) ? "maybe" : "no";
}
function loadKept(bytes, path, sink) {
  const folder2 = keptFolder(bytes, path, (line, found) => sink.warn({ path, line, expected: "a file and its text", found }));
  new Reader3(folder2, "", sink).load();
  sink.tables(StepWriter).notes.forEach((s, i, notes) => {
    notes[i] = { ...s, trace: void 0 };
  });
  setOrigin(sink);
  readGraph(folder2, "", sink.tables(StepWriter));
}
async function load5(source, sink, signal) {
  const bytes = await readWhole(source, signal);
  if (isKept(bytes)) return loadKept(bytes, source.path, sink);
  const text3 = new TextDecoder().decode(bytes);
  let value;
  try {
    value = JSON.parse(text3);
  } catch (error) {
    throw new FormatError({
      path: source.path,
      offset: 0,
      expected: "an index file or a snippet in JSON",
      found: text3 === "" ? "an empty file" : error.message
    });
  }
  if (!isObject(value))
    throw new FormatError({ path: source.path, offset: 0, expected: "a JSON object", found: text3.slice(0, 40) });
  const name = source.path.slice(source.path.lastIndexOf("/") + 1);
  const folder2 = source.folder ?? { path: ".", list: () => [], read: () => void 0 };
  if (Array.isArray(value["snippets"])) {
    new Reader3(folder2, "..", sink).load(name);
  } else {
    const reader = new Reader3(folder2, "", sink);
    reader.step(value, name, sink.parts.length);
    sink.addPart({
      path: source.path,
      notes: ["one snippet"],
      events: ["time"]
    });
  }
  setOrigin(sink);
}
var cmake = {
  name: "cmake",
  title: "CMake instrumentation of a build tree (4.3 and later), its index files and snippets",
  provides: ["steps"],
  make: "proftui cmake enable BUILD, then build",
  fileNames: /^(build-\d{4}-.*\.json\.gz|index-\d{4}-.*\.json|[A-Za-z]+-[0-9a-f]{20}-\d{4}-.*\.json)$/,
  detect: detect4,
  keeps: KEPT_FOLDER,
  ownsFolder: (folder2) => dataFolder(folder2) !== void 0,
  load: load5,
  loadFolder
};

// src/model/stacks/samples.ts
init_search();
var Samples = class {
  places = new PlaceTable();
  stacks = new StackTable();
  /** The memory map of each part, as recorded. */
  mappings = [];
  /** Sampling period of each part in nanoseconds; 0 if not stated. */
  periods = [];
  /** The part in which a place was first seen, whose memory map is used for it. */
  partOf = new Grow(Uint32Array);
  /** By place; absent where no symbol is known. */
  names = [];
  /** Address in the object file by place, if that file was read: the one that disassemblers and symbol tables use. */
  ownAddress = /* @__PURE__ */ new Map();
  /** Names of functions that belong to the profiler, not to the program: their frames are left out. */
  hidden;
  /** The place of a code address. For a caller, pass the return address minus 1, which is within the call. */
  place(part, high, low) {
    const id = this.places.id(high, low);
    if (id === this.partOf.length) this.partOf.push(part);
    return id;
  }
  address(place) {
    return BigInt(this.places.high.data[place]) << 32n | BigInt(this.places.low.data[place]);
  }
  sorted = /* @__PURE__ */ new Map();
  /** The mapping that contains the place's address, preferring executable ones, since others may overlap them. */
  mappingOf(place) {
    const address = this.address(place);
    const part = this.partOf.data[place];
    const list2 = this.mappings[part] ?? [];
    let code = this.sorted.get(part);
    if (!code) {
      code = list2.filter((m) => m.executable).sort((a2, b) => a2.start < b.start ? -1 : 1);
      this.sorted.set(part, code);
    }
    const byEnd = code;
    const found = code[firstWhere(code.length, (k) => byEnd[k].end > address)];
    if (found && address >= found.start && address < found.end) return found;
    return list2.find((m) => address >= m.start && address < m.end);
  }
};
var PlaceTable = class extends HashTable {
  high = new Grow(Uint32Array, 1 << 10);
  low = new Grow(Uint32Array, 1 << 10);
  /** The address being looked up. */
  wantedHigh = 0;
  wantedLow = 0;
  get count() {
    return this.high.length;
  }
  id(high, low) {
    const known2 = this.of(high, low);
    if (known2 >= 0) return known2;
    this.high.push(high);
    this.low.push(low);
    return this.insert(placeHash(high, low));
  }
  /** The number of an address; -1 if no stack has it. */
  of(high, low) {
    this.wantedHigh = high;
    this.wantedLow = low;
    return this.find(placeHash(high, low));
  }
  isWanted(id) {
    return this.low.data[id] === this.wantedLow && this.high.data[id] === this.wantedHigh;
  }
};
function placeHash(high, low) {
  const h = Math.imul(low ^ Math.imul(high, 2654435761), 2246822507);
  return h ^ h >>> 15;
}
var StackTable = class extends HashTable {
  start = new Grow(Uint32Array, 1 << 10);
  place = new Grow(Uint32Array, 1 << 12);
  part = new Grow(Uint32Array, 1 << 10);
  count = new Grow(Float64Array, 1 << 10);
  /** Counts beyond 2^53, exact. */
  beyond = /* @__PURE__ */ new Map();
  /** The stack being looked up. */
  wantedPart = 0;
  wanted = new Uint32Array(0);
  wantedLength = 0;
  constructor() {
    super();
    this.start.push(0);
  }
  get rows() {
    return this.part.length;
  }
  /** Adds `count` samples of the stack places[0..n), the innermost first. */
  add(part, places, n, count) {
    const hash = stackHash(part, places, 0, n);
    this.wantedPart = part;
    this.wanted = places;
    this.wantedLength = n;
    const known2 = this.find(hash);
    if (known2 >= 0) return this.more(known2, count);
    const row = this.insert(hash);
    const to = this.place.length + n;
    if (to > this.place.data.length) this.place.reserve(Math.max(to, this.place.data.length * 2));
    for (let i = 0; i < n; i++) this.place.data[this.place.length + i] = places[i];
    this.place.length = to;
    this.start.push(to);
    this.part.push(part);
    this.count.push(0);
    this.more(row, count);
  }
  more(row, count) {
    const was = this.count.data[row];
    const sum4 = typeof count === "number" ? was + count : Number.NaN;
    if (!this.beyond.has(row) && sum4 <= Number.MAX_SAFE_INTEGER) {
      this.count.data[row] = sum4;
      return;
    }
    const exact = (this.beyond.get(row) ?? BigInt(was)) + BigInt(count);
    this.beyond.set(row, exact);
    this.count.data[row] = Number(exact);
  }
  isWanted(row) {
    const { wanted, wantedLength } = this;
    const from = this.start.data[row];
    if (this.start.data[row + 1] - from !== wantedLength || this.part.data[row] !== this.wantedPart) return false;
    const mine = this.place.data;
    for (let i = 0; i < wantedLength; i++) if (mine[from + i] !== wanted[i]) return false;
    return true;
  }
};
function stackHash(part, places, from, to) {
  let h = 2166136261 ^ part;
  for (let i = from; i < to; i++) h = Math.imul(h ^ places[i], 16777619) ^ h >>> 13;
  h = Math.imul(h ^ h >>> 16, 2246822507);
  return h ^ h >>> 13;
}

// src/model/stacks/writer.ts
function unnamed(address, object) {
  return object === null ? address : `${address} [${object.slice(object.lastIndexOf("/") + 1).replace(/^\[(.*)\]$/, "$1")}]`;
}
var AddressStackWriter = class {
  samples = new Samples();
  sink;
  constructor(sink) {
    this.sink = sink;
  }
  get rows() {
    return this.samples.stacks.rows;
  }
  finish() {
    const { sink, samples } = this;
    const { frames, first, ...rest } = framesOf(sink, samples);
    const places = { ...rest.places, ofFrame: rest.ofFrame };
    const { start: start2, frame, cut } = expand(samples, first, hiddenPlaces(samples));
    if (cut > 0) sink.notes.push(`${cut} frames of the profiler's own signal handler are left out`);
    const { events, costs } = costsOf(samples.stacks, samples.periods);
    const stacks = { start: start2, frame, part: samples.stacks.part.done(), costs };
    return { kind: "stacks", events, columns: costs.length, places, frames, stacks, ...leafRows(stacks, frames, places) };
  }
};
function placesOf(sink, samples) {
  const high = samples.places.high.done();
  const low = samples.places.low.done();
  const ownHigh = high.slice();
  const ownLow = low.slice();
  for (const [place, address] of samples.ownAddress) {
    ownHigh[place] = Number(address >> 32n);
    ownLow[place] = Number(address & 0xffffffffn);
  }
  const object = Int32Array.from(high, (_, place) => {
    const path = samples.mappingOf(place)?.path;
    return path === void 0 || path === null ? -1 : sink.object(sink.strings.textId(path));
  });
  return { high, low, object, ownHigh, ownLow, named: Uint8Array.from(high, (_, p2) => samples.names[p2] ? 1 : 0) };
}
function framesOf(sink, samples) {
  const places = placesOf(sink, samples);
  const n = places.high.length;
  const first = new Uint32Array(n + 1);
  for (let p2 = 0; p2 < n; p2++) first[p2 + 1] = first[p2] + (samples.names[p2]?.length ?? 1);
  const total = first[n];
  const ofFrame = new Uint32Array(total);
  const frames = {
    routine: new Uint32Array(total),
    file: new Int32Array(total).fill(-1),
    line: new Uint32Array(total)
  };
  const fileOf2 = /* @__PURE__ */ new Map();
  const key = (p2, f) => `${places.object[p2]} ${f.name}`;
  for (let p2 = 0; p2 < n; p2++)
    for (const f of samples.names[p2] ?? []) if (f.file !== null && !fileOf2.has(key(p2, f))) fileOf2.set(key(p2, f), f.file);
  const { strings } = sink;
  for (let p2 = 0; p2 < n; p2++) {
    const at = first[p2];
    const list2 = samples.names[p2];
    if (!list2) {
      ofFrame[at] = p2;
      const object = places.object[p2];
      const name = object < 0 ? `0x${samples.address(p2).toString(16)}` : unnamed("0x...", strings.text(sink.objectName(object)));
      frames.routine[at] = sink.routine(strings.textId(name), -1, object);
      continue;
    }
    list2.forEach((f, k) => {
      const own = f.file ?? fileOf2.get(key(p2, f));
      const file = own === void 0 ? -1 : sink.file(strings.textId(own));
      ofFrame[at + k] = p2;
      frames.routine[at + k] = sink.routine(strings.textId(f.name), file, places.object[p2]);
      frames.file[at + k] = file;
      frames.line[at + k] = f.line;
    });
  }
  return { places, ofFrame, frames, first };
}
function hiddenPlaces(samples) {
  return Uint8Array.from(samples.places.high.done(), (_, p2) => {
    const outermost2 = samples.names[p2]?.at(-1);
    return outermost2 && samples.hidden?.test(outermost2.name) ? 1 : 0;
  });
}
function expand(samples, first, dropped) {
  const from = samples.stacks.start.done();
  const place = samples.stacks.place.done();
  const places = first.length - 1;
  if (first[places] === places && !dropped.includes(1)) return { start: from, frame: place, cut: 0 };
  const start2 = new Uint32Array(from.length);
  let total = 0;
  let cut = 0;
  const keeps = (k, s) => dropped[place[k]] === 0 || onlyProfiler(s);
  const onlyProfiler = (s) => {
    for (let k = from[s]; k < from[s + 1]; k++) if (dropped[place[k]] === 0) return false;
    return true;
  };
  for (let s = 0; s + 1 < from.length; s++) {
    for (let k = from[s]; k < from[s + 1]; k++) {
      const p2 = place[k];
      if (keeps(k, s)) total += first[p2 + 1] - first[p2];
      else cut++;
    }
    start2[s + 1] = total;
  }
  const frame = new Uint32Array(total);
  let at = 0;
  for (let s = 0; s + 1 < from.length; s++) {
    for (let k = from[s]; k < from[s + 1]; k++) {
      if (!keeps(k, s)) continue;
      const p2 = place[k];
      for (let f = first[p2]; f < first[p2 + 1]; f++) frame[at++] = f;
    }
  }
  return { start: start2, frame, cut };
}
function costsOf(table, periodOf) {
  const { count, beyond, part } = table;
  const rows = part.length;
  const columns = new CostColumns(Math.max(1, rows));
  columns.ensureColumns(1);
  for (let row = 0; row < rows; row++) columns.set(0, row, beyond.get(row) ?? count.data[row]);
  const costs = [columns.columns[0].subarray(0, rows)];
  let total = 0;
  for (let row = 0; row < rows; row++) total += costs[0][row];
  const exact = total >= 2 ** 53 || beyond.size > 0;
  if (exact) {
    const half = splitHalves(costs[0], rows, columns.beyond.get(0));
    costs.push(half.high, half.low);
  }
  const scaled = (factor) => ({
    terms: [[factor, 0]],
    ...exact ? { exact: { high: [[factor, 1]], low: [[factor, 2]] } } : {}
  });
  const events = [{ name: "samples", unit: "samples", longName: "samples taken", ...scaled(1) }];
  const periods = new Set(periodOf);
  const [period] = periods;
  if (periods.size === 1 && period > 0) {
    events.push({
      name: "time",
      unit: "ns",
      longName: "samples times the period",
      formula: `${period} samples`,
      ...scaled(period)
    });
  } else if (periods.size > 1 && !periods.has(0)) {
    costs.push(Float64Array.from({ length: rows }, (_, s) => costs[0][s] * periodOf[part.data[s]]));
    const column = costs.length - 1;
    events.push({ name: "time", unit: "ns", longName: "samples times their file's period", terms: [[1, column]] });
  }
  return { events, costs };
}
function leafRows(stacks, frames, places) {
  const { start: start2, frame, part, costs } = stacks;
  const n = part.length;
  const rowOf = /* @__PURE__ */ new Map();
  const leaf = [];
  const target = new Int32Array(n).fill(-1);
  const width = frames.routine.length;
  for (let s = 0; s < n; s++) {
    if (start2[s] === start2[s + 1]) continue;
    const key = part[s] * width + frame[start2[s]];
    let row = rowOf.get(key);
    if (row === void 0) {
      row = leaf.length;
      rowOf.set(key, row);
      leaf.push(key);
    }
    target[s] = row;
  }
  const at = (key) => key % width;
  const partAt = (key) => Math.floor(key / width);
  const spanKey = (key) => {
    const f = at(key);
    return [frames.routine[f], frames.file[f], partAt(key), places ? places.ownHigh[places.ofFrame[f]] : 0];
  };
  const keys = leaf.map(spanKey);
  const order = leaf.map((_, i) => i);
  order.sort((a2, b) => {
    const x = keys[a2];
    const y = keys[b];
    return x[0] - y[0] || x[1] - y[1] || x[2] - y[2] || x[3] - y[3];
  });
  const place = new Uint32Array(leaf.length);
  order.forEach((i, row) => {
    place[i] = row;
  });
  const sums = costs.map((column) => {
    const out = new Float64Array(leaf.length);
    for (let s = 0; s < n; s++) if (target[s] >= 0) out[place[target[s]]] += column[s];
    return out;
  });
  const frameAt = order.map((i) => at(leaf[i]));
  return {
    spans: spansOf(order.map((i) => keys[i])),
    lines: {
      line: Uint32Array.from(frameAt, (f) => frames.line[f]),
      ...places ? { address: Uint32Array.from(frameAt, (f) => places.ownLow[places.ofFrame[f]]) } : {},
      costs: sums
    }
  };
}
function spansOf(keys) {
  const starts = [];
  keys.forEach((k, row) => {
    const before = row > 0 ? keys[row - 1] : void 0;
    if (!before || k.some((v, c) => v !== before[c])) starts.push(row);
  });
  const of = (c) => starts.map((row) => keys[row][c]);
  return {
    routine: Uint32Array.from(of(0)),
    file: Int32Array.from(of(1)),
    part: Uint32Array.from(of(2)),
    high: Uint32Array.from(of(3)),
    start: Uint32Array.from([...starts, keys.length])
  };
}

// src/formats/gperftools/maps.ts
var LINE2 = /^\s*([0-9a-f]{1,16})-([0-9a-f]{1,16})\s+([-rwxsp]{3,5})\s+([0-9a-f]{1,16})\s+[0-9a-f]+:[0-9a-f]+\s+\d+\s*(.*?)\s*$/i;
function parseMaps(text3) {
  const out = [];
  let build = "";
  for (let from = 0; from < text3.length; ) {
    let to = text3.indexOf(10, from);
    if (to < 0) to = text3.length;
    const line = decodeBytes(text3, from, to);
    from = to + 1;
    const set = /^\s*build=(.*?)\s*$/.exec(line);
    if (set) {
      build = set[1];
      continue;
    }
    const m = LINE2.exec(line);
    if (!m) continue;
    const [start2, end, offset] = [m[1], m[2], m[4]].map((hex) => BigInt(`0x${hex}`));
    if (end <= start2) continue;
    const path = m[5].replace(/\$build(?!\w)/g, () => build);
    out.push({ start: start2, end, offset, executable: m[3].includes("x"), path: path === "" ? null : path });
  }
  return out;
}

// src/formats/gperftools/symbols.ts
function parseSymbols(text3) {
  const names = /* @__PURE__ */ new Map();
  let binary = null;
  for (const line of text3.split("\n")) {
    const b = /^\s*binary=(.*?)\s*$/.exec(line);
    if (b) binary = b[1];
    const m = /^\s*(0x[0-9a-f]{1,16})\s+(\S.*?)\s*$/i.exec(line);
    if (!m) continue;
    const frames = m[2].split(/(?<!operator)--/).map((name) => ({
      name: name.replace(/<(?:[0-9a-f]{8}|[0-9a-f]{16})>$/, "") || m[1],
      file: null,
      line: 0
    }));
    names.set(BigInt(m[1]), frames.reverse());
  }
  return { binary, names };
}

// src/formats/gperftools/words.ts
function headerCount(view, form) {
  if (view.byteLength < 2 * form.bytes) return void 0;
  const { high, low } = readWord(view, form.bytes, form);
  return high * 2 ** 32 + low;
}
function readWord(view, at, form) {
  if (form.bytes === 4) return { high: 0, low: view.getUint32(at, form.little) };
  const first = view.getUint32(at, form.little);
  const second = view.getUint32(at + 4, form.little);
  return form.little ? { high: second, low: first } : { high: first, low: second };
}
function wordForm(head) {
  if (head.length < 8) return void 0;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const bytes = view.getUint32(4, true) === 0 ? 8 : 4;
  const little = { bytes, little: true };
  const big = { bytes, little: false };
  const a2 = headerCount(view, little);
  const b = headerCount(view, big);
  if (a2 === void 0 || b === void 0) return bytes === 8 && head.length < 16 ? little : void 0;
  return a2 <= b ? little : big;
}

// src/formats/gperftools/index.ts
var MOST_PCS = 1 << 20;
var MOST_HEADER = 1 << 16;
var MOST_TEXT = 256 << 20;
function ascii(head, length) {
  return String.fromCharCode(...head.subarray(0, length));
}
function detect5(head) {
  if (/^---\s+symbol\s/.test(ascii(head, 16)) || /^---\s+profile\s/.test(ascii(head, 16))) return "yes";
  const form = wordForm(head);
  if (!form || head.length < 5 * form.bytes) return "no";
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const slot = (i) => readWord(view, i * form.bytes, form);
  const zero = (i) => slot(i).high === 0 && slot(i).low === 0;
  const more = slot(1);
  return zero(0) && more.high === 0 && more.low >= 3 && more.low <= MOST_HEADER && zero(2) && slot(3).high === 0 ? "yes" : "no";
}
function knows(head) {
  const text3 = ascii(head, 64);
  if (/^(heap profile:|heap_v2|--- heap)/.test(text3))
    return "a heap profile of tcmalloc; proftui reads CPU profiles (CPUPROFILE=FILE)";
  if (/^--- growth/.test(text3)) return "a heap growth profile of tcmalloc; proftui reads CPU profiles (CPUPROFILE=FILE)";
  if (/^--- (contention|mutex)/.test(text3)) return "a contention profile; proftui reads CPU profiles (CPUPROFILE=FILE)";
  return void 0;
}
var Reader4 = class {
  path;
  sink;
  samples;
  form;
  state = "header";
  /** File offset of the buffer passed to take(). */
  offset = 0;
  symbols;
  maps = [];
  mapBytes = 0;
  places = new Uint32Array(MOST_PCS);
  part;
  period = 0;
  records = 0;
  constructor(sink, samples, path) {
    this.sink = sink;
    this.samples = samples;
    this.path = path;
    this.part = samples.periods.length;
  }
  fail(at, expected, found) {
    throw new FormatError({ path: this.path, offset: this.offset + at, expected, found });
  }
  /** Consumes whatever is complete in the bytes; returns how many bytes that was. */
  take(bytes) {
    let at = 0;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (this.offset === 0 && this.state === "header" && !this.form) {
      if (bytes.length < 16) return 0;
      if (ascii(bytes, 4) === "--- ") this.state = "symbols";
    }
    if (this.state === "symbols") {
      at = this.takeSymbols(bytes);
      if (this.state === "symbols") return 0;
    }
    if (this.state === "header") {
      const used = this.takeHeader(view, at);
      if (used === 0) return this.done(at);
      at += used;
    }
    if (this.state === "records") at = this.takeRecords(view, at);
    if (this.state === "maps") {
      if (at < bytes.length && this.mapBytes < MOST_TEXT) {
        this.maps.push(bytes.slice(at));
        this.mapBytes += bytes.length - at;
      }
      at = bytes.length;
    }
    return this.done(at);
  }
  done(used) {
    this.offset += used;
    return used;
  }
  /** Everything up to `--- profile`. */
  takeSymbols(bytes) {
    const mark = /^--- *profile *\r?\n/m;
    const text3 = new TextDecoder("latin1").decode(bytes);
    const m = mark.exec(text3);
    if (!m) {
      if (bytes.length > MOST_TEXT) this.fail(0, '"--- profile" after the symbols', `${bytes.length} bytes without it`);
      return 0;
    }
    this.symbols = parseSymbols(new TextDecoder().decode(bytes.subarray(0, m.index)));
    this.state = "header";
    return m.index + m[0].length;
  }
  /** The header's size in bytes; 0 if it is not complete yet. */
  takeHeader(view, at) {
    const rest = new Uint8Array(view.buffer, view.byteOffset + at, view.byteLength - at);
    if (rest.length < 16) return 0;
    const form = wordForm(rest);
    const slot = (i) => readWord(view, at + i * form.bytes, form);
    const big = (i) => BigInt(slot(i).high) << 32n | BigInt(slot(i).low);
    if (big(0) !== 0n) this.fail(at, "0 as the first word of a CPU profile", `${big(0)}`);
    const more = big(1);
    if (more < 3n) this.fail(at + form.bytes, "at least 3 header words to follow", `${more}`);
    if (more > BigInt(MOST_HEADER)) this.fail(at + form.bytes, `at most ${MOST_HEADER} header words to follow`, `${more}`);
    const size = (2 + Number(more)) * form.bytes;
    if (rest.length < size) return 0;
    if (big(2) !== 0n) this.fail(at + 2 * form.bytes, "version 0 of the format", `version ${big(2)}`);
    this.form = form;
    this.period = Number(big(3)) * 1e3;
    if (this.symbols && this.period === 1e3) this.period = 0;
    else if (this.period === 0) {
      this.sink.warn({
        path: this.path,
        offset: this.offset + at + 3 * form.bytes,
        expected: "the sampling period in microseconds",
        found: "sampling period 0: samples have no times"
      });
    }
    this.state = "records";
    return size;
  }
  /** Returns where the complete records end. */
  takeRecords(view, from) {
    const { form, samples, part, places } = this;
    const { bytes, little } = form;
    const wide = bytes === 8;
    const lowAt = wide && !little ? 4 : 0;
    const highAt = wide && little ? 4 : 0;
    const end = view.byteLength;
    const callers = this.symbols ? Number.MAX_SAFE_INTEGER : 1;
    let at = from;
    while (at + 3 * bytes <= end) {
      const count = view.getUint32(at + lowAt, little);
      const countHigh = wide ? view.getUint32(at + highAt, little) : 0;
      const n = view.getUint32(at + bytes + lowAt, little);
      const nHigh = wide ? view.getUint32(at + bytes + highAt, little) : 0;
      if (count === 0 && countHigh === 0) {
        this.checkTrailer(view, at, n, nHigh);
        this.state = "maps";
        return at + 3 * bytes;
      }
      if (n === 0 && nHigh === 0) this.fail(at, "a record with at least one address", "a record with no addresses");
      if (nHigh !== 0 || n > MOST_PCS) {
        const all = BigInt(nHigh) << 32n | BigInt(n);
        this.fail(at, `at most ${MOST_PCS} addresses in a record`, `${all} addresses`);
      }
      const next = at + (2 + n) * bytes;
      if (next > end) break;
      let p2 = at + 2 * bytes;
      for (let i = 0; i < n; i++, p2 += bytes) {
        let low = view.getUint32(p2 + lowAt, little);
        let high = wide ? view.getUint32(p2 + highAt, little) : 0;
        if (i >= callers && (low !== 0 || high !== 0)) {
          if (low === 0) high--;
          low = low - 1 >>> 0;
        }
        places[i] = samples.place(part, high, low);
      }
      const whole = countHigh === 0 ? count : wordCount(countHigh, count);
      samples.stacks.add(part, places, n, whole);
      this.records++;
      at = next;
    }
    return at;
  }
  checkTrailer(view, at, n, nHigh) {
    const { bytes } = this.form;
    const pcs = BigInt(nHigh) << 32n | BigInt(n);
    if (pcs !== 1n) this.fail(at, "a record, or the trailer 0 1 0", `count 0 with ${pcs} addresses`);
    const pc = readWord(view, at + 2 * bytes, this.form);
    if (pc.low !== 0 || pc.high !== 0) {
      const address = BigInt(pc.high) << 32n | BigInt(pc.low);
      this.fail(at + 2 * bytes, "the trailer 0 1 0", `one with address ${address}`);
    }
  }
  /** `left`: bytes at the end that did not make a complete record. */
  finish(left) {
    const { sink, samples, path, part } = this;
    const end = this.offset + left;
    if (end === 0) throw new FormatError({ path, offset: 0, expected: "a CPU profile", found: "an empty file" });
    if (this.state === "symbols")
      throw new FormatError({ path, offset: end, expected: '"--- profile" after the symbols', found: "the end of the file" });
    if (this.state === "header") {
      throw new FormatError({
        path,
        offset: end,
        expected: "the header of a CPU profile",
        found: "the end of the file inside it"
      });
    }
    if (this.state === "records" && !(this.symbols && left === 0)) {
      const found = left > 0 ? "the end of the file inside a record" : "the end of the file without a trailer";
      const problem = { path, offset: end, expected: "a record or the trailer 0 1 0", found };
      if (this.records === 0) throw new FormatError(problem);
      sink.cut ??= {
        ...problem,
        hint: "the file was cut off: only complete records are shown, and the list of mapped objects is missing"
      };
    }
    const maps = parseMaps(joinBytes(this.maps));
    samples.mappings.push(maps);
    samples.periods.push(this.period);
    const main = maps.find((m) => m.path !== null && !m.path.startsWith("["))?.path ?? this.symbols?.binary ?? null;
    sink.command ??= main;
    const form = `${this.form.bytes * 8} bit, ${this.form.little ? "little" : "big"} endian`;
    sink.addPart({
      path,
      command: main,
      notes: [
        `${form}; ${this.records} records; ${this.period > 0 ? `a sample every ${this.period / 1e6} ms` : "sampling period unknown"}; ${maps.length} mappings`
      ],
      events: ["samples"],
      positions: ["address"]
    });
    if (maps.length === 0 && !this.symbols && !sink.cut) {
      sink.warn({ path, offset: end, expected: "a list of mapped objects", found: "no mapped objects: addresses have no names" });
    }
    for (const [address, names] of this.symbols?.names ?? []) {
      const low = Number(address & 0xffffffffn);
      const high = Number(address >> 32n);
      const known2 = samples.places.of(high, low);
      if (known2 >= 0) samples.names[known2] = names;
    }
    if (part === 0) sink.creator = "gperftools";
  }
};
function wordCount(high, low) {
  return high < 2097152 ? high * 2 ** 32 + low : BigInt(high) << 32n | BigInt(low);
}
async function load6(source, sink, signal) {
  const { samples } = sink.tables(AddressStackWriter);
  samples.hidden = PROFILER;
  const reader = new Reader4(sink, samples, source.path);
  const { rest } = await readPieces(source, signal, (bytes) => reader.take(bytes));
  reader.finish(rest.length);
}
var PROFILER = /^(?:ProfileHandler::(?:SignalHandler|signal_handler)|CpuProfiler::(?:prof_handler|ProfileHandlerCallback)|ProfileData::(?:Add|prof_handler)|GetStackTrace\w*|__restore(?:_rt)?|__pthread_sighandler)(?:\(|$)/;
var gperftools = {
  name: "gperftools",
  title: "CPU profile of gperftools (libprofiler), raw or symbolized by pprof --raw",
  provides: ["routines", "calls", "lines", "instrs"],
  make: "CPUPROFILE=app.prof ./program   (linked with -lprofiler, or LD_PRELOAD=libprofiler.so)",
  fileNames: /\.(cpu)?prof(_\d+)?(\.\d+)?(\.gz)?$/,
  detect: detect5,
  run: {
    // A forked process adds _PID; each time the profiler is switched on, it adds .N.
    stem: (name) => /^(.+\.prof)(?:_\d+)?(?:\.\d+)?(?:\.gz)?$/.exec(name)?.[1],
    place: (rest) => {
      const m = /^(?:_\d+)?(?:\.(\d+))?(?:\.gz)?$/.exec(rest);
      return m ? { part: m[1] ? Number(m[1]) : LAST_PART, thread: 0 } : void 0;
    }
  },
  knows,
  load: load6
};

// src/formats/ninja-log.ts
var CARRIAGE_RETURN = 13;
var HEADER = /^# ninja log v(\d+)\s*$/;
function detect6(head) {
  return /^# ninja log v\d/.test(decodeBytes(head, 0, Math.min(head.length, 40))) ? "yes" : "no";
}
async function load7(source, sink, signal) {
  const { path } = source;
  const commands = [];
  const known2 = /* @__PURE__ */ new Map();
  let lineNo = 0;
  let run2 = 0;
  let lastEnd = -1;
  const line = (text3) => {
    lineNo++;
    if (lineNo === 1) {
      const version = Number(HEADER.exec(text3)?.[1]);
      if (!(version >= 5))
        throw new FormatError({ path, line: 1, expected: "# ninja log v5 or later", found: `"${text3.slice(0, 40)}"` });
      if (version > 7) sink.warn({ path, line: 1, expected: "versions 5 to 7", found: `version ${version}; read as version 7` });
      return;
    }
    if (text3 === "" || text3.startsWith("#")) return;
    const f = text3.split("	");
    const [start2, end] = [Number(f[0]), Number(f[1])];
    if (f.length < 5 || !Number.isInteger(start2) || !Number.isInteger(end) || end < start2 || start2 < 0) {
      sink.warn({
        path,
        line: lineNo,
        expected: "tab-separated start, end, mtime, output and hash",
        found: `"${text3.slice(0, 60)}"; left out`
      });
      return;
    }
    if (end < lastEnd) run2++;
    lastEnd = end;
    const key = `${run2}	${start2}	${end}	${f[4]}`;
    const command = known2.get(key);
    if (command) {
      command.outputs.push(f[3]);
      return;
    }
    const made = { startMs: start2, endMs: end, run: run2, outputs: [f[3]] };
    known2.set(key, made);
    commands.push(made);
  };
  const { read, rest } = await readLines(
    source,
    signal,
    (bytes, from, to) => line(decodeBytes(bytes, from, bytes[to - 1] === CARRIAGE_RETURN ? to - 1 : to))
  );
  if (read === 0) throw new FormatError({ path, line: 0, expected: "a ninja log", found: "an empty file" });
  if (rest.length > 0) {
    const text3 = decodeBytes(rest, 0, rest.length);
    if (lineNo > 0)
      sink.cut ??= {
        path,
        line: lineNo + 1,
        expected: "the end of a line",
        found: `"${text3.slice(0, 40)}"`,
        hint: "the file was cut off: only complete lines are shown"
      };
    else line(text3);
  }
  finish(sink, path, commands);
}
function finish(sink, path, commands) {
  const rows = sink.tables(StepWriter);
  const runs = Math.max(0, ...commands.map((c) => c.run)) + 1;
  const sorted = runs > 4 && runs > commands.length / 4;
  if (sorted)
    sink.warn({
      path,
      expected: "lines in the order in which commands finished",
      found: "lines out of order: ninja has rewritten the log, so its runs cannot be told apart"
    });
  const shown = sorted ? 1 : runs;
  const lengths = new Float64Array(shown);
  for (const c of commands) lengths[sorted ? 0 : c.run] = Math.max(lengths[sorted ? 0 : c.run], c.endMs);
  const firstPart = sink.parts.length;
  let from = 0;
  const starts = Array.from(lengths, (ms) => {
    const at = from;
    from += ms;
    return at;
  });
  for (let r = 0; r < shown; r++) {
    sink.addPart({
      path,
      part: shown > 1 ? r + 1 : null,
      command: "ninja",
      notes: [`run ${r + 1} of ${shown}; failed commands are not in the log`],
      events: ["time"]
    });
  }
  for (const c of commands) {
    const r = sorted ? 0 : c.run;
    rows.notes.push({
      name: c.outputs[0],
      role: roleOf(c.outputs[0]),
      track: rows.untitledTrack("ninja", String(r)),
      part: firstPart + r,
      startUs: (starts[r] + c.startMs) * 1e3,
      durationUs: (c.endMs - c.startMs) * 1e3,
      result: 0,
      target: targetOf(c.outputs[0]),
      outputs: c.outputs.map((o) => ({ path: o, bytes: null }))
    });
  }
  sink.creator ??= "ninja";
  sink.command ??= "ninja";
}
function roleOf(output) {
  if (/\.(o|obj|gch|pch)$/.test(output)) return "compile";
  if (/\.(a|so|dll|exe|lib|dylib)(\.\d+)*$/.test(output)) return "link";
  return "custom";
}
function targetOf(output) {
  return /CMakeFiles\/([^/]+)\.dir\//.exec(output)?.[1];
}
var ninjaLog = {
  name: "ninja-log",
  title: "log of ninja (.ninja_log, versions 5 to 7)",
  provides: ["steps"],
  make: "ninja   (it writes .ninja_log in the build folder)",
  fileNames: /^\.ninja_log(\.gz)?$/,
  detect: detect6,
  load: load7
};

// src/formats/index.ts
var loaders = [callgrind, cachegrind, gperftools, aprof, cmake, traceEvents, ninjaLog, buildTrace];

// src/formats/strangers.ts
function strangerOf(head) {
  const ascii2 = headText(head.subarray(0, 64));
  if (ascii2.startsWith("\x7FELF")) return "an ELF program or library";
  if (ascii2.startsWith("BZh")) return "bzip2 data; unpack it first";
  if (ascii2.startsWith("\xFD7zXZ")) return "xz data; unpack it first";
  if (ascii2.startsWith("(\xB5/\xFD")) return "zstd data; unpack it first";
  if (ascii2.startsWith("PK")) return "a zip archive";
  if (ascii2.startsWith("PERFILE2")) return "perf.data of Linux perf";
  return void 0;
}

// src/model/callgraph/check.ts
function checkLines(profile, to) {
  const { spans, lines, routines, files, parts } = profile;
  const n = spans.routine.length;
  to.sameLength("spans", n, { file: spans.file, part: spans.part, high: spans.high });
  to.holds(spans.start.length === n + 1, "spans.start is not one longer than the spans");
  to.every(n, (s) => spans.start[s] > spans.start[s + 1] ? `span ${s} ends before it starts` : void 0);
  to.holds(n === 0 || spans.start[0] === 0, "the first span does not start at row 0");
  to.holds(spans.start[n] === lines.line.length, "the spans do not cover the lines");
  to.within("spans.routine", spans.routine, 0, routines.name.length);
  to.within("spans.file", spans.file, -1, files.name.length);
  to.within("spans.part", spans.part, 0, parts.length);
  to.sameLength("lines", lines.line.length, { address: lines.address });
  to.costColumns("lines", lines.costs, profile.columns, lines.line.length);
}
function checkCallGraph(profile, to) {
  const { spans, calls, jumps, routines, files } = profile;
  checkLines(profile, to);
  if (calls) {
    const n = calls.span.length;
    to.sameLength("calls", n, { callee: calls.callee, line: calls.line, address: calls.address, count: calls.count });
    to.within("calls.span", calls.span, 0, spans.routine.length);
    to.within("calls.callee", calls.callee, 0, routines.name.length);
    to.costColumns("calls", calls.costs, profile.columns, n);
    to.every(n, (i) => calls.count[i] >= 0 ? void 0 : `calls.count[${i}] is ${calls.count[i]}`);
  }
  if (jumps) {
    to.within("jumps.span", jumps.span, 0, spans.routine.length);
    to.within("jumps.targetFile", jumps.targetFile, -1, files.name.length);
    if (jumps.targetRoutine) to.within("jumps.targetRoutine", jumps.targetRoutine, -1, routines.name.length);
    to.sameLength("jumps", jumps.span.length, { line: jumps.line, taken: jumps.taken, executed: jumps.executed });
  }
}

// src/model/event-value.ts
function eventValue(event, costs, row) {
  const { terms } = event;
  if (event.per) return ratio(sum(terms, costs, row), sum(event.per, costs, row));
  if (terms.length === 1 && terms[0][0] === 1) return costs[terms[0][1]][row];
  return sum(terms, costs, row);
}
function ratio(above, below) {
  return below === 0 ? 0 : above / below;
}
function sum(terms, costs, row) {
  let value = 0;
  for (const [factor, column] of terms) value += factor * costs[column][row];
  return value;
}
function exactValue(event, costs, row) {
  if (!event.exact) return eventValue(event, costs, row);
  const value = BigInt(sum(event.exact.high, costs, row)) * 0x100000000n + BigInt(sum(event.exact.low, costs, row));
  return value >= -BigInt(Number.MAX_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}
function zeroCosts(count, rows) {
  return Array.from({ length: count }, () => new Float64Array(rows));
}

// src/model/callgraph/dump.ts
function* dumpLines(profile, name) {
  const { spans, lines, files } = profile;
  const recorded = profile.events.filter((e) => !e.formula);
  for (let s = 0; s < spans.routine.length; s++) {
    yield `span ${s} routine ${spans.routine[s]} file ${name(files.name[spans.file[s]])} part ${spans.part[s]} high ${spans.high[s]}`;
    for (let i = spans.start[s]; i < spans.start[s + 1]; i++) {
      const at = lines.address ? `@${lines.address[i].toString(16)} ` : "";
      yield `  line ${at}${lines.line[i]} ${recorded.map((e) => exactValue(e, lines.costs, i)).join(" ")}`;
    }
  }
}
function* dumpCallGraph(profile, name) {
  const { calls, jumps } = profile;
  const recorded = profile.events.filter((e) => !e.formula);
  yield* dumpLines(profile, name);
  if (calls)
    for (let i = 0; i < calls.span.length; i++) {
      const at = calls.address ? `@${calls.address[i].toString(16)} ` : "";
      const cost = recorded.map((e) => exactValue(e, calls.costs, i)).join(" ");
      yield `call span ${calls.span[i]} ${at}line ${calls.line[i]} -> ${calls.callee[i]} count ${calls.count[i]} ${cost}`;
    }
  if (jumps)
    for (let i = 0; i < jumps.span.length; i++) {
      const to = jumps.targetAddress ? ` @${jumps.targetAddress[i].toString(16)}` : "";
      yield `jump span ${jumps.span[i]} line ${jumps.line[i]} -> ${jumps.targetFile[i]}:${jumps.targetLine[i]}${to} ${jumps.taken[i]}/${jumps.executed[i]}`;
    }
}

// src/model/inputs/check.ts
function checkInputs(profile, to) {
  const { inputs, contexts, routines, parts } = profile;
  if (contexts) {
    const n2 = contexts.id.length;
    to.sameLength("contexts", n2, { parent: contexts.parent, end: contexts.end, routine: contexts.routine, part: contexts.part });
    to.within("contexts.routine", contexts.routine, 0, routines.name.length);
    to.every(n2, (c) => {
      const p2 = contexts.parent[c];
      return p2 >= c || p2 < -1 || !(contexts.end[c] > c) || p2 >= 0 && contexts.end[c] > contexts.end[p2] ? `context ${c} does not lie within its parent ${p2}` : void 0;
    });
  }
  const n = inputs.size.length;
  const fields = Object.fromEntries(INPUT_FIELDS.map((f) => [f, inputs[f]]));
  const { routine, context, part, counted: counted2 } = inputs;
  to.sameLength("inputs", n, { routine, context, part, counted: counted2, ...fields });
  to.within("inputs.routine", routine, 0, routines.name.length);
  to.within("inputs.context", context, -1, contexts?.id.length ?? 0);
  to.within("inputs.part", part, 0, parts.length);
  to.every(
    n,
    (i) => context[i] >= 0 && contexts?.routine[context[i]] !== routine[i] ? `point ${i} belongs to a different routine than its context` : void 0
  );
}

// src/model/inputs/dump.ts
function* dumpInputs({ inputs, contexts }) {
  if (contexts)
    for (let c = 0; c < contexts.id.length; c++)
      yield `context ${c} id ${contexts.id[c]} parent ${contexts.parent[c]} end ${contexts.end[c]} routine ${contexts.routine[c]} part ${contexts.part[c]}`;
  for (let i = 0; i < inputs.size.length; i++) {
    const fields = INPUT_FIELDS.flatMap((f) => {
      const column = inputs[f];
      return column ? [`${f} ${inputs.beyond.get(f)?.get(i) ?? column[i]}`] : [];
    });
    const counted2 = inputs.counted[i] ? "" : " (not counted)";
    yield `point routine ${inputs.routine[i]} context ${inputs.context[i]} part ${inputs.part[i]} size ${inputs.size[i]}${counted2}: ${fields.join(" ")}`;
  }
}

// src/model/processes/check.ts
function checkProcesses(profile, to) {
  const p2 = profile.processes;
  const n = p2.id.length;
  to.sameLength("processes", n, { part: p2.part, parent: p2.parent, executable: p2.executable, directory: p2.directory });
  to.within("processes.part", p2.part, 0, profile.parts.length);
  to.within("processes.parent", p2.parent, -1, n);
  to.within("processes.args", p2.args, 0, stringCount(profile.strings));
  to.holds(p2.argStart.length === n + 1 && p2.argStart[n] === p2.args.length, "the processes do not cover their arguments");
  to.holds(p2.envStart.length === n + 1 && p2.envStart[n] === p2.envName.length, "the processes do not cover their variables");
}

// src/model/processes/dump.ts
function* dumpProcesses({ processes: p2 }, name) {
  for (let i = 0; i < p2.id.length; i++) {
    const args = Array.from(p2.args.subarray(p2.argStart[i], p2.argStart[i + 1]), (a2) => name(a2));
    yield `process ${name(p2.id[i])} parent ${p2.parent[i]} line ${p2.line[i]} ${name(p2.executable[i])}: ${args.join(" ")}`;
  }
}

// src/model/stacks/check.ts
function checkStacks(profile, to) {
  const { places, frames, stacks, lines, routines, files, objects, parts, columns } = profile;
  checkLines(profile, to);
  const n = stacks.part.length;
  to.sameLength("frames", frames.routine.length, { file: frames.file, line: frames.line, place: places?.ofFrame });
  to.within("frames.routine", frames.routine, 0, routines.name.length);
  to.within("frames.file", frames.file, -1, files.name.length);
  if (places) {
    to.within("places.ofFrame", places.ofFrame, 0, places.high.length);
    to.within("places.object", places.object, -1, objects.name.length);
  }
  to.within("stacks.frame", stacks.frame, 0, frames.routine.length);
  to.within("stacks.part", stacks.part, 0, parts.length);
  to.costColumns("stacks", stacks.costs, columns, n);
  to.holds(stacks.start.length === n + 1 && stacks.start[n] === stacks.frame.length, "the stacks do not cover their frames");
  to.every(n, (s) => stacks.start[s] < stacks.start[s + 1] ? void 0 : `stack ${s} is empty`);
  stacks.costs.forEach((column, c) => {
    const [all, leaves] = [sum2(column), sum2(lines.costs[c])];
    to.holds(all === leaves, `stacks cost ${all} in column ${c}, their innermost frames ${leaves}`);
  });
}
function sum2(column) {
  let all = 0;
  for (let i = 0; i < column.length; i++) all += column[i];
  return all;
}

// src/model/stacks/dump.ts
init_units();
function* dumpStacks(profile, name) {
  const { places, frames, stacks, files, objects, events } = profile;
  yield* dumpLines(profile, name);
  if (places)
    for (let p2 = 0; p2 < places.high.length; p2++)
      yield `place ${p2} ${formatAddress(places.high[p2], places.low[p2])} object ${name(objects.name[places.object[p2]])}`;
  for (let f = 0; f < frames.routine.length; f++) {
    const place = places ? ` place ${places.ofFrame[f]}` : "";
    yield `frame ${f}${place} routine ${frames.routine[f]} ${name(files.name[frames.file[f]])}:${frames.line[f]}`;
  }
  for (let s = 0; s < stacks.part.length; s++) {
    const list2 = stacks.frame.subarray(stacks.start[s], stacks.start[s + 1]).join(" ");
    yield `stack part ${stacks.part[s]} ${events.map((e) => exactValue(e, stacks.costs, s)).join(" ")}: ${list2}`;
  }
}

// src/model/steps/check.ts
function checkSteps(profile, to) {
  const { steps } = profile;
  const n = steps.name.length;
  const { part, parent, startUs, durationUs, kind, result, track } = steps;
  to.sameLength("steps", n, { part, parent, startUs, durationUs, kind, result, track });
  to.within("steps.name", steps.name, 0, stringCount(profile.strings));
  to.within("steps.part", part, 0, profile.parts.length);
  to.within("steps.parent", parent, -1, n);
  to.every(n, (i) => durationUs[i] >= 0 || Number.isNaN(durationUs[i]) ? void 0 : `step ${i} takes ${durationUs[i]} \xB5s`);
  to.holds(
    steps.outputStart.length === n + 1 && steps.outputStart[n] === steps.outputPath.length,
    "the steps do not cover their outputs"
  );
}

// src/model/steps/dump.ts
function* dumpSteps({ steps: s }, name) {
  for (let i = 0; i < s.name.length; i++) {
    const outputs = s.outputStart[i + 1] - s.outputStart[i];
    yield `step ${name(s.name[i])} part ${s.part[i]} track ${s.track[i]} parent ${s.parent[i]} kind ${s.kind[i]} start ${s.startUs[i]} duration ${s.durationUs[i]} result ${s.result[i]} outputs ${outputs}`;
  }
}

// src/model/kinds.ts
function questionsOf(profile) {
  return new Set(tablesOf(profile).can);
}
function tablesOf(profile) {
  switch (profile.kind) {
    case "callgraph":
      return {
        can: canCallGraph(profile),
        check: (to) => checkCallGraph(profile, to),
        dump: (name) => dumpCallGraph(profile, name)
      };
    case "stacks":
      return { can: canStacks(profile), check: (to) => checkStacks(profile, to), dump: (name) => dumpStacks(profile, name) };
    case "inputs":
      return { can: canInputs(profile), check: (to) => checkInputs(profile, to), dump: () => dumpInputs(profile) };
    case "steps":
      return { can: canSteps(profile), check: (to) => checkSteps(profile, to), dump: (name) => dumpSteps(profile, name) };
    case "processes":
      return {
        can: ["processes", "self"],
        check: (to) => checkProcesses(profile, to),
        dump: (name) => dumpProcesses(profile, name)
      };
  }
}
function canCallGraph({ lines, calls, jumps }) {
  const out = ["routines", "lines", "self"];
  if (calls) out.push("calls", "inclusive", "counts");
  if (lines.address) out.push("instrs");
  if (jumps) out.push("jumps");
  return out;
}
function canStacks({ files, lines }) {
  const out = ["routines", "calls", "inclusive", "self", "stacks"];
  if (files.name.length > 0) out.push("lines");
  if (lines.address) out.push("instrs");
  return out;
}
function canInputs({ inputs, contexts }) {
  const out = ["routines", "inputs", "inclusive", "counts"];
  if (contexts) out.push("contexts", "calls");
  if (inputs.selfSum) out.push("self");
  return out;
}
function canSteps({ routines }) {
  const out = ["steps", "inclusive", "counts", "self"];
  if (routines.name.length > 0) out.push("routines");
  return out;
}

// src/model/sink.ts
var WARNINGS = 200;
var NO_PART = { part: null, thread: null, pid: null, command: null, notes: [], positions: [], summary: null, totals: null };
var Sink = class {
  strings = new Interner();
  parts = [];
  paths = [];
  eventNotes = [];
  warnings = [];
  command = null;
  creator = null;
  cut;
  eventNames = [];
  /** Facts about how the file was read, for Info. */
  notes = [];
  moreWarnings = 0;
  writer;
  files = new Grow(Uint32Array);
  fileOf = /* @__PURE__ */ new Map();
  objects = new Grow(Uint32Array);
  objectOf = /* @__PURE__ */ new Map();
  routineName = new Grow(Uint32Array);
  routineFile = new Grow(Int32Array);
  routineObject = new Grow(Int32Array);
  /** Routines of the same name, as a linked list through `sameName`; these lists are short. */
  firstOfName = new Dense();
  sameName = new Grow(Int32Array);
  file(name) {
    return idOf2(this.files, this.fileOf, name);
  }
  object(name) {
    return idOf2(this.objects, this.objectOf, name);
  }
  fileName(file) {
    return file < 0 ? -1 : this.files.data[file];
  }
  findRoutine(name, file, object) {
    let at = this.firstOfName.get(name);
    while (at >= 0 && !(this.routineFile.data[at] === file && this.routineObject.data[at] === object))
      at = this.sameName.data[at];
    return at;
  }
  /** Finds or makes the routine. */
  routine(name, file, object) {
    const known2 = this.findRoutine(name, file, object);
    if (known2 >= 0) return known2;
    const id = this.routineName.length;
    this.routineName.push(name);
    this.routineFile.push(file);
    this.routineObject.push(object);
    this.sameName.push(this.firstOfName.get(name));
    this.firstOfName.set(name, id);
    return id;
  }
  objectName(object) {
    return this.objects.data[object];
  }
  routineText(routine) {
    return this.strings.text(this.routineName.data[routine]);
  }
  get routineCount() {
    return this.routineName.length;
  }
  /** Adds a part; what is left out is unknown, or none. */
  addPart(part) {
    return this.parts.push({ ...NO_PART, ...part }) - 1;
  }
  /** Reserves room for `times` × the current names. */
  expect(times) {
    expectRows(this, times);
    this.strings.expect(times);
  }
  /** The writer of a kind's tables, shared by all files of the run. */
  tables(make) {
    if (this.writer instanceof make) return this.writer;
    if (this.writer) throw new Error("all files of a run must be of the same kind");
    const made = new make(this);
    this.writer = made;
    return made;
  }
  /** The writer of the tables, once a loader has asked for one. */
  get written() {
    return this.writer;
  }
  /** Rows written so far. */
  get rows() {
    return this.writer?.rows ?? 0;
  }
  /** A preview while a file is still being read; undefined if there is nothing to show yet. */
  preview(most) {
    return this.writer?.preview?.(most);
  }
  warn(problem) {
    if (this.warnings.length < WARNINGS) this.warnings.push(problem);
    else this.moreWarnings++;
  }
  finish(format) {
    if (!this.writer) throw new Error(`the ${format} loader wrote no tables`);
    const last = this.warnings.at(-1);
    if (last && this.moreWarnings > 0)
      this.warnings.push({ path: last.path, expected: `at most ${WARNINGS} warnings`, found: `${this.moreWarnings} more` });
    const tables = this.writer.finish();
    return { ...this.head(format), ...tables };
  }
  head(format) {
    return {
      format,
      paths: this.paths,
      command: this.command,
      creator: this.creator,
      strings: this.strings.finish(),
      parts: this.parts,
      files: { name: this.files.done() },
      objects: { name: this.objects.done() },
      routines: { name: this.routineName.done(), file: this.routineFile.done(), object: this.routineObject.done() },
      ...this.notes.length > 0 ? { notes: this.notes } : {},
      warnings: this.warnings,
      ...this.cut ? { cut: this.cut } : {}
    };
  }
};
function idOf2(names, known2, name) {
  const id = known2.get(name);
  if (id !== void 0) return id;
  const next = names.length;
  names.push(name);
  known2.set(name, next);
  return next;
}

// src/io/folder.ts
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join as join2 } from "node:path";
import { gunzipSync } from "node:zlib";
var LARGEST2 = 1 << 30;
function openFolder(path) {
  return {
    path,
    list(relative) {
      try {
        return readdirSync(join2(path, relative), { withFileTypes: true }).map((e) => ({ name: e.name, folder: e.isDirectory(), bytes: 0 })).sort((a2, b) => a2.name < b.name ? -1 : 1);
      } catch {
        return [];
      }
    },
    read(relative) {
      try {
        const at = join2(path, relative);
        const stat = statSync(at);
        if (!stat.isFile() || stat.size > LARGEST2) return void 0;
        const bytes = readFileSync(at);
        return bytes[0] === 31 && bytes[1] === 139 ? gunzipSync(bytes, { maxOutputLength: LARGEST2 }) : bytes;
      } catch {
        return void 0;
      }
    }
  };
}
function folderLoader(path) {
  try {
    if (!statSync(path).isDirectory()) return void 0;
  } catch {
    return void 0;
  }
  const folder2 = openFolder(path);
  return loaders.find((l2) => l2.ownsFolder?.(folder2));
}

// src/io/source.ts
import { closeSync, constants, createReadStream, fstatSync, openSync, readSync } from "node:fs";
import { Socket } from "node:net";
import { createGunzip } from "node:zlib";
var CHUNK = 4 << 20;
var HEAD = 4096;
async function openSource(path) {
  if (path === "-") return openStream(standardInput(), "-", void 0);
  const fd = openFile(path);
  try {
    const { size } = regular(fd, path);
    const head = readHead(fd, path);
    if (!isGzip(head)) return fileSource(fd, path, size, head);
    const unpacked = unpackedSize(fd, size);
    closeSync(fd);
    return openStream(createReadStream(path, { highWaterMark: CHUNK }), path, size, unpacked);
  } catch (error) {
    if (error instanceof FormatError) closeSync(fd);
    throw error;
  }
}
function openFile(path) {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw unreadable(path, error);
  }
}
function regular(fd, path) {
  const stat = fstatSync(fd);
  if (stat.isFile()) return stat;
  const hint = stat.isFIFO() ? "to read from a pipe: \u2026 | proftui -" : "name a profile file";
  throw new FormatError({ path, expected: "a regular file", found: kindOf(stat), hint });
}
function kindOf(stat) {
  if (stat.isDirectory()) return "a directory";
  if (stat.isFIFO()) return "a FIFO";
  if (stat.isSocket()) return "a socket";
  return stat.isCharacterDevice() || stat.isBlockDevice() ? "a device" : "something else";
}
function readHead(fd, path) {
  const head = Buffer.alloc(HEAD);
  try {
    return head.subarray(0, readSync(fd, head, 0, HEAD, 0));
  } catch (error) {
    throw unreadable(path, error);
  }
}
function unreadable(path, error, offset) {
  const at = offset === void 0 ? {} : { offset };
  return new FormatError({ path, ...at, expected: "a file that can be read", found: reason(error) });
}
function fileSource(fd, path, size, head) {
  let read = 0;
  return {
    path,
    size,
    fileSize: size,
    head,
    bytesRead: () => read,
    async *chunks() {
      const buffer = new Uint8Array(CHUNK);
      try {
        for (; ; ) {
          const n = readSync(fd, buffer, 0, CHUNK, null);
          if (n === 0) break;
          read += n;
          yield buffer.subarray(0, n);
          await new Promise((resolve) => setImmediate(resolve));
        }
      } catch (error) {
        throw error instanceof Error && "syscall" in error ? unreadable(path, error, read) : error;
      } finally {
        closeSync(fd);
      }
    }
  };
}
function standardInput() {
  const stat = fstatSync(0);
  if (stat.isFIFO() || stat.isSocket()) return new Socket({ fd: 0, readable: true, writable: false });
  return createReadStream("", { fd: 0, autoClose: false, highWaterMark: 1 << 20 });
}
function isGzip(head) {
  return head[0] === 31 && head[1] === 139;
}
function reason(error) {
  const { code, message } = error;
  if (code === "ENOENT") return "no such file";
  if (code === "EACCES" || code === "EPERM") return "no permission to read it";
  if (code === "EISDIR") return "a directory";
  return message ?? String(error);
}
function unpackedSize(fd, size) {
  const word = Buffer.alloc(4);
  if (size < 18 || readSync(fd, word, 0, 4, size - 4) < 4) return void 0;
  const said = word.readUInt32LE();
  return said >= size && said <= size * 1032 ? said : void 0;
}
async function openStream(stream, path, fileSize, unpackedSize2) {
  let read = 0;
  let cut;
  const raw = counted(stream, path, (bytes2) => {
    read = bytes2;
  });
  const first = await startOf(raw, 2);
  const packed = isGzip(first.bytes);
  const unpacked = packed ? gunzip(first.all, path, (problem) => {
    cut = problem;
  }) : first.all;
  const { bytes, all } = await startOf(unpacked, HEAD);
  return {
    path,
    size: packed ? unpackedSize2 : fileSize,
    fileSize,
    head: bytes.subarray(0, HEAD),
    bytesRead: () => read,
    get cut() {
      return cut;
    },
    chunks: () => all
  };
}
async function* counted(stream, path, count) {
  let read = 0;
  try {
    for await (const chunk of stream) {
      const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      read += bytes.length;
      count(read);
      yield bytes;
    }
  } catch (error) {
    throw new FormatError({ path, offset: read, expected: "data that can be read", found: reason(error) });
  }
}
async function startOf(chunks, least) {
  const held = [];
  let length = 0;
  while (length < least) {
    const { value, done } = await chunks.next();
    if (done) break;
    held.push(Uint8Array.from(value));
    length += value.length;
  }
  const bytes = Buffer.concat(held);
  async function* all() {
    for (const chunk of held.splice(0)) yield chunk;
    yield* chunks;
  }
  return { bytes, all: all() };
}
function room(stream) {
  return new Promise((resolve) => {
    const go = () => {
      stream.off("drain", go).off("close", go);
      resolve();
    };
    stream.on("drain", go).on("close", go);
  });
}
async function* gunzip(packed, path, onCut) {
  const gz = createGunzip({ chunkSize: 1 << 20 });
  let failed;
  const feed = (async () => {
    try {
      for await (const chunk of packed) {
        if (gz.destroyed) return;
        if (!gz.write(chunk)) await room(gz);
      }
      gz.end();
    } catch (error) {
      failed = error;
      gz.destroy(error);
    }
  })();
  let unpacked = 0;
  try {
    for await (const chunk of gz) {
      unpacked += chunk.length;
      yield chunk;
    }
    await feed;
  } catch (error) {
    if (failed instanceof FormatError) throw failed;
    const problem = {
      path,
      offset: unpacked,
      expected: "complete gzip data",
      found: error.message,
      hint: "the offset is into the uncompressed data; the file may be cut off"
    };
    if (unpacked === 0) throw new FormatError(problem);
    onCut(problem);
  } finally {
    gz.destroy();
  }
}

// src/io/threads.ts
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
var MOST3 = 3;
var CODE = new URL("./task-worker.js", import.meta.url);
function openThreads(loader) {
  const count = Math.min(MOST3, availableParallelism() - 1);
  if (!loader.task || count < 1 || !existsSync(CODE)) return void 0;
  const workers = [];
  let next = 0;
  const start2 = () => {
    const worker = new Worker(CODE, { workerData: loader.name });
    const waiting = /* @__PURE__ */ new Map();
    worker.on("message", (reply) => {
      const { resolve, reject } = waiting.get(reply.id);
      waiting.delete(reply.id);
      if ("error" in reply) reject(reply.error);
      else resolve(reply.result);
    });
    worker.on("error", (error) => {
      for (const { reject } of waiting.values()) reject(error);
    });
    worker.unref();
    return { worker, waiting };
  };
  return {
    count,
    run(input, transfer) {
      while (workers.length < count) workers.push(start2());
      const { worker, waiting } = workers.reduce((a2, b) => b.waiting.size < a2.waiting.size ? b : a2);
      const id = next++;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        worker.ref();
        worker.postMessage({ id, input }, [...transfer]);
      });
    },
    close() {
      for (const { worker } of workers) void worker.terminate();
    }
  };
}

// src/io/load.ts
function detectLoader(head, path) {
  const answers = loaders.map((loader) => [loader, loader.detect(head, path)]);
  return (answers.find(([, a2]) => a2 === "yes") ?? answers.find(([, a2]) => a2 === "maybe"))?.[0];
}
function chooseLoader(head, path) {
  const found = head.length > 0 ? detectLoader(head, path) : void 0;
  if (found) return found;
  const stranger = loaders.map((l2) => l2.knows?.(head)).find((what) => what !== void 0) ?? strangerOf(head);
  const named = stranger === void 0 ? loaders.find((l2) => l2.fileNames.test(path.slice(path.lastIndexOf("/") + 1))) : void 0;
  if (named) return named;
  throw new FormatError({
    path,
    line: head.length === 0 ? 0 : 1,
    offset: 0,
    expected: "a profile",
    found: stranger ?? (head.length === 0 ? "an empty file" : firstLine(head)),
    hint: "proftui --formats lists the supported formats; --format NAME forces one"
  });
}
function firstLine(head) {
  if (head.subarray(0, 512).includes(0)) return "unknown binary data";
  const line = Buffer.from(head.subarray(0, 512)).toString("latin1").split(/\r?\n/).find((l2) => l2.trim() !== "") ?? "";
  return `"${line.trim().slice(0, 50)}"`;
}
function loaderNamed(name) {
  return loaders.find((l2) => l2.name === name);
}
var STEP_MS = 60;
var PREVIEW_MS = 300;
var SHOWN = 100;
async function loadProfile(paths, options = {}) {
  const signal = options.signal ?? new AbortController().signal;
  const sink = new Sink();
  const forced = options.format ? loaderNamed(options.format) : void 0;
  let loader = forced;
  for (const path of paths) {
    const folder2 = folderLoader(path);
    if (folder2?.loadFolder) {
      loader = sameFormat(folder2, loader, path, sink, "folder");
      sink.paths.push(path);
      await folder2.loadFolder(openFolder(path), sink, signal);
      continue;
    }
    const source = await openSource(path);
    if (paths.length > 1 && source.head.length === 0) {
      sink.warn({ path, expected: "a profile", found: "an empty file; left out" });
      await close(source);
      continue;
    }
    loader = sameFormat(forced ?? chooseLoader(source.head, path), loader, path, sink, "profile");
    sink.paths.push(path);
    await loadFile(loader, source, sink, signal, options.onProgress);
  }
  if (!loader || sink.paths.length === 0) {
    throw new FormatError({ path: paths[0] ?? "", line: 0, expected: "a profile", found: "only empty files" });
  }
  const { written } = sink;
  if (written instanceof AddressStackWriter) {
    const { symbolize: symbolize2 } = await Promise.resolve().then(() => (init_symbolize(), symbolize_exports));
    const { binaries = [], dirs = [], maps = [] } = options.symbols ?? {};
    const where = { binaries, dirs, maps, profiles: sink.paths };
    await symbolize2(written.samples, where, sink, signal);
  }
  return withLacks(sink.finish(loader.name), loader);
}
function sameFormat(own, before, path, sink, what) {
  if (!before || own === before) return own;
  const [first = path] = sink.paths;
  throw new FormatError({
    path,
    expected: `a ${before.name} profile like ${first}`,
    found: `a ${own.name} ${what}`,
    hint: "only files of one run can be opened together"
  });
}
async function loadFile(loader, source, sink, signal, onProgress) {
  const { path } = source;
  const before = sink.parts.length;
  const placed = path === "-" ? source : { ...source, folder: openFolder(dirname3(path)) };
  const threads = openThreads(loader);
  try {
    await loader.load({ ...watched(placed, sink, onProgress), ...threads ? { threads } : {} }, sink, signal);
  } finally {
    threads?.close();
  }
  const [first, added] = [sink.parts[0], sink.parts[before]];
  if (first && added && before > 0 && first.command !== added.command) {
    sink.warn({
      path,
      expected: `a profile of ${first.command ?? "???"} like ${sink.paths[0]}`,
      found: `one of ${added.command ?? "???"}; merged anyway`
    });
  }
  if (source.cut) sink.cut ??= source.cut;
}
function withLacks(profile, loader) {
  const answers = questionsOf(profile);
  const { options: records } = loader;
  const lacks = loader.provides.filter((table) => !answers.has(table)).map((table) => ({ table, ...records?.[table] ? { option: records[table] } : {} }));
  return { ...profile, lacks };
}
async function close(source) {
  for await (const _ of source.chunks()) return;
}
function watched(source, sink, onProgress) {
  if (!onProgress) return source;
  return {
    ...source,
    async *chunks() {
      let last = 0;
      let shown = Date.now();
      for await (const chunk of source.chunks()) {
        yield chunk;
        const now = Date.now();
        if (now - last < STEP_MS) continue;
        last = now;
        const preview = now - shown >= PREVIEW_MS ? sink.preview(SHOWN) : void 0;
        if (preview) shown = now;
        onProgress({
          ...preview ? { preview } : {},
          path: source.path,
          bytes: source.bytesRead(),
          size: source.fileSize,
          routines: sink.routineCount,
          rows: sink.rows
        });
      }
    }
  };
}

// test/support/kinds.ts
import assert from "node:assert/strict";

// src/analysis/once.ts
function once(make) {
  let made;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
function activeIn(partsOff) {
  return partsOff.size > 0 ? (part) => !partsOff.has(part) : void 0;
}

// src/analysis/without.ts
function noEdges(columns, routines) {
  return {
    caller: new Uint32Array(0),
    callee: new Uint32Array(0),
    count: new Float64Array(0),
    costs: Array.from({ length: columns }, () => new Float64Array(0)),
    from: new Uint32Array(routines + 1),
    into: { order: new Uint32Array(0), from: new Uint32Array(routines + 1) }
  };
}
function withoutCycles(totals) {
  const none = zeroCosts(totals.total.length, 1);
  return {
    ...totals,
    cycles: { of: new Uint32Array(totals.calls.length), count: 0 },
    cycleSelf: none,
    cycleInclusive: none
  };
}
var noSites = () => void 0;
var noLines = () => ({ file: new Int32Array(0), line: new Uint32Array(0), costs: [] });
var noInstrs = () => ({
  high: new Uint32Array(0),
  low: new Uint32Array(0),
  file: new Int32Array(0),
  line: new Uint32Array(0),
  costs: []
});
var noJumps = () => ({ all: [], byAddress: /* @__PURE__ */ new Map() });
var withoutLines = {
  lines: noLines,
  inclusiveLines: (_, __, self) => self.costs.map((column) => column.slice()),
  instrs: noInstrs,
  jumps: noJumps
};
var withoutCalls = {
  callSites: noSites,
  tree: () => ({
    exact: true,
    roots: () => ({ shown: [], leftOut: 0 }),
    canUnfold: () => false,
    unfold: () => []
  })
};

// src/analysis/lines.ts
function lineCosting(profile, active) {
  const { routine, file, part } = profile.spans;
  const index = (of, groups) => indexBy(active ? Int32Array.from({ length: of.length }, (_, s) => active(part[s]) ? of[s] : -1) : of, groups);
  const byRoutine = once(() => index(routine, profile.routines.name.length));
  const byFile = once(() => index(file, profile.files.name.length));
  return {
    spansByFile: byFile,
    lines: (of) => mergeByLine(profile, "routine" in of ? spansOf2(byRoutine(), of.routine) : spansOf2(byFile(), of.file)),
    instrs: (r) => instrsIn(profile, spansOf2(byRoutine(), r))
  };
}
var HALF3 = 4294967296;
function groupRows(profile, spans, key) {
  const start2 = profile.spans.start;
  let rows = 0;
  for (const s of spans) rows += start2[s + 1] - start2[s];
  const target = new Uint32Array(rows);
  const first = [];
  const firstSpan = [];
  const known2 = /* @__PURE__ */ new Map();
  let n = 0;
  for (const s of spans) {
    for (let i = start2[s]; i < start2[s + 1]; i++) {
      const k = key(i, s);
      let g2 = known2.get(k);
      if (g2 === void 0) {
        g2 = first.length;
        known2.set(k, g2);
        first.push(i);
        firstSpan.push(s);
      }
      target[n++] = g2;
    }
  }
  return { first, firstSpan, target };
}
function sumRows(profile, spans, target, place) {
  const start2 = profile.spans.start;
  const costs = zeroCosts(profile.columns, place.length);
  for (let c = 0; c < profile.columns; c++) {
    const from = profile.lines.costs[c];
    const out = costs[c];
    let n = 0;
    for (const s of spans) for (let i = start2[s]; i < start2[s + 1]; i++) out[place[target[n++]]] += from[i];
  }
  return costs;
}
function placeSorted(groups, compare) {
  const order = Array.from({ length: groups }, (_, g2) => g2).sort(compare);
  const place = new Uint32Array(groups);
  order.forEach((g2, row) => {
    place[g2] = row;
  });
  return { order, place };
}
function mergeByLine(profile, spans) {
  const line = profile.lines.line;
  const file = profile.spans.file;
  const g2 = groupRows(profile, spans, (row, span) => file[span] * HALF3 + line[row]);
  const { order, place } = placeSorted(
    g2.first.length,
    (a2, b) => file[g2.firstSpan[a2]] - file[g2.firstSpan[b]] || line[g2.first[a2]] - line[g2.first[b]]
  );
  return {
    file: Int32Array.from(order, (k) => file[g2.firstSpan[k]]),
    line: Uint32Array.from(order, (k) => line[g2.first[k]]),
    costs: sumRows(profile, spans, g2.target, place)
  };
}
function spansOf2(index, key) {
  return key < 0 ? [] : Array.from(index.order.subarray(index.from[key], index.from[key + 1]));
}
function instrsIn(profile, spans) {
  const { line, address } = profile.lines;
  if (!address) return noInstrs();
  const { high, file } = profile.spans;
  const g2 = groupRows(profile, spans, (row, span) => {
    const h = high[span];
    return h < 2097152 ? h * HALF3 + address[row] : `${h}:${address[row]}`;
  });
  const { order, place } = placeSorted(
    g2.first.length,
    (a2, b) => high[g2.firstSpan[a2]] - high[g2.firstSpan[b]] || address[g2.first[a2]] - address[g2.first[b]]
  );
  return {
    high: Uint32Array.from(order, (k) => high[g2.firstSpan[k]]),
    low: Uint32Array.from(order, (k) => address[g2.first[k]]),
    file: Int32Array.from(order, (k) => file[g2.firstSpan[k]]),
    line: Uint32Array.from(order, (k) => line[g2.first[k]]),
    costs: sumRows(profile, spans, g2.target, place)
  };
}

// src/analysis/callgraph/call-sites.ts
function callSiteFinder(profile, calls, spansByFile, active) {
  const { spans } = profile;
  const index = (of) => {
    const keys = Int32Array.from(calls.span, (span, i) => active && !active(spans.part[span]) ? -1 : of(i, span));
    return indexBy(keys, profile.routines.name.length);
  };
  const byCaller = once(() => index((_, span) => spans.routine[span]));
  const byCallee = once(() => index((i) => calls.callee[i]));
  const rowsOf = ({ order, from }, key) => order.subarray(from[key], from[key + 1]);
  return (of) => {
    if (of === "all") return mergeCalls(profile, calls, byCaller().order);
    if ("from" in of) return of.from < 0 ? void 0 : mergeCalls(profile, calls, rowsOf(byCaller(), of.from));
    if ("around" in of) {
      const out = Array.from(rowsOf(byCaller(), of.around)).filter((i) => calls.callee[i] !== of.around);
      return mergeCalls(profile, calls, [...rowsOf(byCallee(), of.around), ...out]);
    }
    if (of.inFile < 0) return void 0;
    const inFile = new Set(rowsOf(spansByFile(), of.inFile));
    const rows = [];
    for (let i = 0; i < calls.span.length; i++) if (inFile.has(calls.span[i])) rows.push(i);
    return mergeCalls(profile, calls, rows);
  };
}
function mergeCalls({ spans, columns }, calls, rows) {
  const { address } = calls;
  const known2 = /* @__PURE__ */ new Map();
  const first = [];
  const target = new Uint32Array(rows.length);
  for (let k = 0; k < rows.length; k++) {
    const i = rows[k];
    const s = calls.span[i];
    const at = address ? `${spans.high[s]}.${address[i]}` : "";
    const key = `${spans.routine[s]}.${calls.callee[i]}.${spans.file[s]}.${calls.line[i]}.${at}`;
    let g2 = known2.get(key);
    if (g2 === void 0) {
      g2 = first.length;
      known2.set(key, g2);
      first.push(i);
    }
    target[k] = g2;
  }
  const span = (g2) => calls.span[first[g2]];
  const order = first.map((_, g2) => g2).sort(
    (a2, b) => spans.routine[span(a2)] - spans.routine[span(b)] || spans.file[span(a2)] - spans.file[span(b)] || calls.line[first[a2]] - calls.line[first[b]] || (address ? spans.high[span(a2)] - spans.high[span(b)] || address[first[a2]] - address[first[b]] : 0)
  );
  const place = new Uint32Array(order.length);
  order.forEach((g2, row) => {
    place[g2] = row;
  });
  const count = new Float64Array(order.length);
  const costs = zeroCosts(columns, order.length);
  for (let k = 0; k < rows.length; k++) {
    const row = place[target[k]];
    count[row] += calls.count[rows[k]];
    for (let c = 0; c < columns; c++) costs[c][row] += calls.costs[c][rows[k]];
  }
  return {
    caller: Uint32Array.from(order, (g2) => spans.routine[span(g2)]),
    callee: Uint32Array.from(order, (g2) => calls.callee[first[g2]]),
    file: Int32Array.from(order, (g2) => spans.file[span(g2)]),
    line: Uint32Array.from(order, (g2) => calls.line[first[g2]]),
    ...address ? {
      high: Uint32Array.from(order, (g2) => spans.high[span(g2)]),
      low: Uint32Array.from(order, (g2) => address[first[g2]])
    } : {},
    count,
    costs
  };
}

// src/analysis/callgraph/edges.ts
function callGraph(profile, active) {
  const routines = profile.routines.name.length;
  const { calls, spans } = profile;
  if (!calls) return noEdges(profile.columns, routines);
  const rows = calls.span.length;
  const callers = new Int32Array(rows);
  for (let i = 0; i < rows; i++) {
    const span = calls.span[i];
    callers[i] = active && !active(spans.part[span]) ? -1 : spans.routine[span];
  }
  const byCaller = indexBy(callers, routines);
  const edgeOf = new Uint32Array(routines);
  const stamp = new Int32Array(routines).fill(-1);
  const edgeOfRow = new Uint32Array(byCaller.order.length);
  const from = new Uint32Array(routines + 1);
  let edges = 0;
  for (let r = 0; r < routines; r++) {
    from[r] = edges;
    for (let k = byCaller.from[r]; k < byCaller.from[r + 1]; k++) {
      const callee2 = calls.callee[byCaller.order[k]];
      if (stamp[callee2] !== r) {
        stamp[callee2] = r;
        edgeOf[callee2] = edges++;
      }
      edgeOfRow[k] = edgeOf[callee2];
    }
  }
  from[routines] = edges;
  const caller = new Uint32Array(edges);
  const callee = new Uint32Array(edges);
  const count = new Float64Array(edges);
  for (let k = 0; k < edgeOfRow.length; k++) {
    const row = byCaller.order[k];
    const e = edgeOfRow[k];
    caller[e] = callers[row];
    callee[e] = calls.callee[row];
    count[e] += calls.count[row];
  }
  const costs = calls.costs.map((column) => {
    const out = new Float64Array(edges);
    for (let k = 0; k < edgeOfRow.length; k++) out[edgeOfRow[k]] += column[byCaller.order[k]];
    return out;
  });
  return { caller, callee, count, costs, from, into: indexBy(callee, routines) };
}

// src/analysis/tree.ts
function addNode(tree, parent, node) {
  const id = tree.nodes.length;
  const place = { id, parent: parent?.id ?? -1, depth: parent ? parent.depth + 1 : 0 };
  tree.nodes.push({ estimated: false, selfEstimated: false, recursive: false, ...place, ...node });
  return id;
}
function termsValue(event, costs) {
  let value = 0;
  for (const [factor, column] of event.terms) value += factor * costs[column];
  if (!event.per) return value;
  let below = 0;
  for (const [factor, column] of event.per) below += factor * costs[column];
  return below === 0 ? 0 : value / below;
}

// src/analysis/callgraph/graph-tree.ts
function graphTree(columns, edges, totals, inverted) {
  const graph = { columns, edges, totals };
  return {
    exact: false,
    roots: (tree, event, most) => graphRoots(tree, graph, inverted, event, most),
    canUnfold: (_, node) => canUnfold(edges, inverted, node),
    unfold: (tree, node) => unfold(tree, graph, node)
  };
}
function graphRoots(tree, graph, inverted, event, most) {
  const { totals } = graph;
  const routines = totals.calls.length;
  const keys = [];
  if (inverted) {
    for (let r = 0; r < routines; r++) if (totals.self.some((c) => c[r] !== 0)) keys.push(r);
  } else keys.push(...topRoutines(graph, event));
  const costs = inverted ? totals.self : totals.inclusive;
  const value = new Float64Array(routines);
  for (const r of keys) value[r] = eventValue(event, costs, r);
  keys.sort((a2, b) => value[b] - value[a2]);
  const at = (columns, row) => Float64Array.from(columns, (c) => c[row]);
  const shown = keys.slice(0, most).map((routine) => {
    const cycle = totals.cycles.of[routine];
    const calls = totals.calls[routine];
    if (inverted || cycle === 0)
      return addNode(tree, void 0, { routine, calls, inclusive: at(costs, routine), self: at(totals.self, routine) });
    const inclusive = at(totals.cycleInclusive, cycle);
    const { self } = selfShare(graph, routine, inclusive, false);
    return addNode(tree, void 0, { routine, calls, inclusive, self, estimated: true, selfEstimated: true });
  });
  return { shown, leftOut: keys.length - shown.length };
}
function topRoutines({ totals, edges }, event) {
  const { of, count } = totals.cycles;
  const routines = totals.calls.length;
  const called = new Uint8Array(routines);
  const cycleCalled = new Uint8Array(count + 1);
  for (let e = 0; e < edges.caller.length; e++) {
    const caller = edges.caller[e];
    const callee = edges.callee[e];
    if (caller === callee) continue;
    const cycle = of[callee];
    if (cycle === 0) called[callee] = 1;
    else if (of[caller] !== cycle) cycleCalled[cycle] = 1;
  }
  const out = [];
  const best = new Int32Array(count + 1).fill(-1);
  for (let r = 0; r < routines; r++) {
    const cycle = of[r];
    if (cycle === 0) {
      if (!called[r]) out.push(r);
    } else if (!cycleCalled[cycle]) {
      const b = best[cycle];
      if (b < 0 || eventValue(event, totals.inclusive, r) > eventValue(event, totals.inclusive, b)) best[cycle] = r;
    }
  }
  for (let c = 1; c <= count; c++) if (best[c] >= 0) out.push(best[c]);
  return out;
}
function canUnfold(edges, inverted, node) {
  if (node.recursive) return false;
  if (inverted) return edges.into.from[node.routine + 1] > edges.into.from[node.routine];
  return edges.from[node.routine + 1] > edges.from[node.routine];
}
function unfold(tree, graph, node) {
  const { edges, totals, columns } = graph;
  const r = node.routine;
  const rows = [];
  if (tree.inverted) for (let k = edges.into.from[r]; k < edges.into.from[r + 1]; k++) rows.push(edges.into.order[k]);
  else for (let e = edges.from[r]; e < edges.from[r + 1]; e++) rows.push(e);
  const others = rows.filter((e) => edges.caller[e] !== edges.callee[e]);
  const whole = new Float64Array(columns);
  for (let c = 0; c < columns; c++) {
    whole[c] = tree.inverted ? 0 : totals.self[c][r];
    for (const e of others) whole[c] += edges.costs[c][e];
  }
  const share = whole.map((w2, c) => w2 === 0 ? 0 : node.inclusive[c] / w2);
  const exact = !node.estimated && (tree.inverted ? others.length <= 1 : share.every((s, c) => s === 1 || whole[c] === 0));
  return others.map((e) => {
    const routine = tree.inverted ? edges.caller[e] : edges.callee[e];
    const inclusive = Float64Array.from(share, (s, c) => s * edges.costs[c][e]);
    const recursive = isAbove(tree, node, routine);
    const own = tree.inverted ? { self: inclusive, whole: exact } : selfShare(graph, routine, inclusive, recursive);
    const calls = exact && !tree.inverted ? edges.count[e] : -1;
    const estimated = !exact;
    return addNode(tree, node, {
      routine,
      calls,
      inclusive,
      self: own.self,
      estimated,
      selfEstimated: estimated || !own.whole,
      recursive
    });
  });
}
function selfShare({ edges, totals }, routine, inclusive, recursive) {
  if (recursive) return { self: new Float64Array(inclusive.length), whole: true };
  let all = true;
  const self = inclusive.map((cost, c) => {
    let whole = totals.self[c][routine];
    for (let e = edges.from[routine]; e < edges.from[routine + 1]; e++)
      if (edges.callee[e] !== routine) whole += edges.costs[c][e];
    if (whole === cost) return totals.self[c][routine];
    if (totals.self[c][routine] !== whole) all = false;
    return whole === 0 ? 0 : cost * totals.self[c][routine] / whole;
  });
  return { self, whole: all };
}
function isAbove(tree, node, routine) {
  for (let at = node; at; at = tree.nodes[at.parent]) if (at.routine === routine) return true;
  return false;
}

// src/analysis/callgraph/jumps.ts
init_units();
function jumpsOfRoutine(profile, index, routine) {
  const { jumps, spans } = profile;
  const all = [];
  const byAddress = /* @__PURE__ */ new Map();
  if (!jumps || routine < 0) return { all, byAddress };
  const { order, from } = index();
  const known2 = /* @__PURE__ */ new Map();
  for (let k = from[routine]; k < from[routine + 1]; k++) {
    const i = order[k];
    const span = jumps.span[i];
    const low = jumps.address?.[i] ?? 0;
    const high = spans.high[span];
    const targetHigh = jumps.targetHigh?.[i] ?? high;
    const targetLow = jumps.targetAddress?.[i] ?? 0;
    const key = [
      spans.file[span],
      jumps.line[i],
      high,
      low,
      jumps.targetFile[i],
      jumps.targetLine[i],
      targetHigh,
      targetLow,
      jumps.conditional[i]
    ].join();
    const same = known2.get(key);
    if (same) {
      same.taken += jumps.taken[i];
      same.executed += jumps.executed[i];
      continue;
    }
    const jump = {
      file: spans.file[span],
      line: jumps.line[i],
      high,
      low,
      targetFile: jumps.targetFile[i],
      targetRoutine: jumps.targetRoutine?.[i] ?? -1,
      targetLine: jumps.targetLine[i],
      targetHigh,
      targetLow,
      conditional: jumps.conditional[i] === 1,
      taken: jumps.taken[i],
      executed: jumps.executed[i]
    };
    known2.set(key, jump);
    all.push(jump);
    if (jumps.address) {
      const address = formatAddress(jump.high, jump.low);
      const list2 = byAddress.get(address);
      if (list2) list2.push(jump);
      else byAddress.set(address, [jump]);
    }
  }
  return { all, byAddress };
}

// src/analysis/callgraph/cycles.ts
function findCycles(edges, routines) {
  const order = new Int32Array(routines).fill(-1);
  const low = new Int32Array(routines);
  const onStack = new Uint8Array(routines);
  const stack = new Uint32Array(routines);
  const path = new Uint32Array(routines);
  const next = edges.from.slice(0, routines);
  const component = new Int32Array(routines).fill(-1);
  const size = [];
  let depth = 0;
  let held = 0;
  let seen = 0;
  for (let root = 0; root < routines; root++) {
    if (order[root] >= 0) continue;
    path[depth++] = root;
    order[root] = low[root] = seen++;
    stack[held++] = root;
    onStack[root] = 1;
    while (depth > 0) {
      const r = path[depth - 1];
      if (next[r] < edges.from[r + 1]) {
        const callee = edges.callee[next[r]++];
        if (order[callee] < 0) {
          order[callee] = low[callee] = seen++;
          stack[held++] = callee;
          onStack[callee] = 1;
          path[depth++] = callee;
        } else if (onStack[callee] && order[callee] < low[r]) low[r] = order[callee];
        continue;
      }
      depth--;
      if (depth > 0) {
        const parent = path[depth - 1];
        if (low[r] < low[parent]) low[parent] = low[r];
      }
      if (low[r] === order[r]) {
        let members = 0;
        let member;
        do {
          member = stack[--held];
          onStack[member] = 0;
          component[member] = size.length;
          members++;
        } while (member !== r);
        size.push(members);
      }
    }
  }
  const of = new Uint32Array(routines);
  const number2 = new Uint32Array(size.length);
  let count = 0;
  for (let r = 0; r < routines; r++) {
    const c = component[r];
    if (size[c] < 2) continue;
    if (number2[c] === 0) number2[c] = ++count;
    of[r] = number2[c];
  }
  return { of, count };
}

// src/analysis/callgraph/totals.ts
function routineTotals(profile, edges, active) {
  const routines = profile.routines.name.length;
  const columns = profile.columns;
  const self = zeroCosts(columns, routines);
  const byPart = zeroCosts(columns, Math.max(1, profile.parts.length));
  const total = zeroCosts(columns, 1);
  const { spans, lines } = profile;
  for (let c = 0; c < columns; c++) {
    const cost = lines.costs[c];
    const out = self[c];
    const parts = byPart[c];
    let all = 0;
    for (let s = 0; s < spans.routine.length; s++) {
      const part = spans.part[s];
      if (active && !active(part)) continue;
      let sum4 = 0;
      const end = spans.start[s + 1];
      for (let i = spans.start[s]; i < end; i++) sum4 += cost[i];
      out[spans.routine[s]] += sum4;
      parts[part] += sum4;
      all += sum4;
    }
    total[c][0] = all;
  }
  const cycles = findCycles(edges, routines);
  const calls = new Float64Array(routines);
  for (let e = 0; e < edges.callee.length; e++) calls[edges.callee[e]] += edges.count[e];
  const inclusive = self.map((s) => s.slice());
  const cycleSelf = zeroCosts(columns, cycles.count + 1);
  for (let c = 0; c < columns; c++) {
    const out = inclusive[c];
    const cost = edges.costs[c];
    for (let e = 0; e < edges.caller.length; e++) {
      const caller = edges.caller[e];
      const callee = edges.callee[e];
      if (caller === callee || cycles.of[caller] !== 0 && cycles.of[caller] === cycles.of[callee]) continue;
      out[caller] += cost[e];
    }
  }
  const cycleInclusive = zeroCosts(columns, cycles.count + 1);
  if (cycles.count > 0) {
    for (let c = 0; c < columns; c++) {
      for (let r = 0; r < routines; r++) {
        const cycle = cycles.of[r];
        if (cycle === 0) continue;
        cycleSelf[c][cycle] += self[c][r];
        cycleInclusive[c][cycle] += inclusive[c][r];
      }
    }
  }
  return { total, whole: wholes(profile, byPart, total, active), self, inclusive, calls, cycles, cycleSelf, cycleInclusive };
}
function wholes(profile, byPart, total, active) {
  const out = total.map((t2) => t2.slice());
  profile.parts.forEach((part, p2) => {
    if (active && !active(p2)) return;
    part.summary?.forEach((value, k) => {
      const column = profile.events.find((e) => e.name === part.events[k] && !e.formula)?.terms[0]?.[1];
      if (column === void 0) return;
      const more = Number(value) - byPart[column][p2];
      if (more > 0) out[column][0] += more;
    });
  });
  return out;
}

// src/analysis/callgraph/costing.ts
function callGraphCosting(profile, partsOff) {
  const active = activeIn(partsOff);
  const { spans, calls, jumps } = profile;
  const edges = once(() => callGraph(profile, active));
  const totals = once(() => routineTotals(profile, edges(), active));
  const lines = lineCosting(profile, active);
  const jumpIndex = once(() => {
    const routine = (span) => active && !active(spans.part[span]) ? -1 : spans.routine[span];
    return indexBy(Int32Array.from(jumps?.span ?? [], routine), profile.routines.name.length);
  });
  const sites = calls && callSiteFinder(profile, calls, lines.spansByFile, active);
  return {
    can: questionsOf(profile),
    counts: {
      costLines: profile.lines.line.length,
      ...calls ? { callSites: calls.span.length } : {},
      ...jumps ? { jumps: jumps.span.length } : {}
    },
    totals,
    edges,
    callSites: (of) => sites?.(of),
    lines: lines.lines,
    instrs: lines.instrs,
    jumps: (routine) => jumpsOfRoutine(profile, jumpIndex, routine),
    inclusiveLines(_, __, self, found) {
      const out = self.costs.map((column) => column.slice());
      if (!found) return out;
      const { of } = totals().cycles;
      for (let i = 0; i < found.line.length; i++) {
        const row = self.rowOf.get(found.line[i]);
        const caller = found.caller[i];
        const callee = found.callee[i];
        if (row === void 0 || caller === callee || of[caller] !== 0 && of[caller] === of[callee]) continue;
        for (let c = 0; c < out.length; c++) out[c][row] += found.costs[c][i];
      }
      return out;
    },
    tree: (inverted) => graphTree(profile.columns, edges(), totals(), inverted)
  };
}

// src/analysis/inputs/context-tree.ts
function contextTree(contexts, costs, active) {
  const contextOf = [];
  const add = (tree, parent, c) => {
    const of = (columns) => Float64Array.from(columns, (column) => column[c]);
    const [inclusive, self] = [of(costs.inclusive), of(costs.self)];
    const id = addNode(tree, parent, { routine: contexts.routine[c], calls: costs.calls[c], inclusive, self, context: c });
    contextOf[id] = c;
    return id;
  };
  const children = (c) => {
    const out = [];
    for (let k = c + 1; k < contexts.end[c]; k = contexts.end[k]) out.push(k);
    return out;
  };
  return {
    exact: true,
    roots(tree, event, most) {
      const all = [];
      for (let c = 0; c < contexts.id.length; c = contexts.end[c]) if (!active || active(contexts.part[c])) all.push(c);
      all.sort((a2, b) => eventValue(event, costs.inclusive, b) - eventValue(event, costs.inclusive, a2));
      return { shown: all.slice(0, most).map((c) => add(tree, void 0, c)), leftOut: Math.max(0, all.length - most) };
    },
    canUnfold: (_, node) => contexts.end[contextOf[node.id]] > contextOf[node.id] + 1,
    unfold: (tree, node) => children(contextOf[node.id]).map((c) => add(tree, node, c))
  };
}

// src/base/memo.ts
function memo(fn, keep = 2) {
  const held = [];
  return (...args) => {
    const at = held.findIndex((h) => h.args.length === args.length && h.args.every((a2, i) => Object.is(a2, args[i])));
    if (at >= 0) {
      const hit = held[at];
      if (at > 0) {
        held.splice(at, 1);
        held.unshift(hit);
      }
      return hit.result;
    }
    const result = fn(...args);
    held.unshift({ args, result });
    if (held.length > keep) held.pop();
    return result;
  };
}

// src/analysis/inputs/points.ts
var LEAST = /* @__PURE__ */ new Set(["min", "selfMin"]);
var MOST4 = /* @__PURE__ */ new Set(["max", "selfMax"]);
var NOTHING_BEYOND = /* @__PURE__ */ new Map();
function pickPoints(inputs, rows) {
  const n = rows.length;
  const pick2 = (column) => {
    const out = new Float64Array(n);
    for (let i = 0; i < n; i++) out[i] = column[rows[i]];
    return out;
  };
  const columns = {};
  for (const field of INPUT_FIELDS) {
    const column = inputs[field];
    if (column) columns[field] = pick2(column);
  }
  return { size: pick2(inputs.size), beyond: NOTHING_BEYOND, ...columns };
}
function mergePoints(profile, rows) {
  const inputs = profile.inputs;
  const order = Array.from(rows).sort((a2, b) => inputs.size[a2] - inputs.size[b]);
  const from = [];
  order.forEach((row, k) => {
    if (k === 0 || inputs.size[row] !== inputs.size[order[k - 1]]) from.push(k);
  });
  if (from.length === order.length && inputs.beyond.size === 0) return pickPoints(inputs, order);
  const beyond = /* @__PURE__ */ new Map();
  const columns = {};
  for (const field of INPUT_FIELDS) {
    const column = inputs[field];
    if (!column) continue;
    const wide = inputs.beyond.get(field);
    const out = new Float64Array(from.length);
    for (let g2 = 0; g2 < from.length; g2++) {
      const members = order.slice(from[g2], from[g2 + 1] ?? order.length);
      let value = Number.NaN;
      let exact;
      for (const row of members) {
        const v = column[row];
        if (Number.isNaN(v)) continue;
        const first = Number.isNaN(value);
        const w2 = wide?.get(row);
        if (LEAST.has(field) || MOST4.has(field)) {
          const better = first || (LEAST.has(field) ? v < value : v > value);
          if (better) exact = w2;
          if (better) value = v;
          continue;
        }
        const sum4 = first ? v : value + v;
        if (w2 !== void 0 || exact !== void 0 || sum4 > Number.MAX_SAFE_INTEGER) {
          exact = (exact ?? (first ? 0n : BigInt(value))) + (w2 ?? BigInt(v));
          value = Number(exact);
        } else value = sum4;
      }
      out[g2] = value;
      if (exact === void 0) continue;
      const known2 = beyond.get(field);
      if (known2) known2.set(g2, exact);
      else beyond.set(field, /* @__PURE__ */ new Map([[g2, exact]]));
    }
    columns[field] = out;
  }
  return { size: Float64Array.from(from, (k) => inputs.size[order[k]]), beyond, ...columns };
}
var pointsByRoutine = memo(({ profile, partsOff }) => {
  const { routine, counted: counted2, part } = profile.inputs;
  const keys = Int32Array.from(routine, (r, i) => counted2[i] && !partsOff.has(part[i]) ? r : -1);
  return indexBy(keys, profile.routines.name.length);
}, 4);
var pointsByContext = memo(
  ({ profile }) => indexBy(profile.inputs.context, profile.contexts?.id.length ?? 0),
  4
);
function curveOfRoutine(analysis, routine) {
  const { order, from } = pointsByRoutine(analysis);
  return mergePoints(analysis.profile, order.subarray(from[routine], from[routine + 1]));
}
function addCost(columns, row, value, exact) {
  if (Number.isNaN(value)) return;
  columns[0][row] += value;
  if (columns.length === 1) return;
  const high = exact === void 0 ? Math.floor(value / 2 ** 32) : Number(exact >> 32n);
  columns[1][row] += high;
  columns[2][row] += exact === void 0 ? value - high * 2 ** 32 : Number(exact & 0xffffffffn);
}
function inputTotals(profile, active) {
  const inputs = profile.inputs;
  const routines = profile.routines.name.length;
  const self = zeroCosts(profile.columns, routines);
  const inclusive = zeroCosts(profile.columns, routines);
  const total = zeroCosts(profile.columns, 1);
  const calls = new Float64Array(routines);
  for (let i = 0; i < inputs.size.length; i++) {
    if (!inputs.counted[i] || active && !active(inputs.part[i])) continue;
    const r = inputs.routine[i];
    calls[r] += inputs.calls?.[i] || 0;
    const own = inputs.selfSum?.[i] ?? Number.NaN;
    addCost(self, r, own, inputs.beyond.get("selfSum")?.get(i));
    addCost(total, 0, own, inputs.beyond.get("selfSum")?.get(i));
    const field = inputs.real && !Number.isNaN(inputs.real[i]) ? "real" : "sum";
    addCost(inclusive, r, inputs[field]?.[i] ?? Number.NaN, inputs.beyond.get(field)?.get(i));
  }
  const stated = profile.parts.reduce((sum4, p2, i) => sum4 + (active && !active(i) ? 0 : Number(p2.summary?.[0] ?? 0)), 0);
  const whole = total.map((t2) => t2.slice());
  if (stated > whole[0][0]) addCost(whole, 0, stated - whole[0][0], void 0);
  return withoutCycles({ total, whole, self, inclusive, calls });
}
function contextCosts(profile) {
  const inputs = profile.inputs;
  const n = profile.contexts?.id.length ?? 0;
  const out = { calls: new Float64Array(n), inclusive: zeroCosts(profile.columns, n), self: zeroCosts(profile.columns, n) };
  for (let i = 0; i < inputs.size.length; i++) {
    const c = inputs.context[i];
    if (c < 0) continue;
    out.calls[c] += inputs.calls?.[i] || 0;
    addCost(out.inclusive, c, inputs.sum?.[i] ?? Number.NaN, inputs.beyond.get("sum")?.get(i));
    addCost(out.self, c, inputs.selfSum?.[i] ?? Number.NaN, inputs.beyond.get("selfSum")?.get(i));
  }
  return out;
}
function contextEdges(profile, costs, active) {
  const { contexts } = profile;
  const routines = profile.routines.name.length;
  if (!contexts) return noEdges(profile.columns, routines);
  const known2 = /* @__PURE__ */ new Map();
  const callers = [];
  const callees = [];
  const count = [];
  const sums = Array.from({ length: profile.columns }, () => []);
  const open2 = [];
  const above = [];
  for (let c = 0; c < contexts.id.length; c++) {
    for (let top = above.at(-1); top && top.end <= c; top = above.at(-1)) {
      open2[top.edge]--;
      above.pop();
    }
    const parent = contexts.parent[c];
    if (parent < 0 || active && !active(contexts.part[c])) continue;
    const key = contexts.routine[parent] * routines + contexts.routine[c];
    let e = known2.get(key);
    if (e === void 0) {
      e = callers.push(contexts.routine[parent]) - 1;
      callees.push(contexts.routine[c]);
      count.push(0);
      open2.push(0);
      for (const s of sums) s.push(0);
      known2.set(key, e);
    }
    count[e] += costs.calls[c];
    if (open2[e] === 0) for (let k = 0; k < sums.length; k++) sums[k][e] += costs.inclusive[k][c];
    open2[e]++;
    above.push({ end: contexts.end[c], edge: e });
  }
  const { order, from } = indexBy(callers, routines);
  const callee = Uint32Array.from(order, (e) => callees[e]);
  return {
    caller: Uint32Array.from(order, (e) => callers[e]),
    callee,
    count: Float64Array.from(order, (e) => count[e]),
    costs: sums.map((column) => Float64Array.from(order, (e) => column[e])),
    from,
    into: indexBy(callee, routines)
  };
}
var costsOfContexts = memo((analysis) => contextCosts(analysis.profile), 2);

// src/analysis/inputs/costing.ts
function inputCosting(profile, partsOff) {
  const active = activeIn(partsOff);
  const costs = once(() => contextCosts(profile));
  const edges = once(() => contextEdges(profile, costs(), active));
  const totals = once(() => inputTotals(profile, active));
  const { contexts } = profile;
  return {
    ...withoutLines,
    can: questionsOf(profile),
    counts: { points: profile.inputs.size.length, ...contexts ? { contexts: contexts.id.length } : {} },
    totals,
    edges,
    callSites(of) {
      if (!contexts || of !== "all" && "inFile" in of) return void 0;
      return edgeSites(edges(), (caller, callee) => {
        if (of === "all") return true;
        return "from" in of ? caller === of.from : caller === of.around || callee === of.around;
      });
    },
    // The recorded contexts give only the top-down tree; the inverted one is estimated from the edges.
    tree: (inverted) => contexts && !inverted ? contextTree(contexts, costs(), active) : graphTree(profile.columns, edges(), totals(), inverted)
  };
}
function edgeSites(edges, wanted) {
  const list2 = Array.from(edges.caller.keys()).filter((e) => wanted(edges.caller[e], edges.callee[e]));
  return {
    caller: Uint32Array.from(list2, (e) => edges.caller[e]),
    callee: Uint32Array.from(list2, (e) => edges.callee[e]),
    file: new Int32Array(list2.length).fill(-1),
    line: new Uint32Array(list2.length),
    count: Float64Array.from(list2, (e) => edges.count[e]),
    costs: edges.costs.map((column) => Float64Array.from(list2, (e) => column[e]))
  };
}

// src/analysis/processes/costing.ts
function processCosting(profile, partsOff) {
  return {
    ...withoutLines,
    ...withoutCalls,
    can: questionsOf(profile),
    counts: { processes: profile.processes.id.length },
    totals: () => processTotals(profile, partsOff),
    edges: () => noEdges(profile.columns, 0)
  };
}
function processTotals(profile, partsOff) {
  const total = zeroCosts(1, 1);
  for (const p2 of profile.processes.part) if (!partsOff.has(p2)) total[0][0]++;
  const none = zeroCosts(1, 0);
  return withoutCycles({ total, whole: total, self: none, inclusive: none, calls: new Float64Array(0) });
}

// src/analysis/stacks/stack-tree.ts
function stackTree({ stacks, frames }, active, inverted) {
  const { start: start2, frame, part, costs } = stacks;
  const { routine } = frames;
  const held = [];
  const at = (s, depth) => {
    const from = start2[s];
    const to = start2[s + 1];
    if (from + depth >= to) return -1;
    return routine[frame[inverted ? from + depth : to - 1 - depth]];
  };
  const group2 = (tree, parent, below) => {
    const depth = parent ? parent.depth + 1 : 0;
    const members = /* @__PURE__ */ new Map();
    for (const s of below) {
      const r = at(s, depth);
      if (r < 0) continue;
      const list2 = members.get(r);
      if (list2) list2.push(s);
      else members.set(r, [s]);
    }
    return [...members].map(([r, list2]) => {
      const inclusive = new Float64Array(costs.length);
      const self = new Float64Array(costs.length);
      for (const s of list2) {
        const ends = inverted || at(s, depth + 1) < 0;
        for (let c = 0; c < costs.length; c++) {
          inclusive[c] += costs[c][s];
          if (ends) self[c] += costs[c][s];
        }
      }
      const id = addNode(tree, parent, { routine: r, calls: -1, inclusive, self });
      held[id] = list2;
      return id;
    });
  };
  return {
    exact: true,
    roots(tree, event, most) {
      const all = [];
      for (let s = 0; s < part.length; s++) if (!active || active(part[s])) all.push(s);
      const value = (id) => termsValue(event, tree.nodes[id].inclusive);
      const roots = group2(tree, void 0, all).sort((a2, b) => value(b) - value(a2));
      return { shown: roots.slice(0, most), leftOut: Math.max(0, roots.length - most) };
    },
    canUnfold: (_, node) => held[node.id].some((s) => at(s, node.depth + 1) >= 0),
    unfold: (tree, node) => group2(tree, node, held[node.id])
  };
}

// src/analysis/stacks/stacks.ts
function stackTotals(profile, active) {
  const { start: start2, frame, part, costs } = profile.stacks;
  const { routine } = profile.frames;
  const routines = profile.routines.name.length;
  const self = zeroCosts(profile.columns, routines);
  const inclusive = zeroCosts(profile.columns, routines);
  const total = zeroCosts(profile.columns, 1);
  const seen = new Int32Array(routines).fill(-1);
  for (let s = 0; s < part.length; s++) {
    if (active && !active(part[s])) continue;
    const from = start2[s];
    const to = start2[s + 1];
    for (let c = 0; c < costs.length; c++) {
      const cost = costs[c][s];
      total[c][0] += cost;
      if (to > from) self[c][routine[frame[from]]] += cost;
    }
    for (let k = from; k < to; k++) {
      const r = routine[frame[k]];
      if (seen[r] === s) continue;
      seen[r] = s;
      for (let c = 0; c < costs.length; c++) inclusive[c][r] += costs[c][s];
    }
  }
  return withoutCycles({ total, whole: total, self, inclusive, calls: new Float64Array(routines) });
}
var PairNumbers = class {
  first = [];
  second = [];
  known = /* @__PURE__ */ new Map();
  width;
  constructor(width) {
    this.width = width;
  }
  of(a2, b) {
    const key = a2 * this.width + b;
    const known2 = this.known.get(key);
    if (known2 !== void 0) return known2;
    this.known.set(key, this.first.length);
    this.second.push(b);
    return this.first.push(a2) - 1;
  }
};
function stackEdges(profile, active) {
  const { start: start2, frame, part, costs } = profile.stacks;
  const { routine } = profile.frames;
  const routines = profile.routines.name.length;
  const pairs = new PairNumbers(routines);
  const sums = costs.map(() => []);
  const seen = [];
  for (let s = 0; s < part.length; s++) {
    if (active && !active(part[s])) continue;
    for (let k = start2[s] + 1; k < start2[s + 1]; k++) {
      const e = pairs.of(routine[frame[k]], routine[frame[k - 1]]);
      if (seen[e] === s) continue;
      seen[e] = s;
      for (let c = 0; c < costs.length; c++) sums[c][e] = (sums[c][e] ?? 0) + costs[c][s];
    }
  }
  const { order, from } = indexBy(pairs.first, routines);
  const caller = Uint32Array.from(order, (e) => pairs.first[e]);
  const callee = Uint32Array.from(order, (e) => pairs.second[e]);
  return {
    caller,
    callee,
    count: new Float64Array(order.length),
    costs: sums.map((column) => Float64Array.from(order, (e) => column[e])),
    from,
    into: indexBy(callee, routines)
  };
}
function stackCallSites(profile, active, wanted) {
  const { start: start2, frame, part, costs } = profile.stacks;
  const frames = profile.frames;
  const { places } = profile;
  const pairs = new PairNumbers(profile.routines.name.length);
  const sums = costs.map(() => []);
  const seen = [];
  for (let s = 0; s < part.length; s++) {
    if (active && !active(part[s])) continue;
    for (let k = start2[s] + 1; k < start2[s + 1]; k++) {
      const f = frame[k];
      const callee = frames.routine[frame[k - 1]];
      if (!wanted(frames.routine[f], callee, frames.file[f])) continue;
      const site = pairs.of(f, callee);
      if (seen[site] === s) continue;
      seen[site] = s;
      for (let c = 0; c < costs.length; c++) sums[c][site] = (sums[c][site] ?? 0) + costs[c][s];
    }
  }
  const at = (site) => pairs.first[site];
  const high = (site) => places?.ownHigh[places.ofFrame[at(site)]] ?? 0;
  const low = (site) => places?.ownLow[places.ofFrame[at(site)]] ?? 0;
  const order = pairs.first.map((_, i) => i);
  order.sort(
    (a2, b) => frames.routine[at(a2)] - frames.routine[at(b)] || frames.file[at(a2)] - frames.file[at(b)] || frames.line[at(a2)] - frames.line[at(b)] || high(a2) - high(b) || low(a2) - low(b)
  );
  return {
    caller: Uint32Array.from(order, (i) => frames.routine[at(i)]),
    callee: Uint32Array.from(order, (i) => pairs.second[i]),
    file: Int32Array.from(order, (i) => frames.file[at(i)]),
    line: Uint32Array.from(order, (i) => frames.line[at(i)]),
    ...places ? { high: Uint32Array.from(order, high), low: Uint32Array.from(order, low) } : {},
    count: new Float64Array(order.length),
    costs: sums.map((column) => Float64Array.from(order, (i) => column[i]))
  };
}
function stackLines(profile, active, file, routine) {
  const { start: start2, frame, part, costs } = profile.stacks;
  const frames = profile.frames;
  const out = /* @__PURE__ */ new Map();
  const seen = /* @__PURE__ */ new Map();
  for (let s = 0; s < part.length; s++) {
    if (active && !active(part[s])) continue;
    for (let k = start2[s]; k < start2[s + 1]; k++) {
      const f = frame[k];
      if (frames.file[f] !== file || routine >= 0 && frames.routine[f] !== routine) continue;
      const line = frames.line[f];
      if (seen.get(line) === s) continue;
      seen.set(line, s);
      let sum4 = out.get(line);
      if (!sum4) out.set(line, sum4 = new Float64Array(costs.length));
      for (let c = 0; c < costs.length; c++) sum4[c] += costs[c][s];
    }
  }
  return out;
}

// src/analysis/stacks/costing.ts
function stackCosting(profile, partsOff) {
  const active = activeIn(partsOff);
  const { lines, instrs } = lineCosting(profile, active);
  return {
    can: questionsOf(profile),
    counts: {
      stacks: profile.stacks.part.length,
      ...profile.places ? { addresses: profile.places.high.length } : {},
      costLines: profile.lines.line.length
    },
    totals: once(() => stackTotals(profile, active)),
    edges: once(() => stackEdges(profile, active)),
    callSites(of) {
      const wanted = (caller, callee, file) => {
        if (of === "all") return true;
        if ("from" in of) return caller === of.from;
        return "around" in of ? caller === of.around || callee === of.around : file === of.inFile;
      };
      return stackCallSites(profile, active, wanted);
    },
    lines,
    instrs,
    jumps: noJumps,
    inclusiveLines(file, routine, self) {
      const out = self.costs.map((column) => column.slice());
      for (const [line, sums] of stackLines(profile, active, file, routine)) {
        const row = self.rowOf.get(line);
        if (row !== void 0) for (let c = 0; c < out.length; c++) out[c][row] = sums[c];
      }
      return out;
    },
    tree: (inverted) => stackTree(profile, active, inverted)
  };
}

// src/analysis/steps/steps.ts
init_search();
var WHOLE2 = KINDS.indexOf("whole");
var ASYNC = KINDS.indexOf("async");
var SUM = KINDS.indexOf("sum");
function endUs(steps, i) {
  return steps.startUs[i] + steps.durationUs[i];
}
function ran(steps, i) {
  return !Number.isNaN(steps.startUs[i]) && steps.kind[i] !== SUM;
}
function isJob(steps, i) {
  if (!ran(steps, i) || steps.kind[i] === WHOLE2 || steps.kind[i] === ASYNC) return false;
  const p2 = steps.parent[i];
  return p2 < 0 || steps.kind[p2] === WHOLE2;
}
var activeSteps = memo((analysis) => {
  const steps = analysis.profile.steps;
  const rows = Array.from(steps.startUs.keys()).filter((i) => !analysis.partsOff.has(steps.part[i]) && steps.kind[i] !== SUM);
  return Uint32Array.from([...rows.filter((i) => ran(steps, i)), ...rows.filter((i) => !ran(steps, i))]);
}, 4);
var windowOf = memo((analysis) => {
  const steps = analysis.profile.steps;
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const i of activeSteps(analysis)) {
    if (!ran(steps, i)) continue;
    from = Math.min(from, steps.startUs[i]);
    to = Math.max(to, endUs(steps, i));
  }
  return to >= from ? [from, to] : [0, 0];
}, 4);
function concurrencyOf(steps, rows) {
  const change = /* @__PURE__ */ new Map();
  for (const i of rows) {
    if (!(steps.durationUs[i] > 0)) continue;
    const [from, to] = [steps.startUs[i], endUs(steps, i)];
    change.set(from, (change.get(from) ?? 0) + 1);
    change.set(to, (change.get(to) ?? 0) - 1);
  }
  const times = Float64Array.from([...change.keys()]).sort();
  const us = [];
  const running = [];
  const atLevel = [0];
  let now = 0;
  let most = 0;
  times.forEach((t2, k) => {
    if (k > 0) atLevel[now] = (atLevel[now] ?? 0) + t2 - times[k - 1];
    const by = change.get(t2) ?? 0;
    if (by === 0) return;
    now += by;
    most = Math.max(most, now);
    us.push(t2);
    running.push(now);
  });
  return {
    us: Float64Array.from(us),
    running: Uint32Array.from(running),
    most,
    atLevel: Float64Array.from({ length: most + 1 }, (_, n) => atLevel[n] ?? 0)
  };
}
var jobConcurrency = memo((analysis) => {
  const steps = analysis.profile.steps;
  return concurrencyOf(
    steps,
    Array.from(activeSteps(analysis)).filter((i) => isJob(steps, i))
  );
}, 4);
var weightedUs = memo((analysis) => {
  const steps = analysis.profile.steps;
  const { us, running } = jobConcurrency(analysis);
  const share = new Float64Array(us.length);
  for (let k = 1; k < us.length; k++) share[k] = share[k - 1] + (running[k - 1] > 0 ? (us[k] - us[k - 1]) / running[k - 1] : 0);
  const upTo = (t2) => {
    const k = firstWhere(us.length, (i) => us[i] > t2) - 1;
    return k < 0 ? 0 : share[k] + (running[k] > 0 ? (t2 - us[k]) / running[k] : 0);
  };
  return Float64Array.from(
    steps.startUs,
    (start2, i) => isJob(steps, i) && !analysis.partsOff.has(steps.part[i]) ? upTo(endUs(steps, i)) - upTo(start2) : 0
  );
}, 4);

// src/analysis/steps/costing.ts
function stepCosting(profile, partsOff) {
  return {
    ...withoutLines,
    ...withoutCalls,
    can: questionsOf(profile),
    counts: { steps: profile.steps.name.length },
    totals: once(() => stepTotals(profile, activeIn(partsOff))),
    edges: once(() => noEdges(profile.columns, profile.routines.name.length))
  };
}
function stepTotals(profile, active) {
  const steps = profile.steps;
  const routines = profile.routines.name.length;
  const routineOf = new Map(Array.from(profile.routines.name, (name, r) => [name, r]));
  const self = zeroCosts(1, routines);
  const inclusive = zeroCosts(1, routines);
  const total = zeroCosts(1, 1);
  const calls = new Float64Array(routines);
  for (let i = 0; i < steps.name.length; i++) {
    if (!ran(steps, i) || steps.kind[i] === ASYNC || active && !active(steps.part[i])) continue;
    const duration = steps.durationUs[i];
    const p2 = steps.parent[i];
    const r = routineOf.get(steps.name[i]);
    if (isJob(steps, i)) total[0][0] += duration;
    if (r === void 0) continue;
    calls[r]++;
    self[0][r] += duration;
    if (p2 >= 0) {
      const above = routineOf.get(steps.name[p2]);
      if (above !== void 0) self[0][above] -= duration;
    }
    let nested = false;
    for (let k = p2; k >= 0 && !nested; k = steps.parent[k]) nested = steps.name[k] === steps.name[i];
    if (!nested) inclusive[0][r] += duration;
  }
  return withoutCycles({ total, whole: total, self, inclusive, calls });
}

// src/analysis/analyse.ts
function costingOf(profile, partsOff) {
  switch (profile.kind) {
    case "callgraph":
      return callGraphCosting(profile, partsOff);
    case "stacks":
      return stackCosting(profile, partsOff);
    case "inputs":
      return inputCosting(profile, partsOff);
    case "steps":
      return stepCosting(profile, partsOff);
    case "processes":
      return processCosting(profile, partsOff);
  }
}
function analyse(profile, events, partsOff = /* @__PURE__ */ new Set()) {
  const costing = costingOf(profile, partsOff);
  const totals = once(() => costing.totals());
  const edges = once(() => costing.edges());
  return {
    profile,
    events,
    partsOff,
    costing,
    get totals() {
      return totals();
    },
    get edges() {
      return edges();
    }
  };
}

// src/analysis/analysis.ts
function isOfKind(analysis, kind) {
  return analysis.profile.kind === kind;
}

// test/support/kinds.ts
function analysisOf(profile, kind, partsOff = /* @__PURE__ */ new Set(), events = profile.events) {
  const analysis = analyse(profile, events, partsOff);
  assert.ok(isOfKind(analysis, kind), `a profile of ${kind}, not of ${profile.kind}`);
  return analysis;
}

// src/analysis/inputs/laws.ts
init_units();

// src/analysis/names.ts
var UNKNOWN = "???";
function routineName(profile, routine) {
  return stringAt(profile.strings, profile.routines.name[routine]) || UNKNOWN;
}
function objectName(profile, object) {
  return object < 0 ? null : stringAt(profile.strings, profile.objects.name[object]);
}
function routineObject(profile, routine) {
  return objectName(profile, profile.routines.object[routine]);
}
function baseName(path) {
  return path.slice(path.lastIndexOf("/") + 1);
}

// src/analysis/order.ts
function orderByNumber(key, descending, among) {
  const n = among ? among.length : key.length;
  const rows = new Uint32Array(n);
  const low = new Uint32Array(n);
  let whole = true;
  for (let i = 0; i < n; i++) {
    const row = among ? among[i] : i;
    const value = key[row];
    rows[i] = row;
    low[i] = value;
    if (low[i] !== value) {
      whole = false;
      break;
    }
  }
  if (whole) return radix(rows, flipped(low, descending));
  const values = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    rows[i] = among ? among[i] : i;
    values[i] = key[rows[i]] + 0;
  }
  const halves = new Uint32Array(values.buffer);
  const high = new Uint32Array(n);
  for (let i = 0; i < n; i++) {
    const h = halves[2 * i + 1];
    low[i] = h & 2147483648 ? ~halves[2 * i] : halves[2 * i];
    high[i] = h & 2147483648 ? ~h : h | 2147483648;
  }
  const places = Uint32Array.from(rows.keys());
  const byLow = radix(places, flipped(low, descending));
  const order = radix(
    byLow,
    flipped(
      byLow.map((i) => high[i]),
      descending
    )
  );
  return order.map((i) => rows[i]);
}
function flipped(keys, descending) {
  if (descending) for (let i = 0; i < keys.length; i++) keys[i] = ~keys[i];
  return keys;
}
function radix(rows, keys) {
  const n = rows.length;
  let spareRows = new Uint32Array(n);
  let spareKeys = new Uint32Array(n);
  const count = new Uint32Array(65537);
  for (const shift of [0, 16]) {
    count.fill(0);
    for (let i = 0; i < n; i++) count[(keys[i] >>> shift & 65535) + 1]++;
    if (n > 0 && count[(keys[0] >>> shift & 65535) + 1] === n) continue;
    for (let d = 0; d < 65536; d++) count[d + 1] += count[d];
    for (let i = 0; i < n; i++) {
      const key = keys[i];
      const to = count[key >>> shift & 65535]++;
      spareRows[to] = rows[i];
      spareKeys[to] = key;
    }
    [rows, spareRows] = [spareRows, rows];
    [keys, spareKeys] = [spareKeys, keys];
  }
  return rows;
}
var INDEX2 = 2 ** 26;

// src/analysis/inputs/classes.ts
var log2 = (n) => n > 1 ? Math.log2(n) : 0;
var CLASSES = [
  { name: "logN", label: "log n", of: log2 },
  { name: "n", label: "n", of: (n) => n },
  { name: "nLogN", label: "n log n", of: (n) => n * log2(n) },
  { name: "n2", label: "n\xB2", of: (n) => n * n },
  { name: "n3", label: "n\xB3", of: (n) => n * n * n }
];
var CLASS_NAMES = ["constant", ...CLASSES.map((c) => c.name)];
var SLOPES = {
  constant: [-0.15, 0.15],
  logN: [0, 0.5],
  n: [0.75, 1.25],
  nLogN: [0.9, 1.5],
  n2: [1.75, 2.25],
  n3: [2.75, 3.25]
};
function classOf(name) {
  return CLASSES.find((c) => c.name === name) ?? { label: "1", of: () => 0 };
}
function shapeOf(law) {
  const { name, exponent = 1 } = law;
  return name === "power" ? (n) => n ** exponent : classOf(name).of;
}
function lawAt(law, n) {
  return law.a + law.b * shapeOf(law)(n);
}
function tenfoldOf(law, size) {
  const now = lawAt(law, size);
  const then = lawAt(law, 10 * size);
  return now > 0 && Number.isFinite(then) ? then / now : void 0;
}

// src/analysis/inputs/fit.ts
var import_ml_regression_theil_sen = __toESM(require_lib4(), 1);

// node_modules/simple-statistics/dist/simple-statistics.mjs
var BayesianClassifier = function BayesianClassifier2() {
  this.totalCount = 0;
  this.data = {};
};
BayesianClassifier.prototype.train = function train(item, category) {
  if (!this.data[category]) {
    this.data[category] = {};
  }
  for (var k in item) {
    var v = item[k];
    if (this.data[category][k] === void 0) {
      this.data[category][k] = {};
    }
    if (this.data[category][k][v] === void 0) {
      this.data[category][k][v] = 0;
    }
    this.data[category][k][v]++;
  }
  this.totalCount++;
};
BayesianClassifier.prototype.score = function score(item) {
  var odds = {};
  var category;
  for (var k in item) {
    var v = item[k];
    for (category in this.data) {
      if (odds[category] === void 0) {
        odds[category] = {};
      }
      if (this.data[category][k]) {
        odds[category][k + "_" + v] = (this.data[category][k][v] || 0) / this.totalCount;
      } else {
        odds[category][k + "_" + v] = 0;
      }
    }
  }
  var oddsSums = {};
  for (category in odds) {
    oddsSums[category] = 0;
    for (var combination in odds[category]) {
      oddsSums[category] += odds[category][combination];
    }
  }
  return oddsSums;
};
var g = 607 / 128;
var LOGSQRT2PI = Math.log(Math.sqrt(2 * Math.PI));
var SQRT_2PI$1 = Math.sqrt(2 * Math.PI);
function cumulativeDistribution(z2) {
  var sum4 = z2;
  var tmp = z2;
  for (var i = 1; i < 30; i++) {
    tmp *= z2 * z2 / (2 * i + 1);
    sum4 += tmp;
  }
  return Math.round((0.5 + sum4 / SQRT_2PI$1 * Math.exp(-z2 * z2 / 2)) * 1e4) / 1e4;
}
var standardNormalTable = [];
for (z = 0; z <= 3.09; z += 0.01) {
  standardNormalTable.push(cumulativeDistribution(z));
}
var z;
var SQRT_2PI = Math.sqrt(2 * Math.PI);
var PerceptronModel = function PerceptronModel2() {
  this.weights = [];
  this.bias = 0;
};
PerceptronModel.prototype.predict = function predict(features) {
  if (features.length !== this.weights.length) {
    return null;
  }
  var score2 = 0;
  for (var i = 0; i < this.weights.length; i++) {
    score2 += this.weights[i] * features[i];
  }
  score2 += this.bias;
  if (score2 > 0) {
    return 1;
  } else {
    return 0;
  }
};
PerceptronModel.prototype.train = function train2(features, label) {
  if (label !== 0 && label !== 1) {
    return null;
  }
  if (features.length !== this.weights.length) {
    this.weights = features.slice();
    this.bias = 1;
  }
  var prediction = this.predict(features);
  if (typeof prediction === "number" && prediction !== label) {
    var gradient = label - prediction;
    for (var i = 0; i < this.weights.length; i++) {
      this.weights[i] += gradient * features[i];
    }
    this.bias += gradient;
  }
  return this;
};

// src/analysis/inputs/robust.ts
var FREEDOM = 3;
var LEAST_SCALE = 5e-3;
var FIRST_STEPS = 4;
var NEAR_STEPS = 12;
var ENOUGH = 5e-3;
var LOGARITHMS = -1;
var ALL_PAIRS = 8;
function sortFirst(values, n) {
  if (n > 40) {
    values.subarray(0, n).sort();
    return;
  }
  for (let i = 1; i < n; i++) {
    const v = values[i];
    let k = i - 1;
    for (; k >= 0 && values[k] > v; k--) values[k + 1] = values[k];
    values[k + 1] = v;
  }
}
function middleOf(values, n) {
  sortFirst(values, n);
  const half = n >> 1;
  return n % 2 === 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}
function medianOf(values) {
  return middleOf(values.slice(), values.length);
}
var room2 = { e: new Float64Array(64), s: new Float64Array(64), w: new Float64Array(64), x: new Float64Array(64) };
function roomFor2(n) {
  if (room2.e.length >= n) return room2;
  const next = () => new Float64Array(2 * n);
  room2 = { e: next(), s: next(), w: next(), x: next() };
  return room2;
}
function startOf2(x, y, n) {
  const every = n <= ALL_PAIRS;
  const { w: w2 } = roomFor2(Math.max(n, ALL_PAIRS * (ALL_PAIRS - 1) / 2));
  let slopes = 0;
  for (let i = 0; i < n; i++)
    for (let j = every ? i + 1 : i + (n >> 1); j < n; j++) {
      if (x[j] > x[i]) w2[slopes++] = (y[j] - y[i]) / (x[j] - x[i]);
      if (!every) break;
    }
  const b = slopes > 0 ? middleOf(w2, slopes) : 0;
  for (let i = 0; i < n; i++) w2[i] = y[i] - b * x[i];
  return { a: middleOf(w2, n), b };
}
function measure(x, y, n, a2, b, floor, scale) {
  const { e, s } = room2;
  const per = 1 / scale;
  let sum4 = 0;
  for (let i = 0; i < n; i++) {
    const expected = a2 + b * x[i];
    const inverse = floor === LOGARITHMS ? 1 : 1 / ((expected > 0 ? expected : 0) + floor);
    const error = (y[i] - expected) * inverse;
    const u = error * per;
    s[i] = inverse;
    e[i] = error;
    sum4 += error * error * (FREEDOM + 1) / (FREEDOM + u * u);
  }
  const next = Math.sqrt(sum4 / n);
  return next > LEAST_SCALE ? next : LEAST_SCALE;
}
function lossOf(n, scale) {
  const { e, s } = room2;
  let loss = 0;
  for (let i = 0; i < n; i++) {
    const u = e[i] / scale;
    const far = 1 + u * u / FREEDOM;
    loss += 2 * Math.log(scale / s[i] * far * far);
  }
  return loss;
}
function fitted(x, y, n, from, how) {
  const { floor, flat = false, steps } = how;
  const { e, s, w: w2 } = roomFor2(n);
  let { a: a2, b } = from;
  measure(x, y, n, a2, b, floor, 1);
  for (let i = 0; i < n; i++) w2[i] = Math.abs(e[i]);
  let scale = Math.max(LEAST_SCALE, 1.5 * middleOf(w2, n));
  const midX = x[n >> 1];
  const midY = y[n >> 1];
  for (let step = 0; step < steps; step++) {
    let [sum4, sumX, sumY, xx, xy] = [0, 0, 0, 0, 0];
    const per = 1 / scale;
    for (let i = 0; i < n; i++) {
      const u = e[i] * per;
      const weight = s[i] * s[i] / (FREEDOM + u * u);
      const dx = x[i] - midX;
      const dy = y[i] - midY;
      sum4 += weight;
      sumX += weight * dx;
      sumY += weight * dy;
      xx += weight * dx * dx;
      xy += weight * dx * dy;
    }
    const spread = xx - sumX * sumX / sum4;
    b = flat || !(spread > 0) ? 0 : (xy - sumX * sumY / sum4) / spread;
    a2 = midY + sumY / sum4 - b * (midX + sumX / sum4);
    const last = scale;
    scale = measure(x, y, n, a2, b, floor, scale);
    if (Math.abs(scale - last) <= ENOUGH * scale) break;
  }
  return { a: a2, b, scale, loss: lossOf(n, scale) };
}
var finite = (line) => Number.isFinite(line.loss) && Number.isFinite(line.b) ? line : void 0;
function robustLine(x, { cost, floor }, near) {
  const n = cost.length;
  return finite(fitted(x, cost, n, near ?? startOf2(x, cost, n), { floor, steps: near ? NEAR_STEPS : FIRST_STEPS }));
}
function robustLevel({ cost, floor }) {
  return finite(fitted(cost, cost, cost.length, { a: medianOf(cost), b: 0 }, { floor, flat: true, steps: NEAR_STEPS }));
}
function robustPower({ size, cost, floor }, near) {
  const x = new Float64Array(size.length);
  const y = new Float64Array(size.length);
  let n = 0;
  for (let i = 0; i < size.length; i++) {
    if (!(size[i] > 0 && cost[i] > 0)) continue;
    x[n] = Math.log(size[i]);
    y[n++] = Math.log(cost[i]);
  }
  if (n < 4) return void 0;
  const from = near ? { a: Math.log(near.b), b: near.exponent } : startOf2(x, y, n);
  const { a: a2, b: exponent, scale: first } = fitted(x, y, n, from, { floor: LOGARITHMS, steps: near ? NEAR_STEPS : FIRST_STEPS });
  const b = Math.exp(a2);
  for (let i = 0; i < size.length; i++) x[i] = size[i] ** exponent;
  let scale = first;
  for (let step = 0; step < FIRST_STEPS; step++) scale = measure(x, cost, size.length, 0, b, floor, scale);
  const loss = lossOf(size.length, scale);
  return Number.isFinite(loss) ? { a: 0, b, scale, loss, exponent } : void 0;
}

// src/analysis/inputs/choice.ts
var NO_CHOICE = { best: void 0, next: void 0, undecided: true, fitting: [], all: [] };
var CLOSE = 4;
var EQUAL = 2;
var POWER_LEAD = 6;
var POWER_CLEAR = 10;
var SAME_EXPONENT = 0.25;
var MOST_CONSTANT = 0.3;
var MOST_CERTAIN = 0.15;
var MOST5 = 0.5;
var HOPELESS = 40;
var WITHIN_REACH = 25;
var RIVALS = 2;
var MOST_POINTS = 64;
var FLOOR = 0.02;
var SAME_SIZE = 1.1;
var OUTLIER = 4;
function pointsFrom(size, cost) {
  return { size, cost, floor: FLOOR * medianOf(cost.map(Math.abs)) || 1 };
}
function judged(name, line, exponent, n) {
  const { a: a2, b, scale, loss } = line;
  const k = name === "constant" ? 2 : 3;
  const aic = loss + 2 * k;
  const aicc = aic + 2 * k * (k + 1) / Math.max(0.5, n - k - 1);
  return exponent === void 0 ? { name, a: a2, b, scale, aic, aicc } : { name, a: a2, b, exponent, scale, aic, aicc };
}
function valuesOf(of, sizes) {
  const out = new Float64Array(sizes.length);
  for (let i = 0; i < out.length; i++) out[i] = of(sizes[i]);
  return out;
}
function candidate(name, points, near) {
  const n = points.size.length;
  if (name === "power") {
    const power = robustPower(points, near && { b: near.b, exponent: near.exponent ?? 1 });
    return power && power.exponent > 0 ? judged(name, power, power.exponent, n) : void 0;
  }
  if (name === "constant") {
    const level = robustLevel(points);
    return level && level.scale <= MOST_CONSTANT ? judged(name, level, void 0, n) : void 0;
  }
  const line = robustLine(valuesOf(classOf(name).of, points.size), points, near);
  return line && line.b > 0 ? judged(name, line, void 0, n) : void 0;
}
function candidates2(points, names, near) {
  const all = [];
  for (const name of names) {
    const fit = candidate(name, points, near?.get(name));
    if (fit) all.push(fit);
  }
  return all.sort((p2, q) => p2.aicc - q.aicc);
}
var isClass = (c) => c.name !== "power";
function pick(all) {
  const best = all.find(isClass);
  const power = all.find((c) => !isClass(c));
  if (!power) return best;
  if (!best) return power;
  const whole = { n: 1, n2: 2, n3: 3, constant: void 0, logN: void 0, nLogN: void 0 }[best.name];
  const same = whole !== void 0 && Math.abs((power.exponent ?? 0) - whole) <= SAME_EXPONENT;
  return power.aicc < best.aicc - POWER_LEAD && !same ? power : best;
}
function isClose(other, best) {
  if (other === best) return false;
  const room3 = isClass(best) ? CLOSE : POWER_CLEAR;
  if (isClass(other)) return other.aic - best.aic < room3 || other.aicc - best.aicc < room3;
  const [from, to] = isClass(best) ? SLOPES[best.name] : [0, 0];
  const { exponent = 1 } = other;
  return (exponent < from || exponent > to) && other.aicc - best.aicc < CLOSE;
}
function mayRise(all, level, { size }) {
  const { of } = classOf("logN");
  const [from, to] = [of(size[0]), of(size[size.length - 1])];
  const rising = all.find((c) => c.name === "logN");
  const rise = rising ? rising.b * (to - from) / Math.max(level.a / 10, rising.a + rising.b * from) : 0;
  const error = level.scale * Math.sqrt(12 / size.length);
  return rise + 2 * error > 0.5 * (to - from) / Math.max(1, from) || all.some((c) => isClass(c) && c.aic < level.aic - 2);
}
function losses(law, { size, cost, floor }) {
  const expected = valuesOf(shapeOf(law), size);
  for (let i = 0; i < size.length; i++) {
    const at = law.a + law.b * expected[i];
    const s = Math.max(0, at) + floor;
    const u = (cost[i] - at) / s / law.scale;
    expected[i] = 2 * Math.log(law.scale * s) + 4 * Math.log(1 + u * u / 3);
  }
  return expected;
}
function without({ size, cost, floor }, row) {
  let from = row;
  let to = row + 1;
  while (from > 0 && size[from - 1] * SAME_SIZE >= size[row]) from--;
  while (to < size.length && size[to] <= size[row] * SAME_SIZE) to++;
  const rest = (all) => {
    const out = new Float64Array(all.length - (to - from));
    out.set(all.subarray(0, from));
    out.set(all.subarray(to), from);
    return out;
  };
  return { size: rest(size), cost: rest(cost), floor };
}
function differences(values, from) {
  for (let i = 0; i < values.length; i++) values[i] -= from[i];
  return values;
}
function withoutOne(best, all, points) {
  const n = points.size.length;
  const mine = losses(best, points);
  const rivals = all.filter((c) => c !== best && c.aic < best.aic + WITHIN_REACH).slice(0, RIVALS).map((law) => ({ law, lead: law.aic - best.aic, adds: differences(losses(law, points), mine) }));
  const near = new Map([best, ...rivals.map((r) => r.law)].map((c) => [c.name, c]));
  const out = /* @__PURE__ */ new Set();
  for (let row = 0; row < n; row++) {
    const end = row < 2 || row >= n - 2;
    const names = rivals.filter((r) => r.lead - r.adds[row] < (end ? 3 : 1) * CLOSE).map((r) => r.law.name);
    if (end && !names.includes("constant")) names.push("constant");
    if (names.length === 0) continue;
    const rest = without(points, row);
    const other = rest.size.length < 4 ? best : pick(candidates2(rest, [best.name, ...names], near));
    if (other && other.name !== best.name) out.add(other.name);
  }
  return out;
}
function thinned(points) {
  const n = points.size.length;
  if (n <= MOST_POINTS) return points;
  const take = (all) => Float64Array.from({ length: MOST_POINTS }, (_, i) => all[Math.round(i * (n - 1) / (MOST_POINTS - 1))]);
  return { size: take(points.size), cost: take(points.cost), floor: points.floor };
}
function lowest(best, all) {
  if (!isClass(best)) return best;
  const equal = all.filter(isClass).filter((c) => c.aicc - best.aicc < EQUAL && c.aic - best.aic < EQUAL);
  return CLASS_NAMES.map((name) => equal.find((c) => c.name === name)).find((c) => c !== void 0) ?? best;
}
function chooseLaw(every) {
  const points = thinned(every);
  const rough = candidates2(points, [...CLASS_NAMES, "power"]);
  if (rough.length === 0) return NO_CHOICE;
  const hopeful = new Map(rough.filter((c) => c.aic < rough[0].aic + HOPELESS).map((c) => [c.name, c]));
  const all = [...candidates2(points, Array.from(hopeful.keys()), hopeful), ...rough.filter((c) => !hopeful.has(c.name))];
  const best = pick(all);
  if (!best || best.scale > MOST5) return { ...NO_CHOICE, all };
  const close2 = all.filter((c) => isClose(c, best));
  const uncertain = best.name === "constant" ? mayRise(all, best, points) || close2.some((c) => !isClass(c)) : close2.length > 0;
  const others = uncertain ? /* @__PURE__ */ new Set() : withoutOne(best, all, points);
  const fitting = [best, ...all.filter((c) => c !== best && (others.has(c.name) || uncertain && close2.includes(c)))];
  if (others.has("constant") && !fitting.some((c) => c.name === "constant")) {
    fitting.push({ ...best, name: "constant", a: medianOf(points.cost), b: 0 });
  }
  const named = uncertain ? lowest(best, all) : best;
  const undecided = uncertain || others.size > 0 || best.scale > MOST_CERTAIN;
  return { best: named, next: all.find((c) => c !== named), undecided, fitting, all };
}
function explained(law, { size, cost, floor }) {
  const left = valuesOf(shapeOf(law), size);
  let n = 0;
  let sum4 = 0;
  for (let i = 0; i < size.length; i++) {
    const expected = law.a + law.b * left[i];
    const error = cost[i] - expected;
    const outlier = Math.abs(error) > OUTLIER * law.scale * (Math.max(0, expected) + floor);
    left[i] = outlier ? Number.NaN : error;
    if (outlier) continue;
    n++;
    sum4 += cost[i];
  }
  let errors = 0;
  let whole = 0;
  for (let i = 0; i < size.length; i++) {
    if (Number.isNaN(left[i])) continue;
    errors += left[i] ** 2;
    whole += (cost[i] - sum4 / n) ** 2;
  }
  const r2 = law.name === "constant" || !(whole > 0) ? Number.NaN : Math.max(0, 1 - errors / whole);
  return { r2, outliers: size.length - n };
}

// src/analysis/inputs/fit.ts
var LEAST_POINTS = 5;
function knownPoints(sizes, costs) {
  const size = new Float64Array(sizes.length);
  const cost = new Float64Array(sizes.length);
  let n = 0;
  for (let i = 0; i < sizes.length; i++) {
    if (!Number.isFinite(costs[i])) continue;
    size[n] = sizes[i];
    cost[n++] = costs[i];
  }
  return n < LEAST_POINTS ? void 0 : pointsFrom(size.subarray(0, n), cost.subarray(0, n));
}
function fitLaw(sizes, costs) {
  const points = knownPoints(sizes, costs);
  if (!points) return void 0;
  const n = points.size.length;
  if (points.cost.every((y) => y === points.cost[0])) {
    const law2 = { name: "constant", a: points.cost[0], b: 0 };
    return { points: n, best: "constant", undecided: false, law: law2, r2: 1, outliers: 0, slope: 0, fitting: [law2], next: void 0 };
  }
  const { best, next, undecided, fitting } = chooseLaw(points);
  const { r2, outliers } = best ? explained(best, points) : { r2: Number.NaN, outliers: 0 };
  const { exponent } = best ?? {};
  const law = {
    points: n,
    best: best?.name ?? "none",
    undecided,
    law: best,
    r2,
    outliers,
    slope: slopeOf(points),
    fitting,
    next
  };
  return exponent === void 0 ? law : { ...law, exponent };
}
function slopeOf({ size, cost }) {
  let [n, sumX, sumY, xx, xy] = [0, 0, 0, 0, 0];
  for (let i = 0; i < size.length; i++) {
    if (!(size[i] > 0 && cost[i] > 0)) continue;
    const x = Math.log(size[i]);
    const y = Math.log(cost[i]);
    n++;
    sumX += x;
    sumY += y;
    xx += x * x;
    xy += x * y;
  }
  const spread = xx - sumX * sumX / n;
  return spread > 1e-12 * xx ? (xy - sumX * sumY / n) / spread : Number.NaN;
}
function tenfold(fit, largest) {
  const factors = (fit?.fitting ?? []).map((law) => tenfoldOf(law, largest)).filter((f) => f !== void 0);
  return factors.length > 0 ? Math.min(...factors) : void 0;
}

// src/analysis/inputs/laws.ts
function costsOf2(curve, measure2) {
  const none = () => new Float64Array(curve.size.length).fill(Number.NaN);
  switch (measure2) {
    case "worst":
      return curve.max ?? averages(curve) ?? none();
    case "best":
      return curve.min ?? none();
    case "self":
      return curve.selfMax ?? none();
    default:
      return averages(curve) ?? none();
  }
}
function averages(curve) {
  const { sum: sum4, calls } = curve;
  return sum4 && calls && sum4.map((s, i) => calls[i] > 0 ? s / calls[i] : Number.NaN);
}
var SPARK = 8;
var RANKED = 5e3;
var routineLaws = memo((analysis) => {
  const { from } = pointsByRoutine(analysis);
  const { inclusive } = analysis.totals;
  const points = (r) => from[r + 1] - from[r];
  const routines = Array.from({ length: from.length - 1 }, (_, r) => r).filter((r) => points(r) > 0);
  const fitted2 = Uint32Array.from(routines.filter((r) => points(r) >= LEAST_POINTS));
  const ranked = new Set(fitted2.length > RANKED ? orderByNumber(inclusive[0], true, fitted2).subarray(0, RANKED) : fitted2);
  return routines.map((r) => lawOf(curveOfRoutine(analysis, r), r, inclusive[0][r], analysis, ranked.has(r)));
}, 4);
function lawKey(analysis, routine) {
  return `${routineName(analysis.profile, routine)}
${baseName(routineObject(analysis.profile, routine) ?? "")}`;
}
var routinesByKey = memo((analysis) => {
  const { from } = pointsByRoutine(analysis);
  const out = /* @__PURE__ */ new Map();
  for (let r = 0; r + 1 < from.length; r++) if (from[r + 1] > from[r]) out.set(lawKey(analysis, r), r);
  return out;
});
var lawsByName = memo(
  (analysis) => new Map(routineLaws(analysis).map((l2) => [lawKey(analysis, l2.routine), l2]))
);
function lawOf(curve, routine, inclusive, analysis, ranked) {
  const n = curve.size.length;
  const worstCosts = costsOf2(curve, "worst");
  const total = (column) => column ? column.reduce((a2, b) => a2 + (b || 0), 0) : Number.NaN;
  const calls = total(curve.calls);
  const average = calls > 0 ? total(curve.sum) / calls : Number.NaN;
  const spread = total(curve.sumSquares) / calls - average * average;
  const most = (column) => column.reduce((a2, b) => b > a2 || Number.isNaN(a2) ? b : a2, Number.NaN);
  const least = (column) => column.reduce((a2, b) => b < a2 || Number.isNaN(a2) ? b : a2, Number.NaN);
  const worst = most(worstCosts);
  const best = least(costsOf2(curve, "best"));
  const largest = curve.size[n - 1];
  const fits = n >= LEAST_POINTS && worstCosts.reduce((known2, y) => known2 + (Number.isFinite(y) ? 1 : 0), 0) >= LEAST_POINTS;
  const now = fits && ranked ? fitLaw(curve.size, worstCosts) : void 0;
  const factor = tenfold(now, largest);
  const law = {
    routine,
    sizes: n,
    calls,
    largest,
    worst,
    average,
    best,
    deviation: spread < -1e-9 * average * average ? Number.NaN : Math.sqrt(Math.max(0, spread)),
    fit: now,
    tenfold: factor,
    score: fits ? inclusive * (factor ?? 1) : -1 / (1 + Math.max(0, inclusive)),
    hidden: analysis.profile.inputs.misses !== void 0 && n <= 3 && calls >= 20 && worst > 2 * best,
    spark: sparkOf(curve.size, worstCosts)
  };
  return fits && !ranked ? withLater(law, analysis) : law;
}
function withLater(law, analysis) {
  const fit = once(() => {
    const curve = curveOfRoutine(analysis, law.routine);
    return fitLaw(curve.size, costsOf2(curve, "worst"));
  });
  return {
    ...law,
    get fit() {
      return fit();
    },
    get tenfold() {
      return tenfold(fit(), law.largest);
    }
  };
}
function sparkOf(sizes, costs) {
  const n = sizes.length;
  const out = Array(SPARK).fill(-1);
  const low = sizes[0];
  const range = sizes[n - 1] - low;
  let most = 0;
  for (const c of costs) if (c > most) most = c;
  for (let i = 0; i < n; i++) {
    if (Number.isNaN(costs[i])) continue;
    const cell = range > 0 ? Math.min(SPARK - 1, Math.floor((sizes[i] - low) / range * SPARK)) : 0;
    out[cell] = Math.max(out[cell], most > 0 ? Math.round(costs[i] / most * 7) : 0);
  }
  return out;
}

// zz.mts
var p = await loadProfile(["/tmp/law-work/m.aprof"]);
var a = analysisOf(p, "inputs");
a.totals;
var t = process.cpuUsage().user;
var w = performance.now();
var l = routineLaws(a);
console.log("laws", l.length, ((process.cpuUsage().user - t) / 1e3).toFixed(0), "ms cpu", (performance.now() - w).toFixed(0), "ms wall");
