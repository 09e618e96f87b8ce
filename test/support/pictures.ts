import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ExifReader from 'exifreader'

const FOLDER = join(import.meta.dir, '../features/files/pictures')

/** A picture or video that a telephone or camera could have made: with a place, a serial number, names and comments. */
export const picture = (name: string): Buffer => readFileSync(join(FOLDER, name))

const TYPES: Record<string, string> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  heic: 'image/heic',
  avif: 'image/avif',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
}

/** The type of a picture by its name. */
export const typeOfPicture = (name: string): string => TYPES[name.split('.').at(-1) ?? ''] ?? ''

/** All that can be had by `picture`. */
export const pictures: string[] = readdirSync(FOLDER)

/** Private metadata in the pictures, which nobody else may read. */
const SECRETS = [
  'Acme',
  'SN123456',
  'SN-',
  'secret',
  '+47.3',
  '47.376',
  'GPSLatitude',
  'ns.adobe.com',
  'com.apple.quicktime.location',
  '\xa9xyz',
]

/** Traces of a camera or location in bytes, found as text and by an independent reader of EXIF, XMP and IPTC. */
export function secretsIn(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes).toString('latin1')
  const leaks = SECRETS.filter((secret) => text.includes(secret))
  return [
    ...leaks,
    ...tagsOf(bytes).filter((tag) => /gps|make|model|serial|creator|city|comment|software|date/i.test(tag)),
  ]
}

/** The names of all tags that a picture has; none of what is no picture. */
export function tagsOf(bytes: Uint8Array): string[] {
  try {
    const groups = ExifReader.load(Buffer.from(bytes), { expanded: true }) as Record<string, object>
    return ['exif', 'xmp', 'iptc', 'gps', 'pngText'].flatMap((group) => Object.keys(groups[group] ?? {}))
  } catch {
    return []
  }
}
