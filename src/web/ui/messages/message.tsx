import { signal } from '@preact/signals'
import type { TargetedKeyboardEvent } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type Composition, compositionOf, contentOf } from '../../state/mentions.ts'
import { knownNameOf, nameOf } from '../../state/names.ts'
import { call, follow, outbox, state } from '../../state/session.ts'
import type { Draft, Place } from '../../client/outbox.ts'
import { clockOf, momentOf } from '../../state/format.ts'
import type { Entry } from '../../state/timeline.ts'
import { words } from '../../words/words.ts'
import { Attachments } from './attachments.tsx'
import { Avatar, IconButton } from '../kit/controls.tsx'
import { askToConfirm, showDialog } from '../kit/dialogs.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { roleColor } from '../kit/role-color.ts'
import { Profile } from '../people/profile.tsx'
import { MentionField } from './mention-field.tsx'
import { Quote } from './quote.tsx'
import { RichText } from './rich-text.tsx'

export const authorIdOf = (entry: Entry): number => ('sender_id' in entry ? entry.sender_id : entry.author.id)
const authorNameOf = (entry: Entry): string =>
  nameOf(authorIdOf(entry), 'author' in entry ? (entry.member?.nickname ?? entry.author.display_name) : undefined)

/** The message whose actions are shown: under the pointer, or with the focus. */
const active = signal<number | undefined>(undefined)
/** The own message that is being edited. */
export const editing = signal<number | undefined>(undefined)
/** The message that is being replied to. */
export const replying = signal<Entry | undefined>(undefined)

const serverOf = (place: Place): number =>
  'channel_id' in place ? (state.channels.get(place.channel_id)?.server_id ?? 0) : 0

interface RowProps {
  place: Place
  entry: Entry
  continued: boolean
  /** The day that begins with this message, or nothing. */
  day: string
  isNew: boolean
}

