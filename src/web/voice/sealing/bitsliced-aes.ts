// AES-128 in plain arithmetic, two blocks at once, without tables or branches that depend on a key. A frame of sound
// has some hundred bytes. For these, this takes less time than the two changes of thread that WebCrypto makes for each
// frame. The representation is that of BearSSL's aes_ct: word n has bit n of all 32 bytes.

const ROUNDS = 10

/** One block or two as eight words, to and from the bitsliced representation. */
function transpose(q: Int32Array): void {
  for (let at = 0; at < 8; at += 2) swap(q, at, at + 1, 0x55555555, 1)
  for (const at of [0, 1, 4, 5]) swap(q, at, at + 2, 0x33333333, 2)
  for (let at = 0; at < 4; at++) swap(q, at, at + 4, 0x0f0f0f0f, 4)
}

function swap(q: Int32Array, at: number, to: number, low: number, shift: number): void {
  const [one, other] = [q[at] as number, q[to] as number]
  q[at] = (one & low) | ((other & low) << shift)
  q[to] = ((one >>> shift) & low) | (other & (low << shift))
}

/** The S-box of all bytes: the circuit of Boyar and Peralta (https://eprint.iacr.org/2011/332). */
function substitute(q: Int32Array): void {
  const x0 = q[7] as number,
    x1 = q[6] as number,
    x2 = q[5] as number,
    x3 = q[4] as number
  const x4 = q[3] as number,
    x5 = q[2] as number,
    x6 = q[1] as number,
    x7 = q[0] as number
  const y14 = x3 ^ x5,
    y13 = x0 ^ x6,
    y9 = x0 ^ x3,
    y8 = x0 ^ x5,
    t0 = x1 ^ x2,
    y1 = t0 ^ x7,
    y4 = y1 ^ x3
  const y12 = y13 ^ y14,
    y2 = y1 ^ x0,
    y5 = y1 ^ x6,
    y3 = y5 ^ y8,
    t1 = x4 ^ y12,
    y15 = t1 ^ x5,
    y20 = t1 ^ x1
  const y6 = y15 ^ x7,
    y10 = y15 ^ t0,
    y11 = y20 ^ y9,
    y7 = x7 ^ y11,
    y17 = y10 ^ y11,
    y19 = y10 ^ y8
  const y16 = t0 ^ y11,
    y21 = y13 ^ y16,
    y18 = x0 ^ y16
  const t2 = y12 & y15,
    t4 = (y3 & y6) ^ t2,
    t6 = (y4 & x7) ^ t2,
    t7 = y13 & y16,
    t9 = (y5 & y1) ^ t7
  const t11 = (y2 & y7) ^ t7,
    t12 = y9 & y11,
    t14 = (y14 & y17) ^ t12,
    t16 = (y8 & y10) ^ t12
  const t21 = t4 ^ t14 ^ y20,
    t22 = t6 ^ t16 ^ y19,
    t23 = t9 ^ t14 ^ y21,
    t24 = t11 ^ t16 ^ y18
  const t25 = t21 ^ t22,
    t26 = t21 & t23,
    t27 = t24 ^ t26,
    t29 = (t25 & t27) ^ t22,
    t30 = t23 ^ t24
  const t33 = ((t22 ^ t26) & t30) ^ t24,
    t34 = t23 ^ t33,
    t36 = t24 & (t27 ^ t33),
    t37 = t36 ^ t34
  const t40 = t25 ^ (t29 & (t27 ^ t36)),
    t41 = t40 ^ t37,
    t42 = t29 ^ t33,
    t43 = t29 ^ t40,
    t44 = t33 ^ t37
  const t45 = t42 ^ t41
  const z0 = t44 & y15,
    z1 = t37 & y6,
    z2 = t33 & x7,
    z3 = t43 & y16,
    z4 = t40 & y1,
    z5 = t29 & y7,
    z6 = t42 & y11
  const z7 = t45 & y17,
    z8 = t41 & y10,
    z9 = t44 & y12,
    z10 = t37 & y3,
    z11 = t33 & y4,
    z12 = t43 & y13
  const z13 = t40 & y5,
    z14 = t29 & y2,
    z15 = t42 & y9,
    z16 = t45 & y14,
    z17 = t41 & y8
  const t46 = z15 ^ z16,
    t48 = z5 ^ z13,
    t53 = z0 ^ z3,
    t57 = z2 ^ z12 ^ t53,
    t58 = z4 ^ t46,
    t59 = z3 ^ z6 ^ z7
  const t60 = t46 ^ t57,
    t62 = z7 ^ z8 ^ t58,
    t63 = z9 ^ z10 ^ t58,
    t64 = z4 ^ t59,
    t65 = z14 ^ t57 ^ t62
  const t66 = z1 ^ t63,
    s3 = t53 ^ t66
  q[7] = t59 ^ t63
  q[6] = t64 ^ ~s3
  q[5] = z16 ^ z17 ^ ~(t64 ^ t65)
  q[4] = s3
  q[3] = z2 ^ z5 ^ t66
  q[2] = z10 ^ z11 ^ t65
  q[1] = z12 ^ t48 ^ ~t62
  q[0] = t48 ^ ~t60
}

