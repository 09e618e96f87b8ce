import type { RefObject, TargetedKeyboardEvent } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Channel } from '../../../features/access/model.ts'
import { isPublic } from '../../state/public-channels.ts'
import { type BlockedDraft, blockedDraft, follow, gateway, state } from '../../state/session.ts'
import type { ChannelPlace } from '../../state/place.ts'
import { placeKey } from '../../client/outbox.ts'
import { type Composition, emptyComposition } from '../../state/mentions.ts'
import { keepUnsent, unsentOf } from '../../state/unsent.ts'
import { words } from '../../words/words.ts'
import { lacksNames, namesFor } from '../emoji/written-names.ts'
import { IconButton } from '../kit/controls.tsx'
import { Icon } from '../kit/icons.tsx'
import { answersShown } from '../commands/answers-shown.ts'
import { Later } from '../kit/later.tsx'
import { answer, answeredIn, authorIdOf, editing, isFinger, rewritten } from './current-message.ts'
import { LaterButton } from './later-button.tsx'
import { breaksLine, MentionField } from './mention-field.tsx'
import { refusalOf } from './refusal.tsx'
import { lastSent } from './scroll.ts'
import { selectedIn } from './selection.tsx'
import { useSlowmode } from './slowmode.ts'
import { TypingLine } from './typing.tsx'
import { contentToSend, sendUnsent } from './send-unsent.ts'
import { type Uploads, useUploads } from './uploads.ts'
import { WithoutText } from './without-text.tsx'
import { isComposingKey, isEnter, stepOf } from '../../state/keyboard.ts'

const CONTENT_MAX = 4000
/** The remaining characters are shown below this number. */
const SHOWN_LEFT_MAX = 500
const TYPING_MS = 4_000

/** Sends `typing.start` at most every few seconds; at once after a message, which ends the indicator for others. */
function useTyping(place: ChannelPlace) {
  const last = useRef(0)
  return {
    start: () => {
      if (Date.now() - last.current < TYPING_MS) return
      last.current = Date.now()
      void gateway.command('typing.start', place).catch(() => {})
    },
    sent: () => (last.current = 0),
  }
}

interface ComposerProps {
  place: ChannelPlace
  title: string
  channel: Channel
}

/** Focuses the field of a place that is opened, and for a reply: before the paint, so that it takes no later focus. */
function useFocus(box: RefObject<HTMLTextAreaElement | null>, key: string, replyId: number | undefined): void {
  const focus = () => box.current?.focus({ preventScroll: true })
  const waits = useRef(false)
  useLayoutEffect(() => {
    // A dialog in which the place was chosen keeps the focus until it has closed.
    waits.current = !isFinger.value && document.querySelector('dialog[open]') !== null
    // A place that was opened by a finger is read first: its keyboard would cover half of it.
    if (!isFinger.value) focus()
  }, [key])
  useEffect(() => {
    if (waits.current) focus()
  }, [key])
  useLayoutEffect(() => {
    if (replyId !== undefined) focus()
  }, [replyId])
}

const answersIn = async (channelId: number) => {
  const { Answers } = await import('./bot-answers.tsx')
  return () => <Answers channel_id={channelId} />
}

const commandsIn = async (channel: Channel, box: RefObject<HTMLTextAreaElement | null>, onUsed: () => void) => {
  const { CommandList } = await import('../commands/command-list.tsx')
  return () => <CommandList channel={channel} box={box} onUsed={onUsed} />
}

const slowmodeIn = async (channelId: number) => {
  const { SlowmodeLine } = await import('./slowmode-line.tsx')
  return () => <SlowmodeLine channel_id={channelId} />
}

const publicLine = async () => {
  const { PublicLine } = await import('./public-line.tsx')
  return () => <PublicLine />
}

const replyingTo = async (place: ChannelPlace) => {
  const { ReplyingTo } = await import('./replying-to.tsx')
  return () => <ReplyingTo place={place} />
}

const blockedIn = async (place: ChannelPlace, blocked: BlockedDraft) => {
  const { BlockedLine } = await import('./blocked-line.tsx')
  return () => <BlockedLine place={place} blocked={blocked} />
}

/** The form that writes a message, and below it who else is writing. */
export const Composer = (props: ComposerProps) => (
  <>
    {answersShown.value.length > 0 ? <Later key={props.channel.id} load={() => answersIn(props.channel.id)} /> : null}
    <Writing {...props} />
    <TypingLine place={props.place} />
  </>
)

