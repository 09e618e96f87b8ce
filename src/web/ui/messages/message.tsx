import { signal, useComputed } from '@preact/signals'
import type { TargetedKeyboardEvent } from 'preact'
import { useState } from 'preact/hooks'
import { nameOf } from '../../state/names.ts'
import { follow, outbox, state } from '../../state/session.ts'
import type { ChannelPlace } from '../../state/place.ts'
import type { Draft } from '../../client/outbox.ts'
import { serverNow } from '../../state/server-clock.ts'
import { clockOf, momentOf } from '../../state/format.ts'
import type { Entry } from '../../state/timeline.ts'
import { isCalled } from '../../state/unread.ts'
import { words } from '../../words/words.ts'
import { MessageShown } from '../emoji/emoji.tsx'
import { Attachments } from './attachments.tsx'
import { AuthorPicture, Avatar, KindSign } from '../kit/controls.tsx'
import { Icon } from '../kit/icons.tsx'
import { Later } from '../kit/later.tsx'
import { openMenu } from '../kit/menu.tsx'
import { roleColor } from '../kit/role-color.ts'
import { RoleIcon } from '../kit/role-icon.tsx'
import { showProfile } from '../people/show-people.tsx'
import { active, authorIdOf, editing, isFinger } from './current-message.ts'
import { Embeds } from './embeds.tsx'
import { StickerLater } from './sticker-later.tsx'
import { Forwarded } from './forwarded.tsx'
import { NoticeRow } from './notice.tsx'
import { Quote } from './quote.tsx'
import { ReactionBar } from './reactions.tsx'
import { RichText } from './rich-text.tsx'
import { actByKey, Tool } from './tools.tsx'
import { ThreadLine } from '../threads/thread-link.tsx'
import { SelectBox, selectedIn } from './selection.tsx'
import { stepOf } from '../../state/keyboard.ts'

const authorNameOf = ({ author, member }: Entry): string => nameOf(author.id, member?.nickname ?? author.display_name)

/** The server of a place, or 0. */
const serverOf = ({ channel_id }: ChannelPlace): number => state.channels.get(channel_id)?.server_id ?? 0

export interface RowProps {
  place: ChannelPlace
  entry: Entry
  continued: boolean
  /** The day that begins with this message, or nothing. */
  day: string
  isNew: boolean
}

/** Another account's message younger than this slides in. */
const FRESH_MS = 3_000

const STAYING = { preventScroll: true }

/** Arrow keys move the focus from message to message. */
function moveFocus(event: TargetedKeyboardEvent<HTMLElement>): void {
  const row = event.currentTarget
  const step = stepOf(event)
  if (event.target !== row || step === undefined) return
  const next = step < 0 ? row.previousElementSibling : row.nextElementSibling
  event.preventDefault()
  if (next instanceof HTMLElement) next.focus()
}

export const MessageRow = ({ place, entry, continued, day, isNew }: RowProps) => {
  // Only the rows that the pointer leaves and enters render again.
  const isActive = useComputed(() => active.value === entry.id).value
  const isEditing = editing.value === entry.id && authorIdOf(entry) === state.me()
  const mentionsMe = isCalled(state, entry)
  const [isFresh] = useState(
    () => entry.author.id !== state.me() && serverNow() - Date.parse(entry.created_at) < FRESH_MS,
  )
  const style = `message ${continued ? 'continued' : ''} ${mentionsMe ? 'called' : ''} ${isFresh ? 'fresh' : ''}`
  // A menu belongs to the message that it was opened from.
  const enter = () => openMenu.value ?? (active.value = entry.id)
  const point = () => {
    // Else the focus, when its button goes, would bring the buttons of its row back.
    if (!isActive) document.activeElement?.closest('.actions')?.closest<HTMLElement>('.message')?.focus(STAYING)
    enter()
  }
  const rule =
    day || isNew ? (
      <p class={`rule ${isNew ? 'new' : ''}`}>
        {day ? <span>{day}</span> : null}
        {isNew ? <b>{words.messages.new}</b> : null}
      </p>
    ) : null
  const isSelecting = selectedIn(entry.channel_id) !== undefined
  if (entry.kind !== 'default') return <NoticeRow entry={entry} rule={rule} onKeyDown={moveFocus} />
  return (
    <li
      class={style}
      data-id={entry.id}
      data-channel={entry.channel_id}
      data-menu={`message ${entry.id} ${entry.channel_id}`}
      tabIndex={isActive ? 0 : -1}
      onPointerEnter={({ pointerType }) => pointerType === 'touch' || point()}
      onClick={point}
      onFocusCapture={enter}
      onKeyDown={(event) => (moveFocus(event), actByKey(event, entry))}
    >
      {rule}
      {entry.reply_to_id !== null ? <Quote place={place} id={entry.reply_to_id} /> : null}
      <Head place={place} entry={entry} continued={continued} />
      <MessageShown.Provider value={{ message_id: entry.id, server_id: serverOf(place) || null }}>
        {isEditing ? <Tool part="Editor" entry={entry} meanwhile={<Said entry={entry} />} /> : <Said entry={entry} />}
      </MessageShown.Provider>
      {entry.thread ? <ThreadLine entry={entry} /> : null}
      {isSelecting ? <SelectBox entry={entry} /> : null}
      {isActive && !isSelecting && !isEditing && !isFinger.value ? <Tool part="ActionBar" entry={entry} /> : null}
    </li>
  )
}

