import { createHash } from 'node:crypto'
import { codeOf } from '../../core/errors.ts'
import { Semaphore } from '../../core/semaphore.ts'
import type { Sql } from '../../database/database.ts'
import type { Parts } from '../../parts.ts'
import { isPicture } from '../files/content.ts'
import { isLarge, pictureEmbed, pictureOf, type Preview, previewOf } from './embed-of.ts'
import { FetchRefusal } from './fetch-refusal.ts'
import { pageOf } from './page-address.ts'
import { readPageHead } from './page-head.ts'
import { keptPicture, pathOf, recordPicture, type StoredPicture, storePicture } from './pictures.ts'
import type { FetchedResource, WebFetcher } from './web-fetcher.ts'

const HTML_BYTES_MAX = 1024 * 1024
const PICTURE_BYTES_MAX = 8 * 1024 * 1024
/** Pictures in memory at the same time. */
const PICTURES_AT_ONCE = 4
/** For a page and its picture together, redirects included. */
const FETCH_MS_MAX = 10_000
/** Longer than a fetch, because decoding the picture comes on top. */
const LEASE_SECONDS = 60
/** Pages in the cache. When it is full, further links get no preview. */
const PAGES_MAX = 20_000
const PAGES_PER_ACCOUNT_MAX = 200
/** A picture of at least this width, px, is shown large. */
const LARGE_WIDTH_MIN = 400
/** Reasons of FetchRefusal that are temporary: the earlier preview stays. */
const PASSING = new Set(['away', 'closed', 'cut', 'time', 'unresolved'])
const PAGE_TYPES = new Set(['text/html', 'application/xhtml+xml'])

/** The preview of a page. */
export interface PagePreview {
  preview: Preview
  picture_id: number | null
}

/**
 * A cached result, at most an hour old: `busy` while it is being fetched, null if there is no preview.
 * @returns undefined if nobody has asked
 */
export async function knownPage(sql: Sql, hash: Buffer): Promise<PagePreview | 'busy' | null | undefined> {
  const [page] = await sql<{ is_busy: boolean; preview: Preview | null; picture_id: number | null }[]>`
    select leased_until is not null as is_busy, preview, picture_id from preview_pages
    where hash = ${hash} and fetched_at > now() - interval '1 hour'`
  if (page?.is_busy) return 'busy'
  return page && (page.preview ? { preview: page.preview, picture_id: page.picture_id } : null)
}

/** Previews of pages, each fetched once an hour for all accounts and processes. */
export class PreviewPages {
  readonly #stopping = new AbortController()
  readonly #pictures = new Semaphore(PICTURES_AT_ONCE, Infinity)

  constructor(
    private readonly parts: Pick<Parts, 'sql' | 'objects' | 'log'>,
    private readonly fetcher: WebFetcher,
    private readonly fetchMsMax = FETCH_MS_MAX,
  ) {}

  /** Aborts running fetches. */
  stop(): void {
    this.#stopping.abort()
  }

  /**
   * The preview of a link: cached, or fetched now.
   * @param askedBy the account whose limits count
   * @returns `busy` while another call fetches it; undefined when there is none
   */
  async preview(link: string, askedBy: number): Promise<PagePreview | 'busy' | undefined> {
    const page = pageOf(link)
    if (!page) return undefined
    const { hash, url } = page
    if (await this.#lease(hash, askedBy)) return this.#fetch(hash, url, askedBy)
    return (await knownPage(this.parts.sql, hash)) ?? undefined
  }

  /** @returns true if the caller has to fetch the page now */
  async #lease(hash: Buffer, askedBy: number): Promise<boolean> {
    const rows = await this.parts.sql`
      insert into preview_pages as page (hash, asked_by, leased_until)
      select ${hash}, ${askedBy}, now() + ${LEASE_SECONDS} * interval '1 second'
      where (select count(*) from preview_pages
          where asked_by = ${askedBy} and fetched_at > now() - interval '1 hour') < ${PAGES_PER_ACCOUNT_MAX}
        and (select count(*) from (select 1 from preview_pages limit ${PAGES_MAX}) known) < ${PAGES_MAX}
      on conflict (hash) do update set asked_by = excluded.asked_by, fetched_at = now(),
        leased_until = excluded.leased_until, preview = null, picture_id = null
        where case when page.leased_until is null then page.fetched_at <= now() - interval '1 hour'
          else page.leased_until < now() end
      returning 1`
    return rows.length > 0
  }

