import type { VNode } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import type { Channel } from '../../../features/access/model.ts'
import { pathOf } from '../../state/channel-walk.ts'
import { allServers } from '../../state/listed-servers.ts'
import { nameOf, titleOf, withoutBidi } from '../../state/names.ts'
import { badgeOf, isUnreadAloud } from '../../state/notifications.ts'
import { recentChannels } from '../../state/recents.ts'
import { channelPath, directPath, go, route } from '../../state/route.ts'
import { follow, loader, state } from '../../state/session.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { words } from '../../words/words.ts'
import { Avatar, Badge, GroupPicture, Picture } from '../kit/controls.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { closeDialog } from '../kit/dialogs.tsx'
import { Icon, type IconName } from '../kit/icons.tsx'
import { fit } from './fuzzy.ts'
import { Empty } from '../kit/empty.tsx'
import { isComposingKey, stepOf } from '../../state/keyboard.ts'

const SHOWN_MAX = 10
const QUERY_MAX = 100

interface Target {
  key: string
  kind: '#' | '@' | '*'
  name: string
  /** Text that distinguishes places of the same name. */
  detail: string
  path: string
  picture: VNode
  unread: boolean
  mentions: number
  /** Number of places viewed since this one; Infinity if it was not viewed lately. */
  age: number
}

const ICONS: Partial<Record<Channel['type'], IconName>> = {
  voice: 'voice',
  stage: 'stage',
  thread: 'thread',
  forum: 'message',
}

/** All places that the switcher offers. */
function targets(): Target[] {
  const recent = new Map(recentChannels().map((id, at) => [id, at]))
  const here = route.value
  const open = here.page === 'server' || here.page === 'place' ? here.channel_id : undefined
  const channels = [...state.channels.values()].flatMap((channel): Target[] => {
    const server = channel.server_id === null ? undefined : state.servers.get(channel.server_id)
    if (channel.type === 'category' || channel.id === open || (channel.server_id !== null && !server)) return []
    if (channel.server_id === null && !state.conversations.has(channel.id)) return []
    const partner = state.partnerOf(channel)
    const parent = channel.type === 'thread' ? state.channels.get(channel.parent_id ?? 0) : undefined
    const origin = [parent && titleOf(parent), server && withoutBidi(server.name)].filter(Boolean).join(' · ')
    return [
      {
        key: `c${channel.id}`,
        kind: server ? '#' : '@',
        name: server ? withoutBidi(channel.name) : titleOf(channel),
        detail: server ? origin : partner === undefined ? dialogWords.switcher.group : '',
        path: pathOf(channel),
        picture: server ? (
          <Icon name={ICONS[channel.type] ?? 'hash'} />
        ) : partner === undefined ? (
          <GroupPicture channel={channel} size={24} />
        ) : (
          <Avatar id={partner} size={24} />
        ),
        unread: isUnreadAloud(state, channel),
        mentions: badgeOf(state, channel),
        age: recent.get(channel.id) ?? Infinity,
      },
    ]
  })
  const partners = new Set([...state.channels.values()].flatMap((channel) => state.partnerOf(channel) ?? []))
  const defaults = { unread: false, mentions: 0, age: Infinity }
  const friends = [...state.relations].flatMap(([id, relation]): Target[] =>
    relation.state !== 'friends' || partners.has(id)
      ? []
      : [
          {
            key: `u${id}`,
            kind: '@',
            name: nameOf(id),
            detail: dialogWords.switcher.friend,
            path: directPath(id),
            picture: <Avatar id={id} size={24} />,
            ...defaults,
          },
        ],
  )
  const servers = allServers(state).map(({ id, name, icon_file_id }): Target => ({
    key: `s${id}`,
    kind: '*',
    name: withoutBidi(name),
    detail: dialogWords.switcher.server,
    path: channelPath(id),
    picture: <Picture id={id} name={withoutBidi(name)} file_id={icon_file_id} size={24} />,
    ...defaults,
  }))
  return [...channels, ...friends, ...servers]
}

/** Best matches first; among equals unread places, then the most recently viewed. */
function search(query: string): Target[] {
  const [, sign, text = ''] = /^([#@*]?)(.*)$/s.exec(query) ?? []
  return targets()
    .filter(({ kind }) => !sign || kind === sign)
    .flatMap((target) => {
      const score =
        fit(text, target.name) ?? (fit(text, `${target.name} ${target.detail}`) === undefined ? undefined : 0)
      return score === undefined ? [] : [{ target, score: text.trim() === '' ? 0 : score }]
    })
    .toSorted(
      (a, b) =>
        b.score - a.score ||
        Number(b.target.mentions > 0) - Number(a.target.mentions > 0) ||
        Number(b.target.unread) - Number(a.target.unread) ||
        (a.target.age === b.target.age ? 0 : a.target.age - b.target.age) ||
        a.target.name.localeCompare(b.target.name),
    )
    .slice(0, SHOWN_MAX)
    .map(({ target }) => target)
}

/** A dialog that opens a channel, person, group or server by a part of its name. */
export const Switcher = () => {
  follow('shell', 'members')
  useEffect(() => void loader.openAll(), [])
  const id = useId()
  const [query, setQuery] = useState('')
  const [chosenAt, setChosenAt] = useState(0)
  const list = search(query)
  const at = Math.min(chosenAt, list.length - 1)
  const pick = (target: Target | undefined) => {
    if (!target) return
    closeDialog()
    go(target.path)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposingKey(event)) return
    const step = stepOf(event)
    if (step !== undefined && list.length > 0) setChosenAt((at + step + list.length) % list.length)
    else if (event.key === 'Enter') pick(list[at])
    else return
    event.preventDefault()
  }
  return (
    <Dialog title={words.switcher.title} onClose={closeDialog} class="switcher">
      <input
        // The dialog gives it the focus as it opens.
        autofocus
        type="text"
        role="combobox"
        value={query}
        maxLength={QUERY_MAX}
        placeholder={dialogWords.switcher.placeholder}
        aria-label={words.switcher.title}
        aria-expanded={list.length > 0}
        aria-controls={id}
        aria-activedescendant={list[at] ? `${id}-${at}` : undefined}
        onInput={({ currentTarget }) => (setQuery(currentTarget.value), setChosenAt(0))}
        onKeyDown={onKeyDown}
      />
      <ul id={id} role="listbox" aria-label={words.switcher.title}>
        {list.map((target, n) => (
          <li
            key={target.key}
            id={`${id}-${n}`}
            role="option"
            aria-selected={n === at}
            class={`row ${n === at ? 'here' : ''} ${target.unread ? 'unread' : ''}`}
            onPointerMove={() => setChosenAt(n)}
            onClick={() => pick(target)}
          >
            {target.picture}
            <bdi>{target.name}</bdi>
            <small>{target.detail}</small>
            <Badge count={target.mentions} />
          </li>
        ))}
      </ul>
      {list.length === 0 ? <Empty icon="search" title={dialogWords.switcher.nothing} /> : null}
    </Dialog>
  )
}
