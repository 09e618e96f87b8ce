import { Problem } from '../../core/errors.ts'
import { errorFields } from '../../core/log.ts'
import { repeat } from '../../core/job.ts'
import type { Transaction } from '../../database/database.ts'
import type { Parts } from '../../parts.ts'
import { type Embed, Embeds } from './model.ts'
import { emitUpdated, lockedLocation } from '../access/place.ts'
import { linksIn } from '../../core/markup/references.ts'
import { type PagePreview, PreviewPages } from './pages.ts'
import { deleteUnusedPictures } from './pictures.ts'
import { endJob, isDue, type PreviewJob, PreviewQueue } from './preview-queue.ts'
import { type FoundPicture, foundAvatar, wantedPictures, withPictures } from './wanted-pictures.ts'
import type { WebFetcher } from './web-fetcher.ts'

const PERIOD_MS = 1_000
const CLEANING_MS = 60_000
/** Messages processed concurrently; at most one per account. */
const JOBS_AT_ONCE = 8
/** If another job is fetching a page, ask again after this time. */
const BUSY_SECONDS = 2

/** A version of a message. */
interface Version {
  content: string
  version: string
}

/**
 * Adds link previews to messages. Follows the event log, so that sending never waits. With LINK_PREVIEWS=off it only
 * deletes unused pictures. All processes share the work; each message is handled by one.
 */
export class LinkPreviews {
  readonly #queue: PreviewQueue
  readonly #pages: PreviewPages
  readonly #timers: Timer[]
  readonly #jobs = new Map<number, Promise<void>>()
  #filling: Promise<void> | undefined
  #isStopped = false

  constructor(
    private readonly parts: Pick<Parts, 'sql' | 'write' | 'objects' | 'space' | 'log' | 'environment'>,
    fetcher: WebFetcher,
  ) {
    this.#queue = new PreviewQueue(parts.sql)
    this.#pages = new PreviewPages(parts, fetcher)
    this.#timers = [repeat(CLEANING_MS, 'previews', parts.log, () => this.#clean())]
    if (this.#isOn) this.#timers.push(repeat(PERIOD_MS, 'previews', parts.log, () => this.#step()))
  }

  get #isOn(): boolean {
    return this.parts.environment.LINK_PREVIEWS === 'on'
  }

