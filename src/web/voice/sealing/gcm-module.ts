import { leb128 } from './av1.ts'

// A WebAssembly module that does the arithmetic of AES-128-GCM (NIST SP 800-38D) on vectors of 128 bits. It is made
// here, byte by byte, when a worker starts, so nothing compiled is in the repository. It reads no tables at secret
// places, and takes no branches that depend on secrets.
//
// AES takes eight blocks at once and is bitsliced (Käsper and Schwabe, https://eprint.iacr.org/2009/129): vector n has
// bit n of all their bytes, bit b of its byte p being that of byte p of block b. The hash multiplies by the sum of
// H·xⁱ for the bits that are set; all 128 of these multiples are read for each block.

/** Offsets in the module's memory. All are multiples of 16. */
export const PLACE = {
  /** Eight vectors for each round key: vector n of a round has bit n of the key's bytes, in every bit of the byte. */
  keys: 0,
  /** 128 multiples of H, in the order in which `hash` needs them. */
  multiples: 1_408,
  /** The nonce of 12 bytes, then the number of the first block, little endian. */
  counter: 3_456,
  sum: 3_472,
  data: 3_488,
} as const
export const ROUND_BYTES = 128
/** Bytes that `encrypt` changes at once. */
export const STEP_BYTES = 128

export interface GcmModule {
  memory: WebAssembly.Memory
  /**
   * Adds the key stream to whole steps from `at` until `end` is reached.
   * @param last offset of the last round's key: 10 * ROUND_BYTES
   */
  encrypt(at: number, end: number, last: number): void
  /** Adds whole blocks to the sum. */
  hash(at: number, end: number, unused: 0): void
}

type Code = number[]

// Opcodes: https://webassembly.github.io/spec/core/appendix/index-instructions.html
const I32 = 0x7f
const VECTOR = 0x7b
const NOTHING = 0x40
const FUNCTION = 0x60
const END = 0x0b
const vector = (code: number): Code => [0xfd, ...leb128(code)]
const [XOR, AND, ADD, GREATER] = [vector(0x51), vector(0x4e), vector(0xae), vector(0x3b)]
const [SHIFT_LEFT, SHIFT_RIGHT] = [vector(0xcb), vector(0xcd)]

const signed = (value: number): Code => (value < 64 ? [value] : [(value & 127) | 128, ...signed(value >>> 7)])
const integer = (value: number): Code => [0x41, ...signed(value)]
const constant = (...bytes: number[]): Code => [...vector(0x0c), ...bytes]
const repeated = (byte: number): Code => constant(...LANES.map(() => byte))
const xor = (...values: Code[]): Code => [...values.flat(), ...values.slice(1).flatMap(() => XOR)]
const and = (a: Code, b: Code): Code => [...a, ...b, ...AND]
const load = (address: Code, offset: number): Code => [...address, ...vector(0x00), 4, ...leb128(offset)]
const store = (address: Code, offset: number, value: Code): Code => [
  ...address,
  ...value,
  ...vector(0x0b),
  4,
  ...leb128(offset),
]
/** Moves bytes. @param from the byte that comes to each place */
const moved = (value: Code, from: (place: number) => number): Code => [
  ...value,
  ...value,
  ...vector(0x0d),
  ...LANES.map(from),
]
/** Repeats code while the last value that it leaves is not zero. */
const repeat = (...code: Code[]): Code => [0x03, NOTHING, ...code.flat(), 0x0d, 0, END]
const isLess = (a: Code, b: Code): Code => [...a, ...b, 0x49]
const differ = (a: Code, b: Code): Code => [...a, ...b, 0x47]
const when = (condition: Code, ...code: Code[]): Code => [...condition, 0x04, NOTHING, ...code.flat(), END]

const LANES = Array.from({ length: 16 }, (_, lane) => lane)
const BITS = [0, 1, 2, 3, 4, 5, 6, 7]

interface Variables {
  get(name: string): Code
  set(name: string, value: Code): Code
  /** Adds a number to an integer. */
  step(name: string, bytes: number): Code
}

/** A function. @param integers its three parameters, then its other integers; all other variables are vectors */
function compiled(integers: string[], body: (variables: Variables) => Code[]): Code {
  const names = [...integers]
  const numberOf = (name: string): Code => {
    if (!names.includes(name)) names.push(name)
    return leb128(names.indexOf(name))
  }
  const get = (name: string): Code => [0x20, ...numberOf(name)]
  const set = (name: string, value: Code): Code => [...value, 0x21, ...numberOf(name)]
  const step = (name: string, bytes: number): Code => set(name, [...get(name), ...integer(bytes), 0x6a])
  const code = body({ get, set, step }).flat()
  const locals = [2, integers.length - 3, I32, ...leb128(names.length - integers.length), VECTOR]
  return sized([...locals, ...code, END])
}