/** Arrow keys move the focus from message to message. */
function moveFocus(event: TargetedKeyboardEvent<HTMLElement>): void {
  const row = event.currentTarget
  if (event.target !== row || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
  const next = event.key === 'ArrowUp' ? row.previousElementSibling : row.nextElementSibling
  event.preventDefault()
  if (next instanceof HTMLElement) next.focus()
}

export const MessageRow = ({ place, entry, continued, day, isNew }: RowProps) => {
  const isActive = active.value === entry.id
  const mentionsMe = 'mention_ids' in entry && entry.mention_ids.includes(state.me())
  const style = `message ${continued ? 'continued' : ''} ${mentionsMe ? 'called' : ''}`
  const enter = () => (active.value = entry.id)
  return (
    <li
      class={style}
      data-id={entry.id}
      tabIndex={isActive ? 0 : -1}
      onPointerEnter={enter}
      onFocusCapture={enter}
      onKeyDown={moveFocus}
    >
      {day || isNew ? (
        <p class={`rule ${isNew ? 'new' : ''}`}>
          {day ? <span>{day}</span> : null}
          {isNew ? <b>{words.messages.new}</b> : null}
        </p>
      ) : null}
      {'reply_to_id' in entry && entry.reply_to_id !== null ? <Quote place={place} id={entry.reply_to_id} /> : null}
      <Head place={place} entry={entry} continued={continued} />
      {editing.value === entry.id ? <Editor entry={entry} /> : <Body entry={entry} />}
      {isActive && editing.value !== entry.id ? <Actions place={place} entry={entry} /> : null}
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
  const server_id = serverOf(place)
  return (
    <>
      <span class="gutter">
        <Avatar id={id} size={40} />
      </span>
      <div class="byline">
        <button
          type="button"
          class="name"
          tabIndex={-1}
          onClick={() => showDialog(() => <Profile user_id={id} {...(server_id ? { server_id } : {})} />)}
        >
          <bdi {...roleColor(server_id, id)}>{authorNameOf(entry)}</bdi>
        </button>
        <time dateTime={entry.created_at} title={momentOf(entry.created_at)}>
          {clockOf(entry.created_at)}
        </time>
      </div>
    </>
  )
}

const Body = ({ entry }: { entry: Entry }) => (
  <div class="body">
    {entry.content ? <RichText text={entry.content} /> : null}
    {entry.edited_at ? (
      <small class="edited" title={momentOf(entry.edited_at)}>
        {words.messages.edited}
      </small>
    ) : null}
    {entry.files.length > 0 ? <Attachments files={entry.files} /> : null}
    {'read_at' in entry && entry.sender_id === state.me() && entry.read_at ? (
      <small class="edited" title={momentOf(entry.read_at)}>
        {words.direct.read}
      </small>
    ) : null}
  </div>
)

/** Whether the account may delete the message. */
function mayDelete(place: Place, entry: Entry): boolean {
  if (authorIdOf(entry) === state.me()) return true
  const channel = 'channel_id' in place ? state.channels.get(place.channel_id) : undefined
  return channel !== undefined && state.mayIn(channel, 'manage_messages')
}

/** Deletes the message after a confirmation. */
function askDelete(place: Place, entry: Entry): void {
  const path = 'channel_id' in place ? 'DELETE /api/messages/:message_id' : 'DELETE /api/dm/messages/:message_id'
  askToConfirm({
    title: words.messages.delete,
    text: words.messages.deleteText,
    action: words.messages.delete,
    work: () => call(path, { message_id: entry.id }),
  })
}

const Actions = ({ place, entry }: Pick<RowProps, 'place' | 'entry'>) => (
  <div class="actions" role="group" aria-label={words.messages.actions}>
    {'channel_id' in place ? (
      <IconButton icon="reply" size={18} label={words.messages.reply} onClick={() => (replying.value = entry)} />
    ) : null}
    {authorIdOf(entry) === state.me() ? (
      <IconButton icon="edit" size={18} label={words.messages.edit} onClick={() => (editing.value = entry.id)} />
    ) : null}
    {mayDelete(place, entry) ? (
      <IconButton icon="trash" size={18} label={words.messages.delete} onClick={() => askDelete(place, entry)} />
    ) : null}
  </div>
)

/** Half-edited texts by message: another message or place may be opened meanwhile. */
const half_edited = new Map<number, Composition>()
const HALF_EDITED_MAX = 50

function keepHalfEdited(id: number, value: Composition): void {
  half_edited.delete(id)
  half_edited.set(id, value)
  for (const oldest of half_edited.keys()) if (half_edited.size > HALF_EDITED_MAX) half_edited.delete(oldest)
}

/** Edits the own message: Enter saves, Escape cancels. */
const Editor = ({ entry }: { entry: Entry }) => {
  const [value, setValue] = useState(() => half_edited.get(entry.id) ?? compositionOf(entry.content, knownNameOf))
  const change = (next: Composition) => {
    setValue(next)
    keepHalfEdited(entry.id, next)
  }
  const close = () => {
    half_edited.delete(entry.id)
    editing.value = undefined
  }
  const { attempt, busy, error } = useAttempt()
  const box = useRef<HTMLTextAreaElement>(null)
  // Before the next key: a keystroke may follow at once.
  useLayoutEffect(() => {
    const opener = document.activeElement
    box.current?.focus()
    box.current?.setSelectionRange(value.text.length, value.text.length)
    // From a button the focus goes to the row: the button is gone.
    return () => void (opener instanceof HTMLTextAreaElement && opener.focus())
  }, [])
  const save = async () => {
    if (busy) return
    const path = 'channel_id' in entry ? 'PUT /api/messages/:message_id' : 'PUT /api/dm/messages/:message_id'
    const content = contentOf(value)
    if (content === entry.content) return close()
    const saved = await attempt(() => call(path, { message_id: entry.id }, { content }))
    if (saved) close()
  }
  const cancel = () => {
    if (contentOf(value) === entry.content) return close()
    askToConfirm({
      title: words.messages.discard,
      text: words.messages.discardText,
      action: words.messages.discardEdit,
      work: async () => close(),
    })
  }
  const key = (event: KeyboardEvent) => {
    if (event.key === 'Escape') cancel()
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    void save()
  }
  return (
    <div class="body editor">
      <MentionField
        box={box}
        channel={'channel_id' in entry ? state.channels.get(entry.channel_id) : undefined}
        label={words.messages.edit}
        value={value}
        onChange={change}
        onKeyDown={key}
      />
      <Refusal error={error} />
      <small class="quiet">{words.messages.editHint}</small>
    </div>
  )
}

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
          <button type="button" class="link" onClick={() => outbox.retry(draft.nonce)}>
            {words.messages.retry}
          </button>{' '}
          <button type="button" class="link" onClick={() => outbox.drop(draft.nonce)}>
            {words.messages.giveUp}
          </button>
        </p>
      ) : null}
    </div>
  </li>
)