const selectionIn = async (channelId: number) => {
  const { SelectionBar } = await import('./selection-bar.tsx')
  return () => <SelectionBar channel_id={channelId} />
}

const recordingIn = async (onDone: (file: File, isSend: boolean) => void, onDiscard: () => void) => {
  // Both now: without a network the recording would have no place to go.
  const [{ Recording }] = await Promise.all([import('./recording.tsx'), import('./chosen-files.tsx')])
  return () => <Recording onDone={onDone} onDiscard={onDiscard} />
}

/** True while a voice message is recorded, and its setter. @param isAway true if the field is hidden, which ends it */
function useRecording(isAway: boolean) {
  const [recording, setRecording] = useState(false)
  useLayoutEffect(() => {
    if (isAway) setRecording(false)
  }, [isAway])
  return [recording, setRecording] as const
}

interface AboveProps {
  place: ChannelPlace
  channel: Channel
  uploads: Uploads
  /** True if the message waits for its uploads. */
  waiting: boolean
  /** Sends the text as a file; undefined if it is short enough for a message. */
  asFile: (() => void) | undefined
}

const tooLong = async (asFile: () => void) => {
  const { TooLong } = await import('./too-long.tsx')
  return () => <TooLong asFile={asFile} />
}

/** The reason why a rule of the server blocked the message. */
const Blocked = ({ place }: { place: ChannelPlace }) => {
  const blocked = blockedDraft.value
  if (!blocked || placeKey(blocked.draft.place) !== placeKey(place)) return null
  return <Later key={blocked.draft.nonce} load={() => blockedIn(place, blocked)} silent />
}

/** Content above the field: the reply, the files, and the reason why the message cannot be sent. */
const Above = ({ place, channel, uploads: { files, Tray, dragging }, waiting, asFile }: AboveProps) => (
  <>
    <Blocked place={place} />
    {answeredIn(place) ? <Later load={() => replyingTo(place)} silent /> : null}
    {dragging ? <p class="drop">{words.files.drop}</p> : null}
    {files && Tray ? <Tray files={files} /> : null}
    {waiting ? (
      <p class="quiet waiting" role="status">
        {words.files.waiting}
      </p>
    ) : null}
    {asFile ? <Later load={() => tooLong(asFile)} silent /> : null}
    {isPublic(state, channel) ? <Later load={publicLine} silent /> : null}
    {channel.slowmode_seconds > 0 ? <Later key={channel.id} load={() => slowmodeIn(channel.id)} /> : null}
  </>
)

/**
 * The draft of a place: its text and the message that it replies to, stored with every change.
 * @param onChange called with the person's changes
 */
function useWritten(
  place: ChannelPlace,
  box: RefObject<HTMLTextAreaElement | null>,
  onChange: (next: Composition) => void,
) {
  const key = placeKey(place)
  const [value, setValue] = useState(() => unsentOf(place).value)
  const reply = answeredIn(place)
  const wasAnswering = useRef(false)
  const change = (next: Composition) => {
    blockedDraft.value = undefined
    setValue(next)
    keepUnsent(place, { value: next, reply: answeredIn(place) })
    onChange(next)
  }
  useLayoutEffect(() => answer(place, unsentOf(place).reply), [key])
  useLayoutEffect(() => {
    if (rewritten.value.channel_id === place.channel_id) setValue(unsentOf(place).value)
  }, [rewritten.value])
  useFocus(box, key, reply?.id)
  useLayoutEffect(() => {
    if (wasAnswering.current || reply) keepUnsent(place, { value, reply })
    wasAnswering.current = reply !== undefined
  }, [reply])
  return { value, reply, change }
}