  async #fetch(hash: Buffer, url: URL, askedBy: number): Promise<PagePreview | undefined> {
    const { sql, log } = this.parts
    const result = await this.#read(hash, url, askedBy).catch(async (error: unknown) => {
      log('debug', 'preview.none', { reason: reasonOf(error) })
      const picture = isPassing(error) ? await keptPicture(sql, hash, null) : undefined
      return picture && pictureAlone(picture)
    })
    return sql.begin(async (tx) => {
      const id = result?.picture && (await recordPicture(tx, result.picture))
      const page = result && { preview: result.preview, picture_id: id ?? null }
      await tx`update preview_pages set leased_until = null, fetched_at = now(),
        preview = ${page ? JSON.stringify(page.preview) : null}::text::json, picture_id = ${page?.picture_id ?? null}
        where hash = ${hash}`
      return page
    })
  }

  async #read(
    hash: Buffer,
    url: URL,
    askedBy: number,
  ): Promise<{ preview: Preview; picture?: StoredPicture } | undefined> {
    const signal = AbortSignal.any([AbortSignal.timeout(this.fetchMsMax), this.#stopping.signal])
    const accept = 'text/html,application/xhtml+xml,image/*;q=0.8'
    const page = await this.fetcher.fetch(url, accept, bytesMax, signal)
    try {
      if (isPicture(page.type)) {
        const picture = await this.#store(page, askedBy, hash)
        return picture && pictureAlone(picture)
      }
      const head = await readPageHead(page.body, page.charset)
      page.close()
      const preview = previewOf(head)
      if (!preview) return undefined
      const at = pictureOf(head, page.url)
      const picture = at && (await this.#picture(at, askedBy, signal))
      if (!picture) return { preview }
      const place = isLarge(head) && picture.width >= LARGE_WIDTH_MIN ? 'image' : 'thumbnail'
      return { preview: { ...preview, [place]: imageOf(picture) }, picture }
    } finally {
      page.close()
    }
  }

  /** The picture of a page; a preview without it is still shown. */
  async #picture(url: URL, askedBy: number, signal: AbortSignal): Promise<StoredPicture | undefined> {
    try {
      const resource = await this.fetcher.fetch(
        url,
        'image/*',
        (type) => (isPicture(type) ? PICTURE_BYTES_MAX : 0),
        signal,
      )
      return await this.#store(resource, askedBy).finally(() => resource.close())
    } catch (error) {
      this.parts.log('debug', 'preview.picture', { reason: reasonOf(error) })
      return undefined
    }
  }

  /** @param url_hash hash of the URL, by which the picture is found again */
  #store(resource: FetchedResource, askedBy: number, url_hash?: Buffer): Promise<StoredPicture | undefined> {
    return this.#pictures.run(async () => {
      const bytes = Buffer.concat(await Array.fromAsync(resource.body))
      if (!url_hash) return storePicture(this.parts, askedBy, resource.type, bytes)
      const origin = { url_hash, bytes_hash: createHash('sha256').update(bytes).digest() }
      const cached = await keptPicture(this.parts.sql, url_hash, origin.bytes_hash)
      if (cached) return cached
      const picture = await storePicture(this.parts, askedBy, resource.type, bytes)
      return picture && { ...picture, origin }
    })
  }
}

const bytesMax = (type: string): number =>
  PAGE_TYPES.has(type) ? HTML_BYTES_MAX : isPicture(type) ? PICTURE_BYTES_MAX : 0

const imageOf = ({ key, width, height }: StoredPicture) => ({ url: pathOf(key), width, height })

const pictureAlone = (picture: StoredPicture) => ({ preview: { ...pictureEmbed(), image: imageOf(picture) }, picture })

const isPassing = (error: unknown): boolean =>
  error instanceof FetchRefusal ? PASSING.has(error.message) : codeOf(error) !== 'upload_mismatch'

/** The reason for having no preview, without the page's address, which may contain a secret. */
const reasonOf = (error: unknown): string =>
  error instanceof FetchRefusal ? error.message : (codeOf(error) ?? (error instanceof Error ? error.name : 'failed'))
