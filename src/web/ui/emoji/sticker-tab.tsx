import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Channel } from '../../../features/access/model.ts'
import type { Sticker } from '../../../features/stickers/model.ts'
import { folded } from '../../../core/words.ts'
import { newNonce } from '../../client/nonce.ts'
import { isComposingKey } from '../../state/keyboard.ts'
import { withoutBidi } from '../../state/names.ts'
import { call, follow, state } from '../../state/session.ts'
import { stickerWords } from '../../words/stickers.ts'
import { topDialogCloser } from '../kit/dialogs.tsx'
import { Empty } from '../kit/empty.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import type { SendsPicture } from './sends-picture.ts'
import { StickerPicture } from './sticker-view.tsx'

/** The stickers that the account may send in a channel, by server: its own server's first. */
function stickersIn(channel: Channel | undefined): [server_id: number, stickers: Sticker[]][] {
  const byServer = Map.groupBy(state.stickers.values(), ({ server_id }) => server_id)
  const mayUseOthers = channel !== undefined && state.mayIn(channel, 'use_external_emoji')
  return [...byServer]
    .filter(([server_id]) => server_id === channel?.server_id || mayUseOthers)
    .toSorted(([a], [b]) => Number(b === channel?.server_id) - Number(a === channel?.server_id))
}

/** Pictures per row. */
const columnsOf = (list: HTMLElement | null): number =>
  list ? getComputedStyle(list).gridTemplateColumns.split(' ').length : 1

interface StickerTabProps {
  channel: Channel
  sends: SendsPicture
}

/** The part of the picker that sends stickers. The search field keeps the focus. */
export const StickerTab = ({ channel, sends }: StickerTabProps) => {
  follow('shell')
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  // One for all tries: a repeated request sends one message.
  const [nonce] = useState(newNonce)
  const { attempt, busy, error } = useAttempt()
  const sought = folded(query.trim())
  const sections = stickersIn(channel)
    .map(([server_id, all]) => ({
      title: withoutBidi(state.servers.get(server_id)?.name ?? ''),
      stickers: all.filter(({ name, alt, tags }) => folded(`${name} ${alt} ${tags ?? ''}`).includes(sought)),
    }))
    .filter(({ stickers }) => stickers.length > 0)
  const all = sections.flatMap(({ stickers }) => stickers)
  const current = all[at]
  useLayoutEffect(() => field.current?.focus(), [])
  useLayoutEffect(() => document.getElementById(`${id}-${current?.id}`)?.scrollIntoView({ block: 'nearest' }), [at])
  const send = async (sticker: Sticker | undefined) => {
    const closeThis = topDialogCloser()
    if (!sticker || busy) return
    const draft = { ...sends.draft(), sticker_id: sticker.id, nonce: `${nonce}:${sticker.id}` }
    const sent = await attempt(() => call('POST /api/channels/:channel_id/messages', { channel_id: channel.id }, draft))
    if (!sent) return
    closeThis()
    sends.onSent()
  }
  const key = (event: KeyboardEvent) => {
    if (isComposingKey(event)) return
    const columns = columnsOf(document.querySelector(`#${CSS.escape(id)} .group`))
    const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }
    const step = steps[event.key]
    const inText = query !== '' && (event.key === 'ArrowLeft' || event.key === 'ArrowRight') && at === 0
    if (event.key === 'Enter') void send(current)
    else if (step === undefined || inText) return
    else setAt(Math.max(0, Math.min(all.length - 1, at + step)))
    event.preventDefault()
  }
  if (state.stickers.size === 0 || (sought === '' && all.length === 0))
    return <Empty icon="smile" title={stickerWords.empty} text={stickerWords.nothing} />
  return (
    <>
      <div class="seeking">
        <input
          ref={field}
          type="search"
          role="combobox"
          list={undefined}
          aria-label={stickerWords.search}
          placeholder={stickerWords.search}
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={current ? `${id}-${current.id}` : undefined}
          value={query}
          onInput={(event) => (setQuery(event.currentTarget.value), setAt(0))}
          onKeyDown={key}
        />
      </div>
      <div class="scroll stickers" id={id} role="listbox" aria-label={stickerWords.stickersTab} tabIndex={-1}>
        {sections.map(({ title, stickers }) => (
          <div key={title} role="group" aria-label={title} class="group">
            <p aria-hidden="true">{title}</p>
            {stickers.map((sticker) => (
              <div
                key={sticker.id}
                id={`${id}-${sticker.id}`}
                role="option"
                class="choice"
                aria-label={stickerWords.send({ name: sticker.name, alt: sticker.alt })}
                aria-selected={sticker === current}
                // The field keeps the focus.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => void send(sticker)}
              >
                <StickerPicture sticker={sticker} />
              </div>
            ))}
          </div>
        ))}
      </div>
      <Refusal error={error} />
      <p class="quiet chosen" role="status">
        {current ? current.name : stickerWords.none}
      </p>
    </>
  )
}
