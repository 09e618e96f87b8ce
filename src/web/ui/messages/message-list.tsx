import { untracked, useSignalEffect } from '@preact/signals'
import { Component, type TargetedKeyboardEvent } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { nameOf } from '../../state/names.ts'
import { isLeaving } from '../../state/deleting.ts'
import { connection, follow, loader, draftsOf, state } from '../../state/session.ts'
import type { ChannelPlace } from '../../state/place.ts'
import { route } from '../../state/route.ts'
import { placeKey } from '../../client/outbox.ts'
import { dayOf, isSameDay } from '../../state/format.ts'
import type { Entry, Timeline } from '../../state/timeline.ts'
import { words } from '../../words/words.ts'
import { Later } from '../kit/later.tsx'
import { drawer, onPhone } from '../kit/pane.tsx'
import { isPageActive, markLeft, markRead } from './attention.ts'
import { Beginning } from './beginning.tsx'
import { authorIdOf } from './current-message.ts'
import { continues, useDrawnRows } from './drawn-rows.ts'
import { MessageRow, DraftRow, type RowProps } from './message.tsx'
import { noticeText } from './notice.tsx'
import { plainLine, sayingOf } from '../../state/plain-line.ts'
import { isSought, lastSent, lastVisible, seek, startAt, useScroll } from './scroll.ts'
import { stepOf } from '../../state/keyboard.ts'

/** Interval at which a list at its end checks for messages to unload. */
const LOOKS_MS = 3_000
/** Pause between a failed request and the next one. */
const RETRY_MS = 3_000

/** The last read message when the place was opened; the "new" line is below it. */
function readUntil({ channel_id }: ChannelPlace): number {
  const channel = state.channels.get(channel_id)
  return channel && state.isUnread(channel) ? state.readUntil(channel_id) : Number.POSITIVE_INFINITY
}

/** The id of the message above the "new" line; moves to the end when the window loses the focus. */
function useNewLine(place: ChannelPlace, timeline: Timeline | undefined) {
  const openedAt = useRef<number | undefined>(undefined)
  if (timeline?.loaded && openedAt.current === undefined) {
    openedAt.current = readUntil(place)
    const first = firstNew(timeline.entries, openedAt.current, timeline.atOldest)
    if (first !== undefined) startAt(place, first)
  }
  const [lineId, setLine] = useState<number>()
  useEffect(() => {
    const blur = () => setLine(timeline?.entries.at(-1)?.id ?? Number.POSITIVE_INFINITY)
    window.addEventListener('blur', blur)
    return () => window.removeEventListener('blur', blur)
  }, [timeline])
  return lineId ?? openedAt.current ?? Number.POSITIVE_INFINITY
}

/**
 * The first message of another account below the line.
 * @param isWhole true if no older messages exist, so that the line may be above these
 */
function firstNew(entries: Entry[], lineId: number, isWhole: boolean): number | undefined {
  if (!isWhole && (entries[0]?.id ?? Number.POSITIVE_INFINITY) > lineId) return undefined
  return entries.find((entry) => entry.id > lineId && authorIdOf(entry) !== state.me() && entry.kind === 'default')?.id
}

/** Fetches the messages of a place: the first page at once, further ones during scrolling. */
function usePages(place: ChannelPlace, timeline: Timeline | undefined) {
  const isOnline = connection.value === 'online'
  const [hasFailed, setFailed] = useState(false)
  const failedAt = useRef(0)
  const load = (work: Promise<void>) =>
    work.then(
      () => setFailed(false),
      () => {
        failedAt.current = Date.now()
        setFailed(true)
      },
    )
  const open = () => void load(loader.openAtUnread(place))
  useEffect(() => {
    if (isOnline && !timeline?.loaded) open()
  }, [placeKey(place), isOnline, timeline])
  const lacksFirst = hasFailed && isOnline && !timeline?.loaded
  useEffect(() => {
    if (!lacksFirst) return
    const timer = setInterval(open, RETRY_MS)
    return () => clearInterval(timer)
  }, [lacksFirst, placeKey(place)])
  useEffect(() => {
    // The last viewed message may be far above.
    if (isOnline && timeline?.loaded && !isSought(place)) void load(loader.openAtUnread(place))
  }, [placeKey(place)])
  /** True if all rows are rendered. Until then the list's end is not the end of the place. */
  const isWhole = useRef(false)
  const fetch = (part: 'older' | 'newer', isAsked = false) => {
    const isPaused = Date.now() - failedAt.current <= RETRY_MS
    if (isOnline && isWhole.current && (isAsked || !isPaused)) void load(loader.page(place, part))
  }
  return { hasFailed, load, fetch, isWhole, open }
}