const Head = ({ place, entry, continued }: Pick<RowProps, 'place' | 'entry' | 'continued'>) => {
  follow('members')
  const id = authorIdOf(entry)
  if (continued)
    return (
      <time class="gutter" dateTime={entry.created_at} title={momentOf(entry.created_at)}>
        {clockOf(entry.created_at)}
      </time>
    )
  const serverId = serverOf(place)
  const { author } = entry
  const name = authorNameOf(entry)
  const isWebhook = author.kind === 'webhook'
  return (
    <>
      <span class="gutter">
        <AuthorPicture entry={entry} />
      </span>
      <div class="byline">
        {isWebhook ? (
          <span class="name">
            <bdi>{name}</bdi> <small class="kind-sign">{words.messages.webhook}</small>
          </span>
        ) : (
          <button
            type="button"
            class="name"
            tabIndex={-1}
            data-menu={`person ${id} ${serverId}`}
            onClick={() => void showProfile(id, serverId)}
          >
            <bdi {...roleColor(serverId, id)}>{name}</bdi>
          </button>
        )}
        <RoleIcon of={id} server_id={serverId} />
        <KindSign kind={state.users.get(author.id)?.kind ?? author.kind} />
        {author.kind === 'imported' ? <small class="edited">{words.messages.imported}</small> : null}
        <time dateTime={entry.created_at} title={momentOf(entry.created_at)}>
          {clockOf(entry.created_at)}
        </time>
      </div>
    </>
  )
}

/** Messages of blocked accounts that the person has expanded. */
const unfoldedIds = signal<ReadonlySet<number>>(new Set())

/** A message's content; in a group, that of a blocked account is folded. */
const Said = ({ entry }: { entry: Entry }) => {
  if (state.channels.get(entry.channel_id)?.type === 'group') follow('shell')
  if (!state.isFolded(entry.channel_id, entry.author.id) || unfoldedIds.value.has(entry.id))
    return <Body entry={entry} />
  return (
    <p class="body quiet">
      {words.messages.fromBlocked}{' '}
      <button
        type="button"
        class="link"
        onClick={() => (unfoldedIds.value = new Set([...unfoldedIds.value, entry.id]))}
      >
        {words.messages.show}
      </button>
    </p>
  )
}

const botParts = async (entry: Entry) => {
  const { BotParts } = await import('../commands/bot-parts.tsx')
  return () => <BotParts entry={entry} />
}

const pollOf = async (entry: Entry) => {
  const { PollView } = await import('./poll.tsx')
  return () => <PollView entry={entry} />
}

const Body = ({ entry }: { entry: Entry }) => (
  <div class="body">
    {entry.content ? <RichText text={entry.content} mentions={entry} /> : null}
    {entry.forwarded ? <Forwarded forwarded={entry.forwarded} entry={entry} /> : null}
    {entry.edited_at ? (
      <small class="edited" title={momentOf(entry.edited_at)}>
        {words.messages.edited}
      </small>
    ) : null}
    {entry.files.length > 0 ? <Attachments entry={entry} /> : null}
    {entry.embeds.length > 0 ? <Embeds embeds={entry.embeds} entry={entry} /> : null}
    {entry.poll ? <Later load={() => pollOf(entry)} /> : null}
    {entry.sticker === undefined ? null : <StickerLater sticker={entry.sticker} entry={entry} />}
    {entry.data && entry.author.kind !== 'webhook' ? (
      <Later key={JSON.stringify(entry.data)} load={() => botParts(entry)} />
    ) : null}
    {entry.sender_id === state.me() && entry.read_at ? (
      <small class="edited" title={momentOf(entry.read_at)}>
        {words.direct.read}
      </small>
    ) : null}
    {entry.pinned_at === null ? null : (
      <small class="edited pinned">
        <Icon name="pin" size={13} /> {words.pins.pinned}
      </small>
    )}
    <ReactionBar entry={entry} />
  </div>
)

/** A message that is being sent, or was refused. */
export const DraftRow = ({ draft }: { draft: Draft }) => (
  <li
    class={`message pending ${draft.refused ? 'refused' : ''}`}
    data-id={draft.nonce}
    tabIndex={-1}
    onKeyDown={moveFocus}
  >
    <span class="gutter">
      <Avatar id={state.me()} size={40} />
    </span>
    <div class="byline">
      <span class="name">
        <bdi>{nameOf(state.me())}</bdi>
      </span>
      <time dateTime={draft.created_at}>{draft.refused ? '' : words.messages.sending}</time>
    </div>
    <div class="body">
      {draft.content ? <RichText text={draft.content} /> : null}
      {draft.file_ids.length > 0 ? <p class="quiet">{words.files.count(draft.file_ids.length)}</p> : null}
      {draft.refused ? (
        <p class="refusal" role="alert">
          {words.messages.refused} {draft.refused}{' '}
          {draft.lacks_reply ? (
            <button type="button" class="link" onClick={() => outbox.retry(draft.nonce, { reply_to_id: null })}>
              {words.messages.withoutReply}
            </button>
          ) : (
            <button type="button" class="link" onClick={() => outbox.retry(draft.nonce)}>
              {words.messages.retry}
            </button>
          )}{' '}
          <button type="button" class="link" onClick={() => outbox.drop(draft.nonce)}>
            {words.messages.giveUp}
          </button>
        </p>
      ) : null}
    </div>
  </li>
)
