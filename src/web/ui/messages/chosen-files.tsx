import { signal } from '@preact/signals'
import { ApiError } from '../../client/rest.ts'
import { sizeOf } from '../../state/format.ts'
import { withoutBidi } from '../../state/names.ts'
import type { ChannelPlace } from '../../state/place.ts'
import { reasonOf, ruleOf } from '../../state/reason.ts'
import { call, gateway, state } from '../../state/session.ts'
import { filesKeyOf, keepOwn, ownOf, type Unsent } from '../../state/unsent.ts'
import { upload } from '../../state/upload.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { fileWords } from '../../words/files.ts'
import { words } from '../../words/words.ts'
import { namesFor } from '../emoji/written-names.ts'
import { IconButton } from '../kit/controls.tsx'
import { showNote } from '../kit/dialogs.tsx'
import { describedIds, showDescription } from './described.tsx'
import { isSpoiler, markedOtherwise, nameOfFile } from './media.ts'
import { contentToSend, sendUnsent } from './send-unsent.ts'

const FILES_MAX = 10
/** First and longest delay before a failed upload is retried. */
const [FIRST_RETRY_MS, RETRY_MS_MAX] = [2_000, 60_000]
/** Places whose unsent files are stored. */
const PLACES_MAX = 50

/** A file that was chosen before the page was loaded has only its record on the server. */
interface Chosen {
  key: number
  name: string
  type: string
  size: number
  file: File | undefined
  /** The URL of a picture's bytes. */
  preview: string | undefined
  progress: number
  id: number | undefined
  error: string | undefined
  /** Timer of the automatic retry after a transient error. */
  trying: ReturnType<typeof setTimeout> | undefined
  stop: AbortController
}

let lastKey = 0

const chosenOf = (file: File): Chosen => ({
  key: ++lastKey,
  name: file.name,
  type: file.type,
  size: file.size,
  file,
  preview: file.size > 0 && file.type.startsWith('image/') ? URL.createObjectURL(file) : undefined,
  progress: 0,
  id: undefined,
  error: undefined,
  trying: undefined,
  stop: new AbortController(),
})

interface Noted {
  id: number
  name: string
  type: string
  size: number
}

const isNoted = (value: unknown): value is Noted =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  Number.isSafeInteger(value.id) &&
  'name' in value &&
  typeof value.name === 'string' &&
  'type' in value &&
  typeof value.type === 'string' &&
  'size' in value &&
  typeof value.size === 'number'

/** The uploaded files that this browser has noted for a place. */
function notedFor(place: ChannelPlace): Chosen[] {
  const entry = ownOf(filesKeyOf(place))
  const files: unknown = typeof entry === 'object' && entry !== null && 'files' in entry ? entry.files : []
  const notes = Array.isArray(files) ? files.filter(isNoted).slice(0, FILES_MAX) : []
  return notes.map(({ id, name, type, size }) => ({
    ...chosenOf(new File([], name, { type })),
    size,
    file: undefined,
    id,
  }))
}

function release({ stop, preview, trying }: Chosen): void {
  clearTimeout(trying)
  stop.abort()
  if (preview) URL.revokeObjectURL(preview)
}

/** The files for the message that is being written in a place. They and their uploads outlive its composer. */
class ChosenFiles {
  readonly list = signal<readonly Chosen[]>([])
  /** Number of files that exceeded the limit. */
  readonly surplus = signal(0)
  /** The message to send once the files are uploaded, if its composer is gone by then. */
  #unsent: Unsent | undefined

  constructor(readonly place: ChannelPlace) {
    const restored = notedFor(place)
    this.list.value = restored
    // After the current render, which reads the list.
    queueMicrotask(() => {
      // The note tells also of files whose uploads ended with their page.
      if (this.list.value.length === 0) this.#set([])
      void this.#dropMissing(restored)
    })
  }

  get ids(): number[] {
    return this.list.value.flatMap(({ id }) => id ?? [])
  }

  /** True if every upload has succeeded. */
  get isReady(): boolean {
    return this.ids.length === this.list.value.length
  }

  /** True if another file may be added. */
  get isFree(): boolean {
    return this.list.value.length < FILES_MAX
  }

