import { Problem } from '../../core/errors.ts'
import { FairQueue } from '../../core/fair-queue.ts'
import type { ObjectStore } from '../../storage/object-store.ts'
import { OCTETS } from './content.ts'
import { type Edit, edited, editedSize } from './metadata/edits.ts'
import { metadataEdits } from './metadata/metadata.ts'
import { type Source, sourceOf } from './metadata/reader.ts'

/**
 * Examining reads up to a megabyte at once, and rewriting keeps two parts of 16 MiB where the store is an S3. An
 * account has half of the turns at most, so that its videos do not delay the photographs of others.
 */
const cleanings = new FairQueue({
  at_once: 4,
  at_once_per_account: 2,
  queued_max: 128,
  queued_per_account_max: 20,
  wait_ms_max: 30_000,
})
/** The object store has this long for each read. */
const READ_MS_MAX = 10_000

/** A file without its metadata. */
export interface CleanFile {
  /** Bytes of any kind, where the structure was not understood: then nothing was taken out. */
  content_type: string
  size: number
  edits: Edit[]
}

/** @throws Problem of the source */
export async function examine(source: Source, content_type: string): Promise<CleanFile> {
  const edits = await metadataEdits(source)
  if (!edits) return { content_type: OCTETS, size: source.size, edits: [] }
  return { content_type, size: editedSize(source.size, edits), edits }
}

interface StoredObject {
  key: string
  content_type: string
  size: number
}

/**
 * Takes the metadata out of an object that nobody else can change or read, in the turn of the account. Where there is
 * none it stays as it is.
 * @param clean_key where the file is written that has other bytes; the caller deletes the object that is not used
 * @returns the object that is kept
 * @throws Problem `unavailable` when too many files wait, `upload_missing`
 */
export function cleanObject(
  objects: Pick<ObjectStore, 'get' | 'putStream'>,
  user_id: number,
  raw: StoredObject,
  clean_key: string,
): Promise<StoredObject> {
  return cleanings.run(user_id, async () => {
    const { edits, ...kept } = await examine(objectSource(objects, raw.key, raw.size), raw.content_type)
    if (edits.length === 0) return { ...kept, key: raw.key }
    const bytes = await objects.get(raw.key)
    if (!bytes) throw new Problem('upload_missing')
    await objects.putStream({ key: clean_key, ...kept, bytes: edited(bytes, edits) })
    return { ...kept, key: clean_key }
  })
}

/** Takes the metadata out of bytes in memory. @param content_type that they have */
export async function cleanBytes(content_type: string, bytes: Uint8Array) {
  const { edits, ...kept } = await examine(sourceOf(bytes), content_type)
  if (edits.length === 0) return { ...kept, bytes }
  const pieces = edited([bytes], edits)
  return { ...kept, bytes: Buffer.concat(await Array.fromAsync(pieces)) }
}

/** An object of the store, of which parts are read. */
export const objectSource = (objects: Pick<ObjectStore, 'get'>, key: string, size: number): Source => ({
  size,
  read: (start, length) => inTime(objects.get(key, { start, end: start + length - 1 }).then(bytesOf), READ_MS_MAX),
})

/** @throws Problem `unavailable` when the store stands still: its request must not keep the place in a queue */
export async function inTime<T>(reading: Promise<T>, ms_max: number): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Problem('unavailable')), ms_max)
  return Promise.race([reading, late.promise]).finally(() => clearTimeout(timer))
}

/** The whole content of an object. @throws Problem `upload_missing` */
export async function bytesOf(stream: ReadableStream<Uint8Array> | undefined): Promise<Uint8Array> {
  if (!stream) throw new Problem('upload_missing')
  return new Uint8Array(await new Response(stream).arrayBuffer())
}