function shiftRows(q: Int32Array): void {
  for (let at = 0; at < 8; at++) {
    const x = q[at] as number
    q[at] =
      (x & 0x000000ff) |
      ((x & 0x0000fc00) >>> 2) |
      ((x & 0x00000300) << 6) |
      ((x & 0x00f00000) >>> 4) |
      ((x & 0x000f0000) << 4) |
      ((x & 0xc0000000) >>> 6) |
      ((x & 0x3f000000) << 2)
  }
}

const turn = (x: number): number => (x << 16) | (x >>> 16)

function mixColumns(q: Int32Array): void {
  const [q0, q1, q2, q3, q4, q5, q6, q7] = q as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const r0 = (q0 >>> 8) | (q0 << 24),
    r1 = (q1 >>> 8) | (q1 << 24),
    r2 = (q2 >>> 8) | (q2 << 24)
  const r3 = (q3 >>> 8) | (q3 << 24),
    r4 = (q4 >>> 8) | (q4 << 24),
    r5 = (q5 >>> 8) | (q5 << 24)
  const r6 = (q6 >>> 8) | (q6 << 24),
    r7 = (q7 >>> 8) | (q7 << 24)
  const top = q7 ^ r7
  q[0] = top ^ r0 ^ turn(q0 ^ r0)
  q[1] = q0 ^ r0 ^ top ^ r1 ^ turn(q1 ^ r1)
  q[2] = q1 ^ r1 ^ r2 ^ turn(q2 ^ r2)
  q[3] = q2 ^ r2 ^ top ^ r3 ^ turn(q3 ^ r3)
  q[4] = q3 ^ r3 ^ top ^ r4 ^ turn(q4 ^ r4)
  q[5] = q4 ^ r4 ^ r5 ^ turn(q5 ^ r5)
  q[6] = q5 ^ r5 ^ r6 ^ turn(q6 ^ r6)
  q[7] = q6 ^ r6 ^ r7 ^ turn(q7 ^ r7)
}

function addKey(q: Int32Array, keys: Int32Array, round: number): void {
  for (let at = 0; at < 8; at++) q[at] = (q[at] as number) ^ (keys[8 * round + at] as number)
}

/** The S-box of the four bytes of a word. */
function substituted(word: number): number {
  const q = new Int32Array(8).fill(word)
  transpose(q)
  substitute(q)
  transpose(q)
  return q[0] as number
}

/** The round keys of AES-128, bitsliced for two blocks. */
export function roundKeys(key: Uint8Array): Int32Array {
  const view = new DataView(key.buffer, key.byteOffset, 16)
  const words = Array.from({ length: 4 }, (_, at) => view.getInt32(4 * at, true))
  for (let at = 4, constant = 1; at < 4 * (ROUNDS + 1); at++) {
    let word = words[at - 1] as number
    if (at % 4 === 0) {
      word = substituted((word >>> 8) | (word << 24)) ^ constant
      constant = (constant << 1) ^ (constant >> 7 ? 0x11b : 0)
    }
    words.push((words[at - 4] as number) ^ word)
  }
  const keys = new Int32Array(8 * (ROUNDS + 1))
  for (let round = 0; round <= ROUNDS; round++) {
    const q = keys.subarray(8 * round, 8 * round + 8)
    for (let at = 0; at < 8; at++) q[at] = words[4 * round + (at >> 1)] as number
    transpose(q)
  }
  return keys
}

/**
 * Encrypts two blocks in place: words 0, 2, 4 and 6 are the first one, little endian, and the others the second one.
 */
export function encryptBlocks(q: Int32Array, keys: Int32Array): void {
  transpose(q)
  addKey(q, keys, 0)
  for (let round = 1; round <= ROUNDS; round++) {
    substitute(q)
    shiftRows(q)
    if (round < ROUNDS) mixColumns(q)
    addKey(q, keys, round)
  }
  transpose(q)
}