/** True while a phone shows the lists or another tab in front of the messages. */
const isCovered = (): boolean => onPhone.value && drawer.value

/** Marks a place read as far as its messages have been visible while the page is active. */
function useReadMark(place: ChannelPlace, scroll: ReturnType<typeof useScroll>, timeline: Timeline | undefined) {
  const current = useRef(timeline)
  current.current = timeline
  const atBottom = useRef(scroll.atBottom)
  atBottom.current = scroll.atBottom
  const mark = () => {
    if (!isPageActive() || isCovered() || !current.current?.loaded) return
    markRead(place, () => {
      if (isCovered()) return { id: undefined, isNewest: false }
      const isNewest = current.current?.atNewest === true && atBottom.current
      const newest =
        (current.current?.barred && state.newest.get(place.channel_id)) || current.current?.entries.at(-1)?.id
      return { id: isNewest ? newest : lastVisible(scroll.ref.current), isNewest }
    })
  }
  useEffect(() => {
    mark()
    window.addEventListener('focus', mark)
    return () => window.removeEventListener('focus', mark)
  }, [placeKey(place), timeline?.entries.at(-1)?.id, timeline?.atNewest, scroll.atBottom])
  useSignalEffect(() => void (isCovered() || untracked(mark)))
  // The rows are measured before they are removed: before anything of the page changes, since its layout is known then.
  useSignalEffect(() => void (route.value, untracked(() => markLeft(place))))
  useLayoutEffect(() => () => markLeft(place), [placeKey(place)])
  return mark
}

/** Scrolls to the end when the account has sent a message. */
function useOwnMessages({ channel_id }: ChannelPlace, jump: () => unknown): void {
  const before = useRef(lastSent.value)
  useEffect(() => {
    if (before.current !== lastSent.value && lastSent.value.channel_id === channel_id) void jump()
    before.current = lastSent.value
  }, [lastSent.value])
}

const noHistoryIn = async (place: ChannelPlace, title: string) => {
  const { NoHistory } = await import('./no-history.tsx')
  return () => <NoHistory place={place} title={title} />
}

/** Unloads messages far above while the list rests at its end. */
function useResting(place: ChannelPlace, timeline: Timeline | undefined, lineId: number, isAtBottom: boolean) {
  useEffect(() => {
    if (!timeline || !isAtBottom) return
    let isResting = true
    const look = () =>
      import('./resting.ts').then(
        ({ unloadAbove }) => void (isResting && unloadAbove(place, timeline, lineId)),
        () => {},
      )
    const timer = setInterval(look, LOOKS_MS)
    return () => ((isResting = false), clearInterval(timer))
  }, [timeline, lineId, isAtBottom])
}

/** The messages of a place. Pages load at both ends during scrolling; the number of rows is bounded. */
export const MessageList = ({ place, title }: { place: ChannelPlace; title: string }) => {
  const key = placeKey(place)
  follow(`timeline ${key}`)
  const timeline = state.timelines.get(key)
  const { hasFailed, load, fetch, isWhole, open } = usePages(place, timeline)
  const lineId = useNewLine(place, timeline)
  const scroll = useScroll(place, timeline, fetch)
  const pending = draftsOf(place)
  const newest = timeline?.entries.at(-1)
  const markSeen = useReadMark(place, scroll, timeline)
  useResting(place, timeline, lineId, scroll.atBottom)
  useLayoutEffect(scroll.restore)
  const jump = async () => {
    // Another page may be on its way: then the newest is requested after it.
    const isAway = () => state.timelines.get(key)?.atNewest === false
    for (let tries = 0; isAway() && tries < 3; tries++) await load(loader.page(place, 'newest'))
    scroll.toEnd()
  }
  useOwnMessages(place, jump)
  // A message that was marked as unread by hand may be read once the place is opened again.
  useEffect(() => void state.markedUnread.delete(place.channel_id), [key])
  return (
    <div class="messages">
      <NewAbove timeline={timeline} lineId={lineId} place={place} />
      <div
        ref={scroll.ref}
        class="scroll"
        role="region"
        aria-label={words.messages.list(title)}
        onScroll={() => (scroll.onScroll(), markSeen())}
        onKeyDown={enterList}
        tabIndex={0}
      >
        <div class="top">
          {timeline?.barred ? (
            <Later key={key} load={() => noHistoryIn(place, title)} silent />
          ) : timeline?.atOldest ? (
            <Beginning place={place} title={title} />
          ) : (
            <p class={`quiet ${hasFailed ? '' : 'loading'}`} role={hasFailed ? 'alert' : undefined}>
              {hasFailed ? words.messages.failed : words.loading}{' '}
              {hasFailed ? (
                <button type="button" class="link" onClick={timeline?.loaded ? () => fetch('older', true) : open}>
                  {words.messages.retry}
                </button>
              ) : null}
            </p>
          )}
        </div>
        <ol class="entries">
          <Entries
            place={place}
            entries={timeline?.entries.filter(({ id }) => !isLeaving(id)) ?? []}
            lineId={lineId}
            atOldest={timeline?.atOldest === true}
            isWhole={isWhole}
            restore={scroll.restore}
          />
          {timeline?.atNewest === false ? null : pending.map((draft) => <DraftRow key={draft.nonce} draft={draft} />)}
        </ol>
      </div>
      {!timeline?.loaded || (scroll.atBottom && timeline.atNewest) ? null : (
        <button type="button" class="present" onClick={jump}>
          {words.messages.toNewest}
        </button>
      )}
      <Announcer place={place} newest={newest} />
    </div>
  )
}

