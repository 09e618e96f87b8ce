import { useState } from 'preact/hooks'
import type { Channel } from '../../../features/channels/model.ts'
import { nameOf, titleOf, withoutBidi } from '../../state/names.ts'
import { call, follow, loader, state } from '../../state/session.ts'
import type { Entry } from '../../state/timeline.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { words } from '../../words/words.ts'
import { closeDialog, Dialog, showNote } from '../kit/dialogs.tsx'
import { FormFooter } from '../kit/dialog-forms.tsx'
import { Field, Refusal, useAttempt } from '../kit/forms.tsx'
import { Icon, type IconName } from '../kit/icons.tsx'

/** Places that are listed at once; the search narrows them. */
const SHOWN_MAX = 60

/** The dialog that forwards a message, to show. */
export const forwardOf = (entry: Entry) => () => <ForwardMessage entry={entry} />

/** The server of a channel by name; empty for a dm or group. */
const serverNameOf = ({ server_id }: Channel): string =>
  server_id === null ? '' : withoutBidi(state.servers.get(server_id)?.name ?? '')

/** The name of a place; the icon stands for the # of a text channel. */
const nameIn = (channel: Channel): string => (channel.name === '' ? titleOf(channel) : withoutBidi(channel.name))

/** A place to forward to: a channel, or a friend with whom there is no conversation yet. */
interface Target {
  key: string
  title: string
  server: string
  icon: IconName
  to: Channel | number
}

/** The friends with whom the account has no conversation. */
function friends(): Target[] {
  const met = new Set([...state.conversations.values()].map(({ user_id }) => user_id))
  return [...state.relations].flatMap(([id, relation]) =>
    relation.state === 'friends' && !met.has(id)
      ? [{ key: `u${id}`, title: nameOf(id), server: '', icon: 'message', to: id }]
      : [],
  )
}

const iconOf = ({ type, server_id }: Channel): IconName =>
  server_id === null ? 'message' : type === 'voice' ? 'voice' : 'hash'

/** Where the account may write: conversations and friends first, then channels by their servers. */
function targetsFor(search: string): Target[] {
  const takes = (channel: Channel) =>
    (channel.type !== 'dm' || state.conversations.has(channel.id)) &&
    ['dm', 'group', 'text', 'voice'].includes(channel.type) &&
    state.mayIn(channel, 'send_messages')
  const sought = search.trim().toLowerCase()
  const channels = [...state.channels.values()].filter(takes).map((channel): Target => ({
    key: `c${channel.id}`,
    title: nameIn(channel),
    server: serverNameOf(channel),
    icon: iconOf(channel),
    to: channel,
  }))
  return [...channels, ...friends()]
    .filter(({ server, title }) => `${title} ${server}`.toLowerCase().includes(sought))
    .toSorted((a, b) => a.server.localeCompare(b.server) || a.title.localeCompare(b.title))
}

/** The channel to write in; with a friend, a new conversation. */
async function channelFor({ to }: Target): Promise<number> {
  if (typeof to !== 'number') return to.id
  const channel = await call('POST /api/channels/direct', {}, { recipient_ids: [to] })
  loader.addChannel(channel)
  return channel.id
}

/** The dialog that forwards a message: a place, and a comment if wanted. */
const ForwardMessage = ({ entry }: { entry: Entry }) => {
  follow('shell', 'members')
  const [search, setSearch] = useState('')
  const [comment, setComment] = useState('')
  const [chosen, setChosen] = useState<Target>()
  const [nonce] = useState(() => crypto.randomUUID())
  const { attempt, busy, error } = useAttempt()
  const targets = targetsFor(search)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (chosen === undefined) return
    const sent = await attempt(async () => {
      const channel_id = await channelFor(chosen)
      const draft = {
        content: comment.trim(),
        forward_message_id: entry.id,
        nonce: `${nonce.slice(0, 24)}${channel_id}`,
      }
      return call('POST /api/channels/:channel_id/messages', { channel_id }, draft)
    })
    if (!sent) return
    closeDialog()
    showNote(dialogWords.forward.done)
  }
  return (
    <Dialog title={words.forward.title} onClose={closeDialog} class="small">
      <form onSubmit={submit}>
        <Field label={dialogWords.forward.search} value={search} onInput={setSearch} maxLength={100} autofocus />
        <fieldset class="places">
          <legend class="hidden">{dialogWords.forward.where}</legend>
          {targets.slice(0, SHOWN_MAX).map((target) => (
            <label key={target.key} class="row">
              <input
                type="radio"
                name="place"
                checked={chosen?.key === target.key}
                onChange={() => setChosen(target)}
              />
              <Icon name={target.icon} size={18} />
              <span>
                <bdi>{target.title}</bdi>
                <small class="quiet">{target.server}</small>
              </span>
            </label>
          ))}
          {targets.length === 0 ? <p class="quiet">{dialogWords.forward.nowhere}</p> : null}
        </fieldset>
        <Field label={dialogWords.forward.comment} value={comment} onInput={setComment} maxLength={4000} />
        <Refusal error={error} says={{ cannot_contact: words.direct.cannot }} />
        <FormFooter submit={dialogWords.forward.send} busy={busy || chosen === undefined} />
      </form>
    </Dialog>
  )
}
