import type { TargetedKeyboardEvent } from 'preact'
import { clockOf, momentOf } from '../../state/format.ts'
import { nameOf, withoutBidi } from '../../state/names.ts'
import { placePath } from '../../state/route.ts'
import { follow, state } from '../../state/session.ts'
import type { Entry } from '../../state/timeline.ts'
import { digits } from '../../words/plural.ts'
import { words } from '../../words/words.ts'
import { Icon, type IconName } from '../kit/icons.tsx'
import { Later } from '../kit/later.tsx'
import { PinLinks, ShowMessage } from './open-pins.tsx'

const icons: Record<Exclude<Entry['kind'], 'default'>, IconName> = {
  call: 'phone',
  recipient_added: 'invite',
  recipient_removed: 'leave',
  renamed: 'edit',
  member_joined: 'friends',
  pinned: 'pin',
  thread_created: 'thread',
  automod_alert: 'lock',
  raid_alert: 'lock',
  poll_ended: 'poll',
}

const isMissed = ({ kind, author, data }: Entry): boolean =>
  kind === 'call' && data?.missed === true && author.id !== state.me()

/** Sentence for a message of another kind than `default`. */
export function noticeText({ kind, author, member, data }: Entry): string {
  const says = words.notices
  const authorName = nameOf(author.id, member?.nickname ?? author.display_name)
  const name = withoutBidi(data?.name ?? '')
  if (kind === 'call') {
    if (data?.missed) return author.id === state.me() ? says.unanswered : says.missed(authorName)
    const seconds = (Date.parse(data?.ended_at ?? '') - Date.parse(data?.started_at ?? '')) / 1000
    return seconds < 60
      ? says.shortCall(authorName)
      : says.call({ who: authorName, seconds: Math.round(seconds / 60) * 60 })
  }
  if (kind === 'recipient_removed' && data?.user_id === author.id) return says.left(authorName)
  if (kind === 'recipient_added' || kind === 'recipient_removed')
    return says[kind]({ who: authorName, target: nameOf(data?.user_id ?? 0) })
  if (kind === 'renamed') return name ? says.renamed({ who: authorName, name }) : says.unnamed(authorName)
  if (kind === 'raid_alert') return says.raid_alert(digits(data?.count ?? 0))
  if (kind === 'automod_alert') {
    const place = state.channels.get(data?.place_id ?? 0)
    const placeName = place && `#${withoutBidi(place.name)}`
    return says.automod_alert({ who: authorName, rule: name, n: digits(data?.count ?? 1), place: placeName })
  }
  if (kind === 'thread_created') return says.thread_created({ who: authorName, name })
  if (kind === 'poll_ended') return says.poll_ended
  return kind === 'pinned' || kind === 'member_joined' ? says[kind](authorName) : ''
}

const alertIn = async (serverId: number) => {
  const { AlertLink } = await import('./alert-link.tsx')
  return () => <AlertLink server_id={serverId} />
}

const Alert = ({ channel_id }: { channel_id: number }) => {
  const serverId = state.channels.get(channel_id)?.server_id
  return serverId ? <Later load={() => alertIn(serverId)} silent /> : null
}

interface RowProps {
  entry: Entry
  /** The line above the row: a new day, or the first new message. */
  rule: preact.ComponentChildren
  onKeyDown: (event: TargetedKeyboardEvent<HTMLElement>) => void
}

const waveAt = async (entry: Entry) => {
  const { Wave } = await import('./wave.tsx')
  return () => <Wave entry={entry} />
}

/** A system message, in a quiet style. */
export const NoticeRow = ({ entry, rule, onKeyDown }: RowProps) => {
  follow('members')
  if (entry.kind === 'default') return null
  return (
    <li
      class={`message notice ${isMissed(entry) ? 'missed' : ''}`}
      data-id={entry.id}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      {rule}
      <span class="gutter">
        <Icon name={icons[entry.kind]} size={18} />
      </span>
      <p class="body">
        <bdi>{noticeText(entry)}</bdi> {entry.kind === 'pinned' ? <PinLinks entry={entry} /> : null}
        {entry.kind === 'poll_ended' ? <ShowMessage entry={entry} /> : null}{' '}
        {entry.kind === 'thread_created' && entry.data?.thread_id ? (
          <a href={placePath(entry.data.thread_id)}>{words.threads.open}</a>
        ) : null}{' '}
        {entry.kind === 'member_joined' && entry.author.id !== state.me() ? (
          <Later load={() => waveAt(entry)} silent />
        ) : null}
        {entry.kind.endsWith('_alert') ? <Alert channel_id={entry.channel_id} /> : null}{' '}
        <time dateTime={entry.created_at} title={momentOf(entry.created_at)}>
          {clockOf(entry.created_at)}
        </time>
      </p>
    </li>
  )
}
