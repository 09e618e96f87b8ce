import { expect, test } from 'bun:test'
import { FrameKey, SMALL_BYTES_MAX } from '../../../../src/web/voice/sealing/frame-key.ts'
import { SmallGcm } from '../../../../src/web/voice/sealing/small-gcm.ts'

const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))
const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
const gcmOf = (key: Uint8Array<ArrayBuffer>) => {
  const gcm = SmallGcm.from(key)
  if (!gcm) throw new Error('This machine has no vectors in WebAssembly')
  return gcm
}

// McGrew and Viega, "The Galois/Counter Mode of Operation", test cases 1 to 4.
const PLAIN = [
  'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72',
  '1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255',
].join('')
const CIPHER = [
  '42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e',
  '21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091473f5985',
].join('')
const ZEROS = '00'.repeat(16)
const [KEY, NONCE] = ['feffe9928665731c6d6a8f9467308308', 'cafebabefacedbaddecaf888']
const CASES = [
  { key: ZEROS, nonce: '00'.repeat(12), added: '', plain: '', sealed: '58e2fccefa7e3061367f1d57a4e7455a' },
  {
    key: ZEROS,
    nonce: '00'.repeat(12),
    added: '',
    plain: ZEROS,
    sealed: '0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf',
  },
  { key: KEY, nonce: NONCE, added: '', plain: PLAIN, sealed: `${CIPHER}4d5c2af327cd64a62cf35abd2ba6fab4` },
  {
    key: KEY,
    nonce: NONCE,
    added: 'feedfacedeadbeeffeedfacedeadbeefabaddad2',
    plain: PLAIN.slice(0, 120),
    sealed: `${CIPHER.slice(0, 120)}5bc94fbc3221a5db94fae95ae7121a47`,
  },
]

test('frames that are sealed without WebCrypto match the published vectors of AES-128-GCM', () => {
  for (const { key, nonce, added, plain, sealed } of CASES) {
    const gcm = gcmOf(bytes(key))
    const own = gcm.encrypt(bytes(nonce), bytes(added), bytes(plain), 16)
    expect(Buffer.from(own).toString('hex')).toBe(sealed)
    expect(gcm.decrypt(bytes(nonce), bytes(added), own, 16)).toEqual(bytes(plain))
  }
})

/** Every length up to some batches of blocks, then some around each multiple of them, and around the longest one. */
const LENGTHS = [
  ...Array.from({ length: 600 }, (_, length) => length),
  ...Array.from({ length: 60 }, (_, at) => 640 + 128 * at + Math.floor(Math.random() * 40) - 20),
  ...Array.from({ length: 80 }, (_, at) => SMALL_BYTES_MAX - 60 + at),
]

test('frames of every length are the same bytes by both ways, and each way opens those of the other', async () => {
  const key = random(16)
  const [gcm, both] = [gcmOf(key), await FrameKey.from(key)]
  const webKey = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt', 'decrypt'])
  for (const length of LENGTHS) {
    const [nonce, authenticated, text] = [random(12), random(length % 45), random(length)]
    const tagBytes = length % 2 ? 8 : 16
    const parameters = { name: 'AES-GCM', iv: nonce, additionalData: authenticated, tagLength: 8 * tagBytes }
    const expected = new Uint8Array(await crypto.subtle.encrypt(parameters, webKey, text))
    expect(gcm.encrypt(nonce, authenticated, text, tagBytes)).toEqual(expected)
    expect(await both.seal({ nonce, authenticated, tagBytes }, text)).toEqual(expected)
    expect(await both.open({ nonce, authenticated, tagBytes }, expected)).toEqual(text)
    expect(gcm.decrypt(nonce, authenticated, expected, tagBytes)).toEqual(text)
  }
})

