import { folded } from '../../../core/words.ts'
import { useEffect, useState } from 'preact/hooks'
import type { Channel } from '../../../features/access/model.ts'
import { nameOf, titleOf, withoutBidi } from '../../state/names.ts'
import { call, follow, loader, state } from '../../state/session.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { Field } from '../kit/forms.tsx'
import { Icon, type IconName } from '../kit/icons.tsx'
import { Empty } from '../kit/empty.tsx'

/** Places that are listed at once; the search narrows them. */
const SHOWN_MAX = 60

/** The server of a channel by name; empty for a dm or group. */
const serverNameOf = ({ server_id }: Channel): string =>
  server_id === null ? '' : withoutBidi(state.servers.get(server_id)?.name ?? '')

/** The name of a place; the icon stands for the # of a text channel. */
const nameIn = (channel: Channel): string => (channel.name === '' ? titleOf(channel) : withoutBidi(channel.name))

/** A place to forward to: a channel, or a friend without a conversation yet. */
export interface Target {
  key: string
  title: string
  server: string
  /** The channel that a thread is of. */
  parent?: string | undefined
  icon: IconName
  to: Channel | number
}

/** The friends without a conversation with the account. */
function friends(): Target[] {
  const partners = new Set([...state.conversations.values()].map(({ user_id }) => user_id))
  return [...state.relations].flatMap(([id, relation]) =>
    relation.state === 'friends' && !partners.has(id)
      ? [{ key: `u${id}`, title: nameOf(id), server: '', icon: 'message', to: id }]
      : [],
  )
}

const iconOf = ({ type, server_id }: Channel): IconName =>
  server_id === null ? 'message' : type === 'voice' || type === 'stage' ? type : type === 'thread' ? 'thread' : 'hash'

/** True if the account may write in an unarchived thread. */
const takesThread = (thread: Channel): boolean =>
  thread.archived_at === null &&
  state.mayIn(thread, 'send_in_threads') &&
  (!thread.locked || state.mayIn(thread, 'manage_threads'))

function parentNameOf({ type, parent_id }: Channel): string | undefined {
  const parent = type === 'thread' && parent_id !== null ? state.channels.get(parent_id) : undefined
  return parent && titleOf(parent)
}

/** Places in which the account may write: conversations and friends first, then channels and threads by server. */
function targetsFor(search: string): Target[] {
  const takes = (channel: Channel) =>
    channel.type === 'thread'
      ? takesThread(channel)
      : (channel.type !== 'dm' || state.conversations.has(channel.id)) &&
        ['dm', 'group', 'text', 'voice', 'stage'].includes(channel.type) &&
        state.mayIn(channel, 'send_messages')
  const sought = folded(search.trim())
  const channels = [...state.channels.values()].filter(takes).map((channel): Target => ({
    key: `c${channel.id}`,
    title: nameIn(channel),
    server: serverNameOf(channel),
    parent: parentNameOf(channel),
    icon: iconOf(channel),
    to: channel,
  }))
  return [...channels, ...friends()]
    .filter(({ server, title, parent }) => folded(`${title} ${parent ?? ''} ${server}`).includes(sought))
    .toSorted(
      (a, b) =>
        a.server.localeCompare(b.server) ||
        Number(a.parent !== undefined) - Number(b.parent !== undefined) ||
        a.title.localeCompare(b.title),
    )
}

/** The channel to write in; with a friend, a new conversation. */
export async function channelFor({ to }: Target): Promise<number> {
  if (typeof to !== 'number') return to.id
  const channel = await call('POST /api/channels/direct', {}, { recipient_ids: [to] })
  loader.addChannel(channel)
  return channel.id
}

interface PlaceChoiceProps {
  target: Target | undefined
  onChoose: (target: Target) => void
}

/** Choice of a destination: a search, and the matching places. */
export const PlaceChoice = ({ target: chosen, onChoose }: PlaceChoiceProps) => {
  // The list of places may arrive after the page that another program's share opens.
  follow('shell', 'members')
  useEffect(() => void loader.openAll(), [])
  const [search, setSearch] = useState('')
  const targets = targetsFor(search)
  return (
    <>
      <Field label={dialogWords.forward.search} value={search} onInput={setSearch} maxLength={100} autofocus />
      <fieldset class="places">
        <legend class="hidden">{dialogWords.forward.where}</legend>
        {targets.slice(0, SHOWN_MAX).map((target) => (
          <label key={target.key} class="row">
            <input type="radio" name="place" checked={chosen?.key === target.key} onChange={() => onChoose(target)} />
            <Icon name={target.icon} size={18} />
            <span>
              <bdi>{target.title}</bdi>
              <small class="quiet">{[target.parent, target.server].filter(Boolean).join(' · ')}</small>
            </span>
          </label>
        ))}
        {targets.length === 0 ? <Empty icon="search" title={dialogWords.forward.nowhere} /> : null}
      </fieldset>
    </>
  )
}
