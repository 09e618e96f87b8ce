import { expect, test } from 'bun:test'
import { FrameKey, SMALL_BYTES_MAX } from '../../../../src/web/voice/sealing/frame-key.ts'
import { SmallGcm } from '../../../../src/web/voice/sealing/small-gcm.ts'

const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))
const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))

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
    const gcm = new SmallGcm(bytes(key))
    const own = gcm.encrypt(bytes(nonce), bytes(added), bytes(plain), 16)
    expect(Buffer.from(own).toString('hex')).toBe(sealed)
    expect(gcm.decrypt(bytes(nonce), bytes(added), own, 16)).toEqual(bytes(plain))
  }
})

test('frames of every length are the same bytes by both ways, and each way opens those of the other', async () => {
  const key = random(16)
  const [gcm, both] = [new SmallGcm(key), await FrameKey.from(key)]
  const webKey = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt', 'decrypt'])
  for (let length = 0; length < SMALL_BYTES_MAX + 40; length++) {
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

test('a changed bit of the text, the tag, the nonce or the authenticated bytes opens nothing', () => {
  const [gcm, nonce, added, text] = [new SmallGcm(random(16)), random(12), random(9), random(33)]
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
