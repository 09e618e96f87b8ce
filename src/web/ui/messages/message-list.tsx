import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { nameOf } from '../../state/names.ts'
import { connection, follow, loader, draftsOf, state } from '../../state/session.ts'
import { type Place, placeKey } from '../../client/outbox.ts'
import { dayOf, isSameDay } from '../../state/format.ts'
import type { Entry, Timeline } from '../../state/timeline.ts'
import { words } from '../../words/words.ts'
import { isWatched, markRead } from './attention.ts'
import { authorIdOf, MessageRow, PendingRow } from './message.tsx'
import { seek, useScroll } from './scroll.ts'
import { TypingLine } from './typing.tsx'

const GROUP_MS = 7 * 60_000
/** What could not be fetched is not asked for again so soon. */
const PATIENCE_MS = 3_000

/** Whether a message stands below the one before it, without its author's name again. */
const continues = (entry: Entry, before: Entry | undefined): boolean =>
  before !== undefined &&
  authorIdOf(before) === authorIdOf(entry) &&
  !('reply_to_id' in entry && entry.reply_to_id !== null) &&
  Date.parse(entry.created_at) - Date.parse(before.created_at) < GROUP_MS &&
  isSameDay(entry.created_at, before.created_at)

/** The newest message that had been read when the place was opened: the line stands below it. */
function readUntil(place: Place, timeline: Timeline | undefined): number {
  if ('channel_id' in place) {
    const channel = state.channels.get(place.channel_id)
    if (!channel || !state.isUnread(channel)) return Number.POSITIVE_INFINITY
    return state.readUntil(place.channel_id)
  }
  const unread = timeline?.entries.find(
    (entry) => 'read_at' in entry && entry.read_at === null && entry.recipient_id === state.me(),
  )
  return unread ? unread.id - 1 : Number.POSITIVE_INFINITY
}

/** Where the "new" line stands; it comes anew when one has looked away. */
function useNewLine(place: Place, timeline: Timeline | undefined) {
  const [line, setLine] = useState<number>()
  useEffect(() => {
    if (timeline?.loaded && line === undefined) setLine(readUntil(place, timeline))
  }, [timeline?.loaded])
  useEffect(() => {
    const blur = () => setLine(timeline?.entries.at(-1)?.id ?? Number.POSITIVE_INFINITY)
    window.addEventListener('blur', blur)
    return () => window.removeEventListener('blur', blur)
  }, [timeline])
  return line ?? Number.POSITIVE_INFINITY
}

/** Fetches the messages of a place: the first page at once, the others as they are wanted. */
function usePages(place: Place, timeline: Timeline | undefined) {
  const online = connection.value === 'online'
  const [failed, setFailed] = useState(false)
  const failedAt = useRef(0)
  const load = (work: Promise<void>) =>
    work.then(
      () => setFailed(false),
      () => {
        failedAt.current = Date.now()
        setFailed(true)
      },
    )
  useEffect(() => {
    if (online && !timeline?.loaded) void load(loader.open(place))
  }, [placeKey(place), online, timeline])
  const fetch = (wanted: 'older' | 'newer') => {
    if (online && Date.now() - failedAt.current > PATIENCE_MS) void load(loader.page(place, wanted))
  }
  return { failed, load, fetch }
}

/** Marks a place read while its end is looked at. */
function useMarking(place: Place, newest_id: number | undefined, atEnd: boolean): void {
  useEffect(() => {
    const look = () => atEnd && isWatched() && markRead(place, newest_id)
    look()
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  }, [placeKey(place), newest_id, atEnd])
}