const sized = (code: Code): Code => [...leb128(code.length), ...code]
const text = (name: string): Code => sized([...new TextEncoder().encode(name)])

/**
 * The S-box without its constant 0x63, which the round keys contain: the circuit of Boyar and Peralta
 * (https://eprint.iacr.org/2011/332). x0 and s0 are the highest bits.
 */
const SUBSTITUTE = `
y14=x3^x5 y13=x0^x6 y9=x0^x3 y8=x0^x5 t0=x1^x2 y1=t0^x7 y4=y1^x3 y12=y13^y14 y2=y1^x0 y5=y1^x6 y3=y5^y8 t1=x4^y12
y15=t1^x5 y20=t1^x1 y6=y15^x7 y10=y15^t0 y11=y20^y9 y7=x7^y11 y17=y10^y11 y19=y10^y8 y16=t0^y11 y21=y13^y16 y18=x0^y16
t2=y12&y15 t3=y3&y6 t4=t3^t2 t5=y4&x7 t6=t5^t2 t7=y13&y16 t8=y5&y1 t9=t8^t7 t10=y2&y7 t11=t10^t7 t12=y9&y11 t13=y14&y17
t14=t13^t12 t15=y8&y10 t16=t15^t12 t17=t4^t14 t18=t6^t16 t19=t9^t14 t20=t11^t16 t21=t17^y20 t22=t18^y19 t23=t19^y21
t24=t20^y18 t25=t21^t22 t26=t21&t23 t27=t24^t26 t28=t25&t27 t29=t28^t22 t30=t23^t24 t31=t22^t26 t32=t31&t30 t33=t32^t24
t34=t23^t33 t35=t27^t33 t36=t24&t35 t37=t36^t34 t38=t27^t36 t39=t29&t38 t40=t25^t39 t41=t40^t37 t42=t29^t33 t43=t29^t40
t44=t33^t37 t45=t42^t41 z0=t44&y15 z1=t37&y6 z2=t33&x7 z3=t43&y16 z4=t40&y1 z5=t29&y7 z6=t42&y11 z7=t45&y17 z8=t41&y10
z9=t44&y12 z10=t37&y3 z11=t33&y4 z12=t43&y13 z13=t40&y5 z14=t29&y2 z15=t42&y9 z16=t45&y14 z17=t41&y8 t46=z15^z16
t47=z10^z11 t48=z5^z13 t49=z9^z10 t50=z2^z12 t51=z2^z5 t52=z7^z8 t53=z0^z3 t54=z6^z7 t55=z16^z17 t56=z12^t48 t57=t50^t53
t58=z4^t46 t59=z3^t54 t60=t46^t57 t61=z14^t57 t62=t52^t58 t63=t49^t58 t64=z4^t59 t65=t61^t62 t66=z1^t63 s0=t59^t63
s6=t56^t62 s7=t48^t60 t67=t64^t65 s3=t53^t66 s4=t51^t66 s5=t47^t65 s1=t64^s3 s2=t55^t67`

