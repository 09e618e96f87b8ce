import { useState } from 'preact/hooks'
import type { Channel } from '../../../features/channels/model.ts'
import { titleOf, withoutBidi } from '../../state/names.ts'
import { call, follow, state } from '../../state/session.ts'
import type { Entry } from '../../state/timeline.ts'
import { words } from '../../words/words.ts'
import { closeDialog, Dialog, showDialog, showNote } from '../kit/dialogs.tsx'
import { Field, FormFooter, Refusal, useAttempt } from '../kit/forms.tsx'
import { Icon } from '../kit/icons.tsx'

/** Places that are listed at once; the search narrows them. */
const SHOWN_MAX = 60

export const openForward = (entry: Entry): void => showDialog(() => <ForwardMessage entry={entry} />)

/** The server of a channel by name; empty for a dm or group. */
const serverNameOf = ({ server_id }: Channel): string =>
  server_id === null ? '' : withoutBidi(state.servers.get(server_id)?.name ?? '')

/** The name of a place; the icon stands for the # of a text channel. */
const nameIn = (channel: Channel): string => (channel.name === '' ? titleOf(channel) : withoutBidi(channel.name))

/** Where the account may write: conversations first, then channels by their servers. */
function placesFor(search: string): Channel[] {
  const takes = (channel: Channel) =>
    (channel.type !== 'dm' || state.conversations.has(channel.id)) &&
    ['dm', 'group', 'text', 'voice'].includes(channel.type) &&
    state.mayIn(channel, 'send_messages')
  const sought = search.trim().toLowerCase()
  const named = [...state.channels.values()]
    .filter(takes)
    .map((channel) => ({ channel, server: serverNameOf(channel), title: nameIn(channel) }))
    .filter(({ server, title }) => `${title} ${server}`.toLowerCase().includes(sought))
  return named
    .toSorted((a, b) => a.server.localeCompare(b.server) || a.title.localeCompare(b.title))
    .map(({ channel }) => channel)
}

/** The dialog that forwards a message: a place, and a comment if wanted. */
const ForwardMessage = ({ entry }: { entry: Entry }) => {
  follow('shell', 'members')
  const [search, setSearch] = useState('')
  const [comment, setComment] = useState('')
  const [chosen, setChosen] = useState<number>()
  const [nonce] = useState(() => crypto.randomUUID())
  const { attempt, busy, error } = useAttempt()
  const places = placesFor(search)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (chosen === undefined) return
    const draft = { content: comment.trim(), forward_message_id: entry.id, nonce: `${nonce.slice(0, 24)}${chosen}` }
    const sent = await attempt(() => call('POST /api/channels/:channel_id/messages', { channel_id: chosen }, draft))
    if (!sent) return
    closeDialog()
    showNote(words.forward.done)
  }
  return (
    <Dialog title={words.forward.title} onClose={closeDialog} class="small">
      <form onSubmit={submit}>
        <Field label={words.forward.search} value={search} onInput={setSearch} maxLength={100} autofocus />
        <fieldset class="places">
          <legend class="hidden">{words.forward.where}</legend>
          {places.slice(0, SHOWN_MAX).map((channel) => (
            <label key={channel.id} class="row">
              <input type="radio" name="place" checked={chosen === channel.id} onChange={() => setChosen(channel.id)} />
              <Icon
                name={channel.server_id === null ? 'message' : channel.type === 'voice' ? 'voice' : 'hash'}
                size={18}
              />
              <span>
                <bdi>{nameIn(channel)}</bdi>
                <small class="quiet">{serverNameOf(channel)}</small>
              </span>
            </label>
          ))}
          {places.length === 0 ? <p class="quiet">{words.forward.nowhere}</p> : null}
        </fieldset>
        <Field label={words.forward.comment} value={comment} onInput={setComment} maxLength={4000} />
        <Refusal error={error} says={{ cannot_contact: words.direct.cannot }} />
        <FormFooter submit={words.forward.send} busy={busy || chosen === undefined} />
      </form>
    </Dialog>
  )
}
