import { expect, test } from 'bun:test'
import ExifReader from 'exifreader'
import { applyEdits } from '../../../src/features/files/metadata/edits.ts'
import { metadataEdits } from '../../../src/features/files/metadata/metadata.ts'
import { sourceOf } from '../../../src/features/files/metadata/reader.ts'
import { picture, secretsIn } from '../../support/pictures.ts'

async function cleaned(bytes: Uint8Array): Promise<Buffer> {
  const edits = await metadataEdits(sourceOf(bytes))
  if (!edits) throw new Error('not understood')
  return Buffer.concat(await Array.fromAsync(applyEdits([bytes], edits)))
}

/** A colour profile of 240 bytes: their content is nothing to the server. */
const PROFILE = 'a colour profile'.repeat(15)
const TURNED = 6

/** A picture with a profile at an offset, in the part that its format has for it. */
const withProfile = (bytes: Buffer, at: number, head: string, tail = ''): Buffer =>
  Buffer.concat([bytes.subarray(0, at), Buffer.from(head + PROFILE + tail, 'latin1'), bytes.subarray(at)])

function webp(): Buffer {
  const bytes = withProfile(picture('photo-with-place.webp'), 30, 'ICCP\xf0\0\0\0')
  bytes.writeUInt32LE(bytes.length - 8, 4)
  bytes.writeUInt8(0x28, 20)
  const orientation = bytes.indexOf(Uint8Array.of(0x12, 1, 3, 0))
  bytes.writeUInt16LE(TURNED, orientation + 8)
  return bytes
}

test('the orientation and the colour profile of a picture stay, in every format that has them', async () => {
  const gif = picture('moving.gif')
  const endOfColours = 13 + 3 * 2 ** ((gif.readUInt8(10) & 7) + 1)
  const formats: [name: string, bytes: Buffer, orientation?: number][] = [
    ['JPEG', withProfile(picture('cmyk.jpg'), 2, '\xff\xe2\x01\0ICC_PROFILE\0\x01\x01'), TURNED],
    ['PNG', withProfile(picture('deep.png'), 33, '\0\0\0\xf0iCCP', '\0\0\0\0'), TURNED],
    ['WebP', webp(), TURNED],
    ['GIF', withProfile(gif, endOfColours, '!\xff\x0bICCRGBG1012\xf0', '\0')],
  ]
  for (const [name, bytes, orientation] of formats) {
    const clean = await cleaned(bytes)
    expect([name, clean.includes(PROFILE), secretsIn(clean)]).toEqual([name, true, []])
    const exif = orientation === undefined ? undefined : ExifReader.load(clean, { expanded: true }).exif
    expect([name, exif?.Orientation?.value]).toEqual([name, orientation])
  }
  expect((await cleaned(webp())).readUInt8(20)).toBe(0x28)
  const avif = picture('phone.avif')
  const start = avif.indexOf('colr') - 4
  const colours = avif.subarray(start, start + avif.readUInt32BE(start))
  expect((await cleaned(avif)).includes(colours)).toBe(true)
})
