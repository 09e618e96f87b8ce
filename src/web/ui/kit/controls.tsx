import type { TargetedMouseEvent } from 'preact'
import type { PublicUser } from '../../../core/schema.ts'
import type { Channel } from '../../../features/access/model.ts'
import type { Status } from '../../../features/status/model.ts'
import type { Message } from '../../../features/messages/model.ts'
import { nameOf, titleOf } from '../../state/names.ts'
import { follow, state } from '../../state/session.ts'
import { urlOf } from '../../state/download-urls.ts'
import { hasUnsent } from '../../state/unsent.ts'
import { badge } from '../../words/plural.ts'
import { words } from '../../words/words.ts'
import { Icon, type IconName } from './icons.tsx'

/** Background colours of initials in tokens.css. */
const GROUNDS = 12
/** Background of an account's or server's initials. Neighbouring ids get distant colours. */
export const groundOf = (id: number): string => `var(--avatar-${((id * 5) % GROUNDS) + 1})`

const initialsOf = (name: string): string => {
  const letters = name.split(/[\s#_.-]+/).flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? [])
  return letters.slice(0, 2).join('').toUpperCase() || '?'
}

interface PictureProps {
  id: number
  name: string
  file_id: number | null | undefined
  /** Address of the picture, instead of a file. */
  path?: string | undefined
  size?: number
}

/** The picture of an account or server, or its initials. It has no alternative text, because the name is next to it. */
export const Picture = ({ id, name, file_id, path, size = 40 }: PictureProps) => {
  const url = path ?? urlOf(file_id)
  const style = {
    width: `${size}px`,
    height: `${size}px`,
    fontSize: `${size * 0.38}px`,
    '--picture': groundOf(id),
  }
  return url ? (
    <img class="picture" src={url} alt="" width={size} height={size} />
  ) : (
    <span class="picture" style={style} aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
}

/** The picture of an account, with its status if wanted: the current one, or one that is only known here. */
export const Avatar = ({ id, size, status }: { id: number; size?: number; status?: boolean | Status }) => {
  follow('members')
  const user = state.users.get(id) ?? (id === state.me() ? state.user : undefined)
  return (
    <span class="avatar">
      <Picture id={id} name={nameOf(id)} file_id={user?.avatar_file_id} size={size ?? 40} />
      {status ? <StatusDot status={status === true ? statusOf(id) : status} /> : null}
    </span>
  )
}

/** The picture of a message's author. Each message of a webhook carries its own picture. */
export const AuthorPicture = ({ entry, size = 40 }: { entry: Pick<Message, 'author' | 'data'>; size?: number }) => {
  const { id, kind, display_name: name, avatar_file_id: file_id } = entry.author
  return kind === 'webhook' ? (
    <Picture id={id} name={name} file_id={file_id} path={entry.data?.avatar_url} size={size} />
  ) : (
    <Avatar id={id} size={size} />
  )
}

/** The badge next to the name of a bot or guest; nothing for other accounts. */
export const KindSign = ({ kind }: { kind: PublicUser['kind'] | undefined }) =>
  kind === 'bot' || kind === 'guest' ? <small class="kind-sign">{words[kind]}</small> : null

/** The picture of a group, or the initials of its name or people. */
export const GroupPicture = ({ channel, size }: { channel: Channel; size: number }) => (
  <Picture id={channel.id} name={titleOf(channel)} file_id={channel.icon_file_id} size={size} />
)

export const statusOf = (id: number): Status => {
  follow('statuses')
  if (id !== state.me()) return state.statuses.get(id) ?? 'offline'
  const own = state.ownStatus?.status ?? 'online'
  return own === 'invisible' ? 'offline' : own
}

/** Text and emoji next to an account's status; empty for most. */
export const sayingOf = (id: number): string => {
  follow('statuses')
  const saying = id === state.me() ? state.ownStatus : state.sayings.get(id)
  return [saying?.emoji, saying?.text].filter(Boolean).join(' ')
}

/** The status of an account in words, and what it says with it. */
export const StatusLine = ({ id }: { id: number }) => {
  const saying = sayingOf(id)
  return (
    <>
      {words.status[statusOf(id)]}
      {saying ? (
        <>
          {' · '}
          <bdi>{saying}</bdi>
        </>
      ) : null}
    </>
  )
}

const StatusDot = ({ status }: { status: Status }) => <span class={`dot ${status}`} title={words.status[status]} />

interface ButtonProps {
  icon: IconName
  label: string
  onClick: (event: TargetedMouseEvent<HTMLButtonElement>) => void
  pressed?: boolean
  disabled?: boolean
  /** True if the button's menu is open; undefined for a button without a menu. */
  menu?: boolean
  class?: string
  size?: number
}

/** A button with an icon; the label is its accessible name and tooltip. */
export const IconButton = ({ icon, label, onClick, pressed, disabled, menu, size, class: style = '' }: ButtonProps) => (
  <button
    type="button"
    class={`bare ${style}`}
    aria-label={label}
    title={label}
    aria-pressed={pressed}
    disabled={disabled}
    aria-haspopup={menu === undefined ? undefined : 'menu'}
    aria-expanded={menu}
    onClick={onClick}
  >
    <Icon name={icon} size={size ?? 18} />
  </button>
)

/** Sign of a draft in a channel. */
export const DraftSign = ({ channel_id }: { channel_id: number }) =>
  hasUnsent(channel_id) ? (
    <span class="draft-sign" role="img" aria-label={words.draft} title={words.draft}>
      <Icon name="edit" size={14} />
    </span>
  ) : null

/** A count; with `isNamed` it is hidden from screen readers, because the surrounding link's name contains it. */
export const Badge = ({ count, isNamed }: { count: number; isNamed?: boolean }) => {
  const label = badge(count)
  if (count === 0) return null
  return isNamed ? <span class="badge" data-count={label} /> : <span class="badge">{label}</span>
}