/** Arrow up moves the focus from the list to its newest message. */
function enterList(event: TargetedKeyboardEvent<HTMLElement>): void {
  if (event.target !== event.currentTarget || stepOf(event) !== -1) return
  const rows = event.currentTarget.querySelectorAll<HTMLElement>('[data-id]')
  event.preventDefault()
  rows.item(rows.length - 1)?.focus()
}

interface EntriesProps {
  place: ChannelPlace
  entries: Entry[]
  lineId: number
  atOldest: boolean
  /** True if all rows are rendered. */
  isWhole: { current: boolean }
  restore: () => void
}

/**
 * A row that renders again only if its message, or its relation to the message above, has changed. The list creates new
 * elements on each render: a cached element would keep the elements of its whole render alive, and so on to the first.
 */
class Row extends Component<RowProps> {
  override shouldComponentUpdate({ entry, continued, day, isNew }: RowProps): boolean {
    const before = this.props
    return entry !== before.entry || continued !== before.continued || day !== before.day || isNew !== before.isNew
  }

  override render() {
    return <MessageRow {...this.props} />
  }
}

const Entries = (props: EntriesProps) => {
  const { place, entries: all, lineId, atOldest } = props
  const newId = firstNew(all, lineId, atOldest)
  const [from, to] = useDrawnRows(props)
  return all.slice(from, to).map((entry, nth) => {
    const before = all[from + nth - 1]
    const day = !before || !isSameDay(before.created_at, entry.created_at) ? dayOf(entry.created_at) : ''
    const isNew = entry.id === newId
    const continued = continues(entry, before) && !isNew
    return <Row key={entry.id} place={place} entry={entry} continued={continued} day={day} isNew={isNew} />
  })
}

/** A button to the new messages above the visible ones. */
const NewAbove = ({
  timeline,
  lineId,
  place,
}: {
  timeline: Timeline | undefined
  lineId: number
  place: ChannelPlace
}) => {
  const first = timeline?.entries[0]?.id
  if (first === undefined || lineId >= first || timeline?.atOldest) return null
  return (
    <button type="button" class="above" onClick={() => seek(place, Math.max(1, lineId))}>
      {words.messages.newAbove}
    </button>
  )
}

/** Announces new messages to screen readers, but not loaded older ones. */
const Announcer = ({ place, newest }: { place: ChannelPlace; newest: Entry | undefined }) => {
  const key = placeKey(place)
  const announcement = useRef<{ key: string; id?: number; text: string }>({ key, text: '' })
  if (announcement.current.key !== key) announcement.current = { key, text: '' }
  const { id } = announcement.current
  if (newest && id !== undefined && newest.id > id) {
    const authorId = authorIdOf(newest)
    const isOwn = authorId === state.me()
    const line = `${nameOf(authorId)}: ${plainLine(sayingOf(newest))}`
    announcement.current.text = isOwn ? '' : newest.kind === 'default' ? line : noticeText(newest)
  }
  // The text stays until the next message: it is read once, when it changes.
  if (newest) announcement.current.id = newest.id
  return (
    <p class="hidden" aria-live="polite">
      {announcement.current.text}
    </p>
  )
}