  /** Processes all messages that are due now. */
  async run(): Promise<void> {
    await this.#clean()
    if (!this.#isOn) return
    for (;;) {
      await this.#step()
      if (this.#jobs.size === 0) return
      await Promise.all(this.#jobs.values())
    }
  }

  stop(): void {
    this.#isStopped = true
    for (const timer of this.#timers) clearInterval(timer)
    this.#pages.stop()
  }

  async #clean(): Promise<void> {
    await this.#queue.drop()
    if (this.#isOn) await this.#queue.refill()
    await deleteUnusedPictures(this.parts)
  }

  /** Reads on in the event log and starts jobs while slots are free; a second caller waits for the first. */
  #step(): Promise<void> {
    return (this.#filling ??= this.#fill().finally(() => (this.#filling = undefined)))
  }

  async #fill(): Promise<void> {
    while (!this.#isStopped && (await this.#queue.fill()));
    while (!this.#isStopped && this.#jobs.size < JOBS_AT_ONCE) {
      const job = await this.#queue.take([...this.#jobs.keys()])
      if (!job) return
      const work = this.#do(job)
        .catch((error: unknown) => {
          const isGone = error instanceof Problem && error.code === 'not_found'
          if (!isGone && !this.#isStopped) this.parts.log('warn', 'preview', errorFields(error))
        })
        .finally(() => this.#jobs.delete(job.author_id))
      this.#jobs.set(job.author_id, work)
    }
  }

  async #do(job: PreviewJob): Promise<void> {
    const { sql, write, space } = this.parts
    await space.demand()
    const [version] = await versionOf(sql, job, sql``)
    if (!version) return void (await endJob(sql, job))
    const links = linksIn(version.content)
    const pictureRefs = await wantedPictures(sql, job.message_id)
    const urls = [...links, ...pictureRefs.map(({ url }) => url)]
    const pages = await Promise.all(urls.map((link) => this.#pages.preview(link, job.author_id)))
    if (pages.includes('busy')) return this.#queue.postpone(job, BUSY_SECONDS)
    const foundPages = links.flatMap((url, at) => {
      const page = pages[at]
      return page === undefined || page === 'busy' ? [] : [{ url, page }]
    })
    const pictures = pictureRefs.map((picture, at): FoundPicture => {
      const page = pages[links.length + at]
      return { ...picture, page: page === 'busy' ? undefined : page }
    })
    const isStale = await write(async (tx, emit) => {
      // The job was deleted with its message.
      const [row] = await tx`select 1 from preview_jobs where message_id = ${job.message_id}`
      if (!row) return false
      const place = await lockedLocation(tx, job.message_id)
      const [now] = await versionOf(tx, job, tx`for update of m`)
      const [last] = await tx`select 1 from preview_jobs
        where message_id = ${job.message_id} and queued_at = ${job.queued}::text::timestamptz`
      // Otherwise the message was edited, was queued again, or somebody disabled previews.
      const isSame = last !== undefined && now?.version === version.version && now.content === version.content
      if (isSame && (await putPreviews(tx, job.message_id, version.version, foundPages, pictures)))
        await emitUpdated(tx, emit, job.message_id, place)
      if (isSame || now === undefined) await endJob(tx, job)
      return !isSame
    })
    // The event log only queues a newer version if it contains links.
    if (isStale) await this.#queue.postpone(job, 0)
    if (pictureRefs.some(({ place }) => place === 'avatar')) await this.#queue.refill()
  }
}

/** The message of a job as it is now, if it may have previews. */
const versionOf = (sql: Transaction | Parts['sql'], { message_id }: PreviewJob, lock: ReturnType<Parts['sql']>) =>
  sql<Version[]>`select m.content, coalesce(m.edited_at, m.created_at) as version
    from messages m join channels c on c.id = m.channel_id where m.id = ${message_id} and ${isDue(sql)} ${lock}`

/**
 * Replaces link previews; other embeds stay, with their pictures. An avatar is set once.
 * @returns true if something changed
 */
async function putPreviews(
  tx: Transaction,
  message_id: number,
  version: string,
  pages: { url: string; page: PagePreview }[],
  fetchedPictures: FoundPicture[],
): Promise<boolean> {
  const [row] = await tx<{ embeds: Embed[] | null }[]>`select embeds from messages where id = ${message_id}`
  const before = row?.embeds ?? []
  const previews = pages.map(({ url, page }): Embed => ({ ...page.preview, url }))
  const embeds = previews.reduce(
    // A webhook's own embeds may leave no space for a preview.
    (all, preview) => Embeds.safeParse([...all, preview]).data ?? all,
    before.filter(({ type }) => type === 'rich').map((embed, at) => withPictures(embed, at, fetchedPictures)),
  )
  const text = embeds.length > 0 ? JSON.stringify(embeds) : null
  const avatar_url = foundAvatar(fetchedPictures)
  const data = avatar_url === undefined ? '{}' : JSON.stringify({ avatar_url })
  await tx`update messages set embeds = ${text}::text::json, previewed_version = ${version}
    ${avatar_url === undefined ? tx`` : tx`, data = (coalesce(data::jsonb, '{}') || ${data}::text::jsonb)::json`}
    where id = ${message_id}`
  await tx`delete from wanted_pictures where message_id = ${message_id} and place = 'avatar'`
  const pictures = [...pages, ...fetchedPictures].flatMap(({ page }) => page?.picture_id ?? [])
  await tx`delete from message_pictures shown using messages m, preview_pictures p
    where shown.message_id = ${message_id} and shown.picture_id <> all(${pictures}::bigint[])
      and m.id = shown.message_id and p.id = shown.picture_id and position(p.key in coalesce(m.data::text, '')) = 0`
  await tx`insert into message_pictures select distinct ${message_id}::bigint, id
    from unnest(${pictures}::bigint[]) id on conflict do nothing`
  return avatar_url !== undefined || JSON.stringify(before) !== JSON.stringify(embeds)
}