  /** True if an upload has failed and is not retried automatically. */
  get hasFailed(): boolean {
    return this.list.value.some(({ error, trying }) => error !== undefined && trying === undefined)
  }

  /** True if leaving the page would lose a file. */
  get isAtRisk(): boolean {
    return this.list.value.some(({ id }) => id === undefined)
  }

  /** @returns false if a file exceeded the limit */
  add(files: File[]): boolean {
    const hasSpace = this.list.value.length > 0 || placesWithFiles() < PLACES_MAX
    const additions = files.slice(0, hasSpace ? FILES_MAX - this.list.value.length : 0).map(chosenOf)
    this.surplus.value = files.length - additions.length
    this.#set([...this.list.value, ...additions])
    for (const one of additions) void this.#upload(one)
    return this.surplus.value === 0
  }

  /** Uploads a file again after an error. */
  retry({ key, trying }: Chosen, tries = 0): void {
    clearTimeout(trying)
    this.#change(key, { error: undefined, trying: undefined, progress: 0 })
    const one = this.list.value.find((each) => each.key === key)
    if (one) void this.#upload(one, tries)
  }

  /** Retries failed uploads at once, because the network is back. */
  retryAll(): void {
    for (const one of this.list.value) if (one.trying !== undefined) this.retry(one)
  }

  remove(one: Chosen): void {
    release(one)
    this.surplus.value = 0
    this.#set(this.list.value.filter(({ key }) => key !== one.key))
  }

  /** Marks a file as a spoiler, or no longer: it is uploaded again under its other name. */
  mark(one: Chosen, file: File): void {
    release(one)
    const next = chosenOf(new File([file], markedOtherwise(file.name), { type: file.type }))
    this.#set(this.list.value.map((other) => (other.key === one.key ? next : other)))
    void this.#upload(next)
  }

  clear(): void {
    this.list.value.forEach(release)
    this.surplus.value = 0
    this.#set([])
  }

  /** The composer is removed while its message waits for the files: the message is sent without it. */
  leave(unsent: Unsent): void {
    this.#unsent = unsent
    void this.#sendLeft()
  }

  /** The composer is back. @returns true if its message waits for the files */
  comeBack(): boolean {
    const isWaiting = this.#unsent !== undefined
    this.#unsent = undefined
    return isWaiting
  }

  /** Drops files that another tab has sent. */
  refresh(): void {
    void this.#dropMissing(this.list.value)
  }