/** The messages of a place: they load as one scrolls, at both ends, and never more than a bounded row is there. */
export const MessageList = ({ place, title }: { place: Place; title: string }) => {
  const key = placeKey(place)
  follow(`timeline ${key}`)
  const timeline = state.timelines.get(key)
  const { failed, load, fetch } = usePages(place, timeline)
  const line = useNewLine(place, timeline)
  const scroll = useScroll(timeline, fetch)
  const pending = draftsOf(place)
  const newest = timeline?.entries.at(-1)
  useMarking(place, newest?.id, timeline?.atNewest === true && scroll.atBottom)
  useLayoutEffect(scroll.settle)
  const jump = () => (timeline?.atNewest ? scroll.toEnd() : load(loader.page(place, 'newest')).then(scroll.toEnd))
  return (
    <div class="messages">
      <NewAbove timeline={timeline} line={line} place={place} />
      <div
        ref={scroll.ref}
        class="scroll"
        role="region"
        aria-label={words.messages.list(title)}
        onScroll={scroll.onScroll}
        onKeyDown={enterList}
        tabIndex={0}
      >
        <div class="top">
          {timeline?.atOldest ? (
            <Beginning place={place} title={title} />
          ) : (
            <p class="quiet">{failed ? words.messages.failed : words.loading}</p>
          )}
        </div>
        <ol class="entries">
          <Entries place={place} entries={timeline?.entries ?? []} line={line} />
          {timeline?.atNewest === false ? null : pending.map((draft) => <PendingRow key={draft.nonce} draft={draft} />)}
        </ol>
      </div>
      {scroll.atBottom && timeline?.atNewest !== false ? null : (
        <button type="button" class="present" onClick={jump}>
          {words.messages.toPresent}
        </button>
      )}
      <Announcer place={place} newest={newest} />
      <TypingLine place={place} />
    </div>
  )
}

/** From the list itself an arrow leads to its newest message. */
function enterList(event: KeyboardEvent): void {
  if (event.target !== event.currentTarget || event.key !== 'ArrowUp') return
  const rows = (event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[data-id]')
  event.preventDefault()
  rows.item(rows.length - 1)?.focus()
}

const Beginning = ({ place, title }: { place: Place; title: string }) => (
  <div class="beginning">
    <h2>
      <bdi>{'channel_id' in place ? `#${title}` : title}</bdi>
    </h2>
    <p class="quiet">{'channel_id' in place ? words.messages.beginning : words.direct.beginning}</p>
  </div>
)

/** The rows; each is made again only when its message has changed. */
const Entries = ({ place, entries, line }: { place: Place; entries: Entry[]; line: number }) => {
  const kept = useRef(new Map<number, { entry: Entry; mark: string; row: preact.VNode }>())
  const next = new Map<number, { entry: Entry; mark: string; row: preact.VNode }>()
  entries.forEach((entry, at) => {
    const before = entries[at - 1]
    const day = !before || !isSameDay(before.created_at, entry.created_at) ? dayOf(entry.created_at) : ''
    const isNew = before !== undefined && entry.id > line && before.id <= line && authorIdOf(entry) !== state.me()
    const mark = `${continues(entry, before) && !isNew} ${isNew} ${day}`
    const known = kept.current.get(entry.id)
    const row =
      known?.entry === entry && known.mark === mark ? (
        known.row
      ) : (
        <MessageRow
          key={entry.id}
          place={place}
          entry={entry}
          continued={continues(entry, before) && !isNew}
          day={day}
          isNew={isNew}
        />
      )
    next.set(entry.id, { entry, mark, row })
  })
  kept.current = next
  return <>{[...next.values()].map(({ row }) => row)}</>
}

/** New messages above what is shown: how to get there. */
const NewAbove = ({ timeline, line, place }: { timeline: Timeline | undefined; line: number; place: Place }) => {
  const first = timeline?.entries[0]?.id
  if (first === undefined || line >= first || timeline?.atOldest || line === 0) return null
  return (
    <button type="button" class="above" onClick={() => seek(place, line)}>
      {words.messages.newAbove}
    </button>
  )
}

/** Tells readers of screens what comes in, without what is loaded from before. */
const Announcer = ({ place, newest }: { place: Place; newest: Entry | undefined }) => {
  const since = useRef<number | undefined>(undefined)
  const key = placeKey(place)
  useEffect(() => {
    since.current = undefined
  }, [key])
  const before = since.current
  since.current = newest?.id ?? since.current
  const isNews = before !== undefined && newest !== undefined && newest.id > before
  const text = isNews && authorIdOf(newest) !== state.me() ? `${nameOf(authorIdOf(newest))}: ${newest.content}` : ''
  return (
    <p class="hidden" aria-live="polite">
      {text}
    </p>
  )
}