const encrypt = compiled(['at', 'end', 'last', 'key'], ({ get, set, step }) => {
  const q = (bit: number): Code => get(`q${bit}`)
  const each = (make: (bit: number) => Code): Code => BITS.flatMap(make)
  /** Exchanges the high bits of each group of one vector, and the low bits of another's. */
  const exchange = (at: number, to: number, low: number): Code => {
    const shift = integer(to - at)
    return [
      ...set('t', and(xor([...q(at), ...shift, ...SHIFT_RIGHT], q(to)), repeated(low))),
      ...set(`q${to}`, xor(q(to), get('t'))),
      ...set(`q${at}`, xor(q(at), [...get('t'), ...shift, ...SHIFT_LEFT])),
    ]
  }
  const transpose = [
    ...[0, 2, 4, 6].flatMap((at) => exchange(at, at + 1, 0x55)),
    ...[0, 1, 4, 5].flatMap((at) => exchange(at, at + 2, 0x33)),
    ...[0, 1, 2, 3].flatMap((at) => exchange(at, at + 4, 0x0f)),
  ]
  const addKey = each((bit) => set(`q${bit}`, xor(q(bit), load(get('key'), PLACE.keys + 16 * bit))))
  const gates = SUBSTITUTE.trim().split(/\s+/)
  const substitute = [
    ...each((bit) => set(`x${7 - bit}`, q(bit))),
    ...gates.flatMap((gate) => {
      const [to = '', a = '', operation, b = ''] = gate.split(/([=^&])/).filter((part) => part !== '=')
      return set(to, (operation === '&' ? and : xor)(get(a), get(b)))
    }),
    ...each((bit) => set(`q${bit}`, get(`s${7 - bit}`))),
  ]
  // Byte 4c + r of a block is in column c and row r.
  const shiftRows = each((bit) =>
    set(
      `q${bit}`,
      moved(q(bit), (place) => (5 * place) % 16),
    ),
  )
  const below = (rows: number) => (place: number) => (place & 12) | ((place + rows) & 3)
  const mixColumns = [
    ...each((bit) => [...set(`r${bit}`, moved(q(bit), below(1))), ...set(`both${bit}`, xor(q(bit), get(`r${bit}`)))]),
    ...each((bit) => {
      // The highest bit of a doubled byte comes back as 0x1b.
      const carry = [1, 3, 4].includes(bit) ? [get('both7')] : []
      const doubled = get(`both${(bit + 7) % 8}`)
      return set(`q${bit}`, xor(doubled, ...carry, get(`r${bit}`), moved(get(`both${bit}`), below(2))))
    }),
  ]
  return [
    set('counter', load(integer(0), PLACE.counter)),
    repeat(
      each((bit) => [
        // Blocks have their number in big endian.
        ...set(
          `q${bit}`,
          moved(get('counter'), (place) => (place < 12 ? place : 27 - place)),
        ),
        ...set('counter', [...get('counter'), ...constant(...LANES.map((lane) => (lane === 12 ? 1 : 0))), ...ADD]),
      ]),
      transpose,
      set('key', integer(0)),
      addKey,
      repeat(
        step('key', ROUND_BYTES),
        substitute,
        shiftRows,
        when(differ(get('key'), get('last')), mixColumns),
        addKey,
        differ(get('key'), get('last')),
      ),
      transpose,
      each((block) => store(get('at'), 16 * block, xor(load(get('at'), 16 * block), q(block)))),
      step('at', STEP_BYTES),
      isLess(get('at'), get('end')),
    ),
  ]
})

const WORDS = [0, 1, 2, 3]

const hash = compiled(['at', 'end', 'unused', 'multiple'], ({ get, set, step }) => {
  const each = (make: (word: number) => Code): Code => WORDS.flatMap(make)
  const zero = get('zero')
  const products = WORDS.map((word) => get(`product${word}`))
  return [
    set('zero', repeated(0)),
    set('sum', load(integer(0), PLACE.sum)),
    repeat(
      set('sum', xor(get('sum'), load(get('at'), 0))),
      each((word) =>
        set(
          `word${word}`,
          moved(get('sum'), (place) => 4 * word + (place % 4)),
        ),
      ),
      each((word) => set(`product${word}`, zero)),
      set('multiple', integer(0)),
      // The highest bit of each word, which makes it negative, then the next one.
      repeat(
        each((word) => {
          const bits = get(`word${word}`)
          const multiple = load(get('multiple'), PLACE.multiples + 16 * word)
          const product = and([...zero, ...bits, ...GREATER], multiple)
          return [
            ...set(`product${word}`, xor(get(`product${word}`), product)),
            ...set(`word${word}`, [...bits, ...bits, ...ADD]),
          ]
        }),
        step('multiple', 64),
        differ(get('multiple'), integer(2_048)),
      ),
      set('sum', xor(...products)),
      step('at', 16),
      isLess(get('at'), get('end')),
    ),
    store(integer(0), PLACE.sum, get('sum')),
  ]
})

/** Offset in the module's multiples of the one for a bit of a block. @param bit 0: the highest bit of the first byte */
export function multipleAt(bit: number): number {
  const word = bit >> 5
  const bitInWord = (bit & 24) + 7 - (bit & 7)
  return 64 * (31 - bitInWord) + 16 * word
}

const section = (id: number, content: Code): Code => [id, ...sized(content)]

/** @returns undefined in a browser without vectors in WebAssembly */
export function openGcmModule(): GcmModule | undefined {
  const start = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
  const bytes = [
    ...start,
    ...section(1, [1, FUNCTION, 3, I32, I32, I32, 0]),
    ...section(3, [2, 0, 0]),
    // 65,536 bytes.
    ...section(5, [1, 1, 1, 1]),
    ...section(7, [3, ...text('memory'), 2, 0, ...text('encrypt'), 0, 0, ...text('hash'), 0, 1]),
    ...section(10, [2, ...encrypt, ...hash]),
  ]
  try {
    return new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes))).exports as unknown as GcmModule
  } catch {
    return undefined
  }
}
