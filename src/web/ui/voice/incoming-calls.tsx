import { effect } from '@preact/signals'
import { render } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { tellOfCall } from '../../device/notices.ts'
import { nameOf, titleOf } from '../../state/names.ts'
import { goFromNotice, placePath } from '../../state/route.ts'
import { call, follow, loader, state, store } from '../../state/session.ts'
import { join, prepareCall } from '../../voice/current-call.ts'
import { canCall, followCall } from '../../voice/shown-call.ts'
import { Ringtone } from '../../voice/ringtone.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { callWords } from '../../words/call.ts'
import { Avatar } from '../kit/controls.tsx'
import { openDialogs } from '../kit/dialogs.tsx'
import { Icon } from '../kit/icons.tsx'
import { isComposingKey } from '../../state/keyboard.ts'

const ringtone = new Ringtone()
let host: HTMLElement | undefined

/** Shows the calls that ring above the page and its dialogs, from now on. */
export function openIncoming(): void {
  if (host) return
  const container = document.createElement('div')
  host = container
  render(<IncomingCalls />, container)
  // An open dialog makes everything outside it inert, so the calls are shown within it.
  effect(() => {
    void openDialogs.value
    requestAnimationFrame(() =>
      ([...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body).append(container),
    )
  })
}

/** Stops ringing on this page before the server says so. */
function stopRinging(channel_id: number): void {
  state.ringing.delete(channel_id)
  store.touch('voices')
  store.notify()
}

async function accept(channel_id: number): Promise<void> {
  stopRinging(channel_id)
  await loader.enter(channel_id).catch(() => {})
  goFromNotice(placePath(channel_id))
  await join(channel_id)
}

async function decline(channel_id: number): Promise<void> {
  stopRinging(channel_id)
  await call('POST /api/channels/:channel_id/call/decline', { channel_id }).catch(() => {})
}

const IncomingCalls = () => {
  follow('voices')
  const ids = [...state.ringing.keys()]
  const isBusy = followCall() !== undefined
  const isLoud = ids.some((id) => !state.silentRings.has(id))
  useEffect(() => {
    if (isLoud && !isBusy) ringtone.start()
    else ringtone.stop()
  }, [isLoud, isBusy])
  return (
    <section class="incoming" aria-label={dialogWords.voice.incoming} hidden={ids.length === 0}>
      {ids.map((id) => (
        <IncomingCall key={id} channel_id={id} />
      ))}
    </section>
  )
}

/** A ringing call: the caller and the channel. Ctrl+Enter accepts from anywhere, Escape declines from within. */
const IncomingCall = ({ channel_id }: { channel_id: number }) => {
  follow('shell', 'members', 'voices')
  const button = useRef<HTMLButtonElement>(null)
  useEffect(prepareCall, [])
  useLayoutEffect(() => {
    void loader.enter(channel_id).catch(() => {})
    // An incoming call takes the focus only if no element has it.
    if (document.activeElement === document.body) button.current?.focus()
    const key = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !event.ctrlKey || isComposingKey(event) || !canCall()) return
      event.preventDefault()
      event.stopImmediatePropagation()
      void accept(channel_id)
    }
    window.addEventListener('keydown', key, true)
    const notice = tellOfCall(channel_id, state.ringing.get(channel_id) ?? 0)
    return () => {
      window.removeEventListener('keydown', key, true)
      void notice.then((takeBack) => takeBack())
    }
  }, [])
  const by = state.ringing.get(channel_id) ?? 0
  const channel = state.channels.get(channel_id)
  const name = nameOf(by)
  const isGroup = channel?.type === 'group'
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || isComposingKey(event)) return
    event.preventDefault()
    void decline(channel_id)
  }
  return (
    <div class="call" onKeyDown={onKeyDown}>
      <Avatar id={by} size={56} />
      <div>
        <p role="alert">
          <strong>
            {isGroup ? dialogWords.voice.callsIn({ name, place: titleOf(channel) }) : dialogWords.voice.calls(name)}
          </strong>
        </p>
        <small class="quiet">{canCall() ? dialogWords.voice.hint : callWords.noCalls}</small>
      </div>
      <div class="answers">
        <button
          ref={button}
          type="button"
          class="primary"
          disabled={!canCall()}
          aria-keyshortcuts="Control+Enter"
          onClick={() => void accept(channel_id)}
        >
          <Icon name="phone" />
          {dialogWords.voice.accept}
        </button>
        <button type="button" class="danger" onClick={() => void decline(channel_id)}>
          <Icon name="hangUp" />
          {dialogWords.voice.decline}
        </button>
      </div>
    </div>
  )
}
