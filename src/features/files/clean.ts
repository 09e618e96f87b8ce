import { Problem } from '../../core/errors.ts'
import { FairQueue } from '../../core/fair-queue.ts'
import type { ObjectStore } from '../../storage/object-store.ts'
import { OCTETS } from './content.ts'
import { applyEdits, type Edit, editedSize } from './metadata/edits.ts'
import { metadataEdits } from './metadata/metadata.ts'
import { type Source, sourceOf } from './metadata/reader.ts'

/**
 * Bounds memory: examining a file reads up to a megabyte at once, and rewriting one buffers two parts of 16 MiB if the
 * store is S3. An account gets at most half of the slots, so that its videos do not delay the photographs of others.
 */
const cleanings = new FairQueue({
  atOnce: 4,
  atOncePerAccount: 2,
  queuedMax: 128,
  queuedPerAccountMax: 20,
  waitMsMax: 30_000,
})
/** Time limit for each read from the object store. */
const READ_MS_MAX = 10_000

/** A file without its metadata. */
export interface CleanFile {
  /** octet-stream if the structure was not understood, in which case nothing was removed. */
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
 * Removes the metadata from an object that no client can change or read yet, in the account's turn. An object without
 * metadata is left as it is.
 * @param cleanKey the key of the rewritten object; the caller deletes whichever object is not used
 * @returns the object to use
 * @throws Problem `unavailable` when too many files wait, `upload_missing`
 */
export function cleanObject(
  objects: Pick<ObjectStore, 'get' | 'putStream'>,
  userId: number,
  raw: StoredObject,
  cleanKey: string,
): Promise<StoredObject> {
  return cleanings.run(userId, async () => {
    const { edits, ...file } = await examine(objectSource(objects, raw.key, raw.size), raw.content_type)
    if (edits.length === 0) return { ...file, key: raw.key }
    const bytes = await objects.get(raw.key)
    if (!bytes) throw new Problem('upload_missing')
    await objects.putStream({ key: cleanKey, ...file, bytes: applyEdits(bytes, edits) })
    return { ...file, key: cleanKey }
  })
}

/** Removes the metadata from bytes in memory. @param content_type their actual type */
export async function cleanBytes(content_type: string, bytes: Uint8Array) {
  const { edits, ...file } = await examine(sourceOf(bytes), content_type)
  if (edits.length === 0) return { ...file, bytes }
  const pieces = applyEdits([bytes], edits)
  return { ...file, bytes: Buffer.concat(await Array.fromAsync(pieces)) }
}

/** Reads parts of an object in the store. */
export const objectSource = (objects: Pick<ObjectStore, 'get'>, key: string, size: number): Source => ({
  size,
  read: (start, length) => inTime(objects.get(key, { start, end: start + length - 1 }).then(bytesOf), READ_MS_MAX),
})

/** @throws Problem `unavailable` if the store hangs, so that the request frees its slot in the queue */
export async function inTime<T>(reading: Promise<T>, msMax: number): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Problem('unavailable')), msMax)
  return Promise.race([reading, late.promise]).finally(() => clearTimeout(timer))
}

/** The whole content of an object. @throws Problem `upload_missing` */
export async function bytesOf(stream: ReadableStream<Uint8Array> | undefined): Promise<Uint8Array> {
  if (!stream) throw new Problem('upload_missing')
  return new Uint8Array(await new Response(stream).arrayBuffer())
}