test('around the end of a block and of the memory that a frame may take, each part may have any length', async () => {
  const raw = random(16)
  const key = await FrameKey.from(raw)
  const webKey = await crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt'])
  const ends = [0, 1, 15, 16, 17, 127, 128, 129, SMALL_BYTES_MAX - 16, SMALL_BYTES_MAX, SMALL_BYTES_MAX + 1]
  for (const length of ends)
    for (const readable of ends) {
      const [nonce, authenticated, text, tagBytes] = [random(12), random(readable), random(length), 16]
      const parameters = { name: 'AES-GCM', iv: nonce, additionalData: authenticated, tagLength: 8 * tagBytes }
      const expected = new Uint8Array(await crypto.subtle.encrypt(parameters, webKey, text))
      const sealed = await key.seal({ nonce, authenticated, tagBytes }, text)
      const opened = await key.open({ nonce, authenticated, tagBytes }, expected)
      expect(sealed).toEqual(expected)
      expect(opened).toEqual(text)
      // Browsers get the whole buffer: it must not be the memory that the keys are in.
      expect([sealed.buffer.byteLength, opened?.buffer.byteLength]).toEqual([length + tagBytes, length])
      for (const short of [0, 1, tagBytes - 1])
        expect(await key.open({ nonce, authenticated, tagBytes }, expected.slice(0, short))).toBeUndefined()
    }
})

test('keys that take turns do not mix, and leave nothing of a frame in the next one', async () => {
  const raw = Array.from({ length: 40 }, () => random(16))
  const keys = raw.map(gcmOf)
  for (let turn = 0; turn < 400; turn++) {
    const at = Math.floor(Math.random() * keys.length)
    const [nonce, authenticated, text] = [random(12), random(turn % 70), random((turn * 37) % 900)]
    const webKey = await crypto.subtle.importKey('raw', raw[at]!, 'AES-GCM', false, ['encrypt'])
    const parameters = { name: 'AES-GCM', iv: nonce, additionalData: authenticated, tagLength: 128 }
    const expected = new Uint8Array(await crypto.subtle.encrypt(parameters, webKey, text))
    expect(keys[at]!.encrypt(nonce, authenticated, text, 16)).toEqual(expected)
    expect(keys[(at + 1) % keys.length]!.decrypt(nonce, authenticated, expected, 16)).toBeUndefined()
  }
})

test('a readable part of any length is authenticated', async () => {
  const key = await FrameKey.from(random(16))
  for (const length of [1_000, SMALL_BYTES_MAX, 70_000]) {
    const parameters = { nonce: random(12), authenticated: random(length), tagBytes: 16 }
    const text = random(50)
    const sealed = await key.seal(parameters, text)
    expect(await key.open(parameters, sealed)).toEqual(text)
    parameters.authenticated[length - 1]! ^= 1
    expect(await key.open(parameters, sealed)).toBeUndefined()
  }
})

test('a browser without WebAssembly seals all frames by WebCrypto', async () => {
  const folder = `${import.meta.dir}/../../../../src/web/voice/sealing`
  const script = `
    delete globalThis.WebAssembly
    const { FrameKey } = await import('${folder}/frame-key.ts')
    const { SmallGcm } = await import('${folder}/small-gcm.ts')
    const raw = new Uint8Array(16)
    const parameters = { nonce: new Uint8Array(12), authenticated: new Uint8Array(), tagBytes: 16 }
    const sealed = await (await FrameKey.from(raw)).seal(parameters, new Uint8Array(16))
    console.log(String(SmallGcm.from(raw)), Buffer.from(sealed).toString('hex'))`
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'inherit' })
  expect(await new Response(child.stdout).text()).toBe(`undefined ${CASES[1]?.sealed}\n`)
})

test('a changed bit of the text, the tag, the nonce or the authenticated bytes opens nothing', () => {
  const [gcm, nonce, added, text] = [gcmOf(random(16)), random(12), random(9), random(33)]
  const sealed = gcm.encrypt(nonce, added, text, 8)
  const parts = [nonce, added, sealed]
  for (const part of parts)
    for (let bit = 0; bit < 8 * part.length; bit++) {
      part[bit >> 3]! ^= 1 << (bit & 7)
      expect(gcm.decrypt(nonce, added, sealed, 8)).toBeUndefined()
      part[bit >> 3]! ^= 1 << (bit & 7)
    }
  for (let length = 0; length < 8; length++)
    expect(gcm.decrypt(nonce, added, sealed.slice(0, length), 8)).toBeUndefined()
  expect(gcm.decrypt(nonce, added, sealed, 8)).toEqual(text)
})
