import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, realpath } from 'node:fs/promises'
import { isAbsolute, join, sep } from 'node:path'
import { Problem } from '../../core/errors.ts'
import type { Database } from '../../database/database.ts'
import { examine } from '../files/clean.ts'
import { IMAGE_BYTES_MAX, isPicture, measure, NO_PICTURE, type Picture, SNIFF_BYTES, typeOf } from '../files/content.ts'
import { applyEdits } from '../files/metadata/edits.ts'
import type { Source } from '../files/metadata/reader.ts'
import { pictureInTurn } from '../files/upload.ts'
import { type StoredPicture, storePicture } from '../previews/pictures.ts'
import type { ObjectSink } from './objects.ts'
import type { Report } from './report.ts'
import type { Address } from './used-pictures.ts'

/** Delete objects of files that are not recorded within this time. */
const GUARD_MINUTES = 60
const PICTURE_BYTES_MAX = 8 * 1024 * 1024

export interface FoundFile {
  path: string
  size: number
}

/** The row of a file whose object is stored, and scheduled for deletion until the row is written. */
export interface StoredFile {
  filename: string
  content_type: string
  size: number
  width: number | null
  height: number | null
  key: string
  thumbnail_key: string | null
}

/**
 * The files that an export has downloaded. Only files below its folder are read, whatever addresses and links in it
 * say.
 */
export class ExportMedia {
  /** @param root without symbolic links */
  constructor(
    private readonly root: string,
    private readonly bytesMax: number,
    private readonly report: Report,
  ) {}

  /**
   * @param as the file's kind in the report
   * @param missingLoss how the report counts a missing file
   * @returns undefined if the file is missing or may not be read
   */
  async find(
    { folder, url }: Address,
    as: string,
    missingLoss: 'file_missing' | 'picture' | 'emoji' = 'file_missing',
  ): Promise<FoundFile | undefined> {
    const file = /^https?:/i.test(url) || url === '' ? undefined : await this.locate(folder, url)
    if (file === undefined) return this.reportLoss(missingLoss, as)
    if (!`${file.path}${sep}`.startsWith(`${this.root}${sep}`)) return this.reportLoss('file_outside', as)
    if (!file.isFile || file.size === 0) return this.reportLoss('file_odd', as)
    if (file.size > this.bytesMax) return this.reportLoss('file_large', as)
    return { path: file.path, size: file.size }
  }

  private reportLoss(loss: Parameters<Report['note']>[0], as: string): undefined {
    this.report.note(loss, as)
  }

  /** An export from Windows has backslashes. */
  private async locate(folder: string, url: string) {
    for (const address of new Set([url, url.replaceAll('\\', '/')])) {
      try {
        const path = await realpath(isAbsolute(address) ? address : join(folder, address))
        const status = await lstat(path)
        return { path, size: status.size, isFile: status.isFile() }
      } catch {
        // Not found, or not a valid file name.
      }
    }
    return undefined
  }
}

const sourceOf = ({ path, size }: FoundFile): Source => ({
  size,
  read: (start, length) =>
    Bun.file(path)
      .slice(start, start + length)
      .bytes(),
})

async function pictureOf(source: Source, content_type: string): Promise<Picture> {
  if (!isPicture(content_type)) return NO_PICTURE
  if (source.size > IMAGE_BYTES_MAX) return measure(source)
  return pictureInTurn(0, async () => source.read(0, source.size)).catch((error: unknown) => {
    if (error instanceof Problem) return measure(source)
    throw error
  })
}

/** Puts files of an export into the object store. */
export class FileStore {
  constructor(
    private readonly sql: Database,
    private readonly objects: ObjectSink,
  ) {}

  /** Stores a file without its metadata. Its objects are deleted later unless the caller records it. */
  async store(file: FoundFile, filename: string): Promise<StoredFile> {
    const source = sourceOf(file)
    const type = await typeOf(filename, await source.read(0, SNIFF_BYTES))
    const { edits, content_type, size } = await examine(source, type)
    const { width, height, thumbnail } = await pictureOf(source, content_type)
    const key = `files/${randomBytes(16).toString('hex')}`
    const thumbnail_key = thumbnail ? `${key}.webp` : null
    await this.guard(thumbnail_key === null ? [key] : [key, thumbnail_key])
    const bytes = applyEdits(createReadStream(file.path, { end: file.size - 1 }), edits)
    await this.objects.putStream({ key, size, content_type, bytes })
    if (thumbnail && thumbnail_key) await this.objects.put(thumbnail_key, thumbnail, 'image/webp')
    return { filename, content_type, size, width, height, key, thumbnail_key }
  }

  /** Stores a picture of a custom emoji, sticker or role. @returns the last part of its key */
  async storePublic(folder: 'emoji' | 'stickers' | 'role-icons', webp: Uint8Array): Promise<string> {
    const key = randomBytes(16).toString('hex')
    await this.guard([`${folder}/${key}`])
    await this.objects.put(`${folder}/${key}`, webp, 'image/webp')
    return key
  }

  /** Stores a smaller version of an embed's picture; undefined if it is not a picture. */
  async storePreview({ path, size }: FoundFile): Promise<StoredPicture | undefined> {
    if (size > PICTURE_BYTES_MAX) return undefined
    const bytes = Buffer.from(await Bun.file(path).slice(0, size).arrayBuffer())
    const type = await typeOf(path, bytes.subarray(0, SNIFF_BYTES))
    const { sql, objects } = this
    return storePicture({ sql, objects }, 0, type, bytes).catch((error: unknown) => {
      if (error instanceof Problem) return undefined
      throw error
    })
  }

  /** Schedules the deletion of objects before they are created, so that they are deleted if this process dies. */
  private async guard(keys: string[]): Promise<void> {
    await this.sql`insert into object_outbox (key, due_at)
      select key, now() + ${GUARD_MINUTES} * interval '1 minute' from unnest(${keys}::text[]) key`
  }
}