  /** Drops files that were sent elsewhere, or that the server has deleted because they were unsent for a day. */
  async #dropMissing(restored: readonly Chosen[]): Promise<void> {
    for (const one of restored) {
      if (one.id === undefined) continue
      const answer = await call('GET /api/files/:file_id', { file_id: one.id }).catch((error: unknown) => error)
      const isGone = answer instanceof ApiError && answer.status === 404
      if (isGone || (!(answer instanceof Error) && isAttached(answer))) this.remove(one)
    }
  }

  #set(list: readonly Chosen[]): void {
    this.list.value = list
    const files = list.flatMap(({ id, name, type, size }) => (id === undefined ? [] : { id, name, type, size }))
    keepOwn(filesKeyOf(this.place), list.length === 0 ? undefined : { files })
  }

  #change(key: number, change: Partial<Chosen>): void {
    this.list.value = this.list.value.map((one) => (one.key === key ? { ...one, ...change } : one))
  }

  async #upload(one: Chosen, tries = 0): Promise<void> {
    const { key, file, stop } = one
    if (!file) return
    try {
      const { id } = await upload(file, (progress) => this.#change(key, { progress }), stop.signal)
      this.#change(key, { id, progress: 1 })
      this.#set(this.list.value)
    } catch (error) {
      if (stop.signal.aborted) return
      const waitMs = Math.min(RETRY_MS_MAX, FIRST_RETRY_MS * 2 ** tries)
      const isPassing = error instanceof ApiError && error.isTransient
      const trying = isPassing ? setTimeout(() => this.retry(one, tries + 1), waitMs) : undefined
      const rule = error instanceof ApiError ? error.errors[0]?.message : undefined
      const reason = rule === undefined ? reasonOf(error) : ruleOf(rule)
      this.#change(key, { error: isPassing ? dialogWords.writing.tryingAgain : reason, trying })
    }
    void this.#sendLeft()
  }

  async #sendLeft(): Promise<void> {
    const unsent = this.#unsent
    const channel = state.channels.get(this.place.channel_id)
    const failed = this.list.value.find(({ error, trying }) => error !== undefined && trying === undefined)
    if (failed || !channel) this.#unsent = undefined
    if (failed && unsent) showNote(`${withoutBidi(failed.name)}: ${failed.error}`)
    if (!this.#unsent || !this.isReady) return
    await namesFor(this.#unsent.value.text)
    if (!channel || this.#unsent !== unsent || !unsent) return
    this.#unsent = undefined
    sendUnsent(this.place, { content: contentToSend(unsent.value, channel), file_ids: this.ids, reply: unsent.reply })
    this.clear()
  }
}

const isAttached = (record: unknown): boolean =>
  typeof record === 'object' && record !== null && 'message_id' in record && record.message_id !== null

const all = new Map<number, ChosenFiles>()

const placesWithFiles = (): number => [...all.values()].filter(({ list }) => list.value.length > 0).length

/** The files of a place. */
export function filesOf({ channel_id }: ChannelPlace): ChosenFiles {
  const existing = all.get(channel_id)
  if (existing) return existing
  for (const [id, { list }] of all) if (all.size > PLACES_MAX && list.peek().length === 0) all.delete(id)
  const files = new ChosenFiles({ channel_id })
  all.set(channel_id, files)
  return files
}

const retryAll = () => all.forEach((files) => files.retryAll())
window.addEventListener('online', retryAll)
gateway.watch((now) => now === 'online' && retryAll())

// Files that are not uploaded are lost with the page. Do not ask after a logout.
window.addEventListener('beforeunload', (event) => {
  if (gateway.state !== 'ended' && [...all.values()].some(({ isAtRisk }) => isAtRisk)) event.preventDefault()
})

// Another tab may have sent them.
window.addEventListener('storage', ({ key }) => {
  for (const files of all.values()) if (key === filesKeyOf(files.place)) files.refresh()
})

/** The files of the message, with their progress. */
export const Tray = ({ files }: { files: ChosenFiles }) => (
  <>
    {files.surplus.value > 0 ? (
      <p class="refusal" role="alert">
        {fileWords.tooMany(files.surplus.value)}
      </p>
    ) : null}
    {files.list.value.length > 0 ? (
      <ul class="tray">
        {files.list.value.map((one) => (
          <Row key={one.key} files={files} one={one} />
        ))}
      </ul>
    ) : null}
  </>
)

const Row = ({ files, one }: { files: ChosenFiles; one: Chosen }) => {
  const { name, type, size, file, preview, progress, id, error } = one
  const label = nameOfFile({ filename: name })
  return (
    <li class={error ? 'failed' : ''}>
      {preview ? <img class={isSpoiler(name) ? 'hazy' : ''} src={preview} alt="" /> : null}
      <span>
        <bdi>{label}</bdi>
        <small>{error ?? sizeOf(size)}</small>
      </span>
      {id === undefined && !error ? (
        <progress value={progress} max={1} aria-label={fileWords.progress(withoutBidi(name))} />
      ) : null}
      {file && error ? (
        <button type="button" class="link" onClick={() => files.retry(one)}>
          {words.messages.retry}
        </button>
      ) : null}
      {id !== undefined && /^(image|video)\//.test(type) ? (
        <IconButton
          icon="edit"
          size={16}
          label={fileWords.describe(label)}
          pressed={describedIds.value.has(id)}
          onClick={() => void showDescription(id, label)}
        />
      ) : null}
      {file && /^(image|video)\//.test(type) ? (
        <IconButton
          icon="hide"
          size={16}
          label={fileWords.mark(label)}
          pressed={isSpoiler(name)}
          onClick={() => files.mark(one, file)}
        />
      ) : null}
      <IconButton
        icon="close"
        size={16}
        label={fileWords.remove(withoutBidi(name))}
        onClick={() => files.remove(one)}
      />
    </li>
  )
}