/** Text, files by drop, paste or choice, a voice message, and a reply. */
const Writing = ({ place, title, channel }: ComposerProps) => {
  follow('shell')
  const key = placeKey(place)
  const box = useRef<HTMLTextAreaElement>(null)
  const uploads = useUploads(place, box)
  const { files } = uploads
  const typing = useTyping(place)
  const { value, reply, change } = useWritten(place, box, (next) => {
    setWaiting(false)
    if (next.text !== '') typing.start()
  })
  const content = contentToSend(value, channel)
  const remaining = CONTENT_MAX - [...content].length
  // After a reload, the files are there a moment later.
  const isUploaded = files ? files.isReady : !uploads.isLoading
  const hasFailed = files?.hasFailed === true
  const ready = isUploaded && !lacksNames(value.text)
  const [waiting, setWaiting] = useState(() => files?.comeBack() === true)
  useEffect(() => void namesFor(value.text), [value.text])
  const send = () => {
    if (remaining < 0 || hasFailed || (content === '' && isUploaded && !files?.ids.length)) return setWaiting(false)
    setWaiting(!ready)
    if (!ready) return
    lastSent.value = { ...place, count: lastSent.value.count + 1 }
    sendUnsent(place, { content, file_ids: files?.ids ?? [], reply: answeredIn(place) })
    files?.clear()
    change(emptyComposition)
    typing.sent()
  }
  const isFree = useSlowmode(channel) === 0
  useLayoutEffect(() => {
    if (waiting && ready && isFree) send()
    if (hasFailed) setWaiting(false)
  }, [waiting, ready, hasFailed, isFree])
  const leaving = useRef(() => {})
  leaving.current = () => waiting && isFree && files?.leave({ value, reply })
  useLayoutEffect(() => () => leaving.current(), [])
  const insertEmoji = async () => (await import('./choose-emoji.ts')).chooseEmoji(place, channel, box, value, change)
  const refusal = refusalOf(channel)
  const isSelecting = selectedIn(channel.id) !== undefined
  const [recording, setRecording] = useRecording(isSelecting || refusal !== undefined)
  const endRecording = () => {
    setRecording(false)
    setTimeout(() => box.current?.focus())
  }
  const onRecorded = (file: File, isSend: boolean) => {
    endRecording()
    uploads.add([file])
    setWaiting(isSend)
  }
  const sendAsFile = useRef(() => {})
  sendAsFile.current = () => {
    const file = new File([value.text], 'message.txt', { type: 'text/plain' })
    uploads.add([file], () => {
      change(emptyComposition)
      setWaiting(true)
    })
  }
  const asFile = remaining < 0 ? () => sendAsFile.current() : undefined
  if (isSelecting) return <Later key={key} load={() => selectionIn(channel.id)} />
  if (refusal) return <p class="composer disabled">{refusal}</p>
  return (
    <form class="composer" onSubmit={(event) => (event.preventDefault(), isFree && send(), box.current?.focus())}>
      <Above place={place} channel={channel} uploads={uploads} waiting={waiting && !isUploaded} asFile={asFile} />
      {recording ? <Later load={() => recordingIn(onRecorded, () => endRecording())} /> : null}
      {value.text[0] === '/' ? (
        <Later key={`/${key}`} load={() => commandsIn(channel, box, () => change(emptyComposition))} silent />
      ) : null}
      <div class="writing" hidden={recording}>
        <IconButton icon="add" size={20} label={words.files.add} onClick={uploads.choose} />
        <MentionField
          box={box}
          channel={channel}
          label={words.composer.to(title)}
          placeholder={words.composer.to(title)}
          value={value}
          onChange={change}
          onKeyDown={(event) => keyDown(event, { send: () => isFree && send(), place, text: value.text })}
          onPaste={uploads.onPaste}
        />
        <IconButton icon="smile" size={20} label={words.emoji.insert} onClick={() => void insertEmoji()} />
        {value.text === '' ? (
          <WithoutText place={place} channel={channel} files={files} record={() => setRecording(true)} />
        ) : null}
        {ready && remaining >= 0 ? (
          <LaterButton place={place} content={content} files={files} onScheduled={() => change(emptyComposition)} />
        ) : null}
        {remaining < SHOWN_LEFT_MAX ? <small class={remaining < 0 ? 'over' : 'quiet'}>{remaining}</small> : null}
        <button
          class="bare send"
          aria-label={words.composer.send}
          title={words.composer.send}
          disabled={hasFailed || remaining < 0 || !isFree}
        >
          <Icon name="send" />
        </button>
      </div>
    </form>
  )
}

interface KeyContext {
  send: () => unknown
  place: ChannelPlace
  text: string
}

/** Enter sends, Escape cancels the reply, and arrow up in an empty field edits the last own message. */
function keyDown(event: TargetedKeyboardEvent<HTMLTextAreaElement>, { send, place, text }: KeyContext): void {
  if (isComposingKey(event)) return
  if (isEnter(event) && !breaksLine(event)) {
    event.preventDefault()
    send()
  }
  if (event.key === 'Escape' && answeredIn(place)) {
    event.preventDefault()
    answer(place, undefined)
  }
  if (stepOf(event) !== -1 || text !== '') return
  const entries = state.timelines.get(placeKey(place))?.entries ?? []
  const ownEntry = entries.findLast((entry) => entry.kind === 'default' && authorIdOf(entry) === state.me())
  if (!ownEntry) return
  event.preventDefault()
  editing.value = ownEntry.id
}
