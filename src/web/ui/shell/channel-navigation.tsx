import { isListed } from '../../state/arrival.ts'
import { signal, useComputed } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { Permission } from '../../../core/permissions.ts'
import { stepOf } from '../../state/keyboard.ts'
import { titleOf, withoutBidi } from '../../state/names.ts'
import { channelPath, route } from '../../state/route.ts'
import { badgeOf, isUnreadAloud, mutingIn } from '../../state/notifications.ts'
import { isPrivate, loadPrivacy } from '../../state/private-channels.ts'
import { connection, follow, state } from '../../state/session.ts'
import { isSpoken } from '../../state/spoken.ts'
import type { ServerChannel } from '../../state/state.ts'
import { hasUnsent } from '../../state/unsent.ts'
import { words } from '../../words/words.ts'
import { Badge, DraftSign, IconButton } from '../kit/controls.tsx'
import { showChoices } from '../arrival/show-arrival.tsx'
import { Icon, type IconName } from '../kit/icons.tsx'
import { NotificationButton } from '../notifications/buttons.tsx'
import { FollowedThreads } from '../threads/thread-link.tsx'
import { voiceSlot } from './voice-slot.ts'
import { showChannelSettings, showNewChannel } from '../server/show-server.tsx'
import { prefetching } from '../kit/prefetch.ts'
import { foldedCategories, toggleFolded } from './folded-categories.ts'

/** Time for a channel that was moved by keys to get the focus again. */
const REFOCUS_MS = 3_000

/** The dragged channel or category, and its drop target. */
const draggedChannel = signal<ServerChannel | undefined>(undefined)
const landing = signal<{ id: number; side: 'before' | 'after' | 'into' } | undefined>(undefined)
/** The channel that was moved by keys, which gets the focus again at its new position. */
const movedId = signal<number | undefined>(undefined)

/** Code for moving channels, loaded with the first move. */
const moving = () => import('./move-channel.ts')

/** Alt and an arrow key move a channel or a category. */
function moveByKey(event: KeyboardEvent, channel: ServerChannel): void {
  if (event.key !== 'Alt') movedId.value = undefined
  const step = stepOf(event, 'Alt')
  if (step === undefined) return
  event.preventDefault()
  void moving().then(({ moveStep }) => {
    if (!moveStep(channel, step)) return
    movedId.value = channel.id
    setTimeout(() => movedId.value === channel.id && (movedId.value = undefined), REFOCUS_MS)
  })
}

const mayChange = (channel: ServerChannel): boolean => state.mayIn(channel, 'manage_channels')

/** Attributes of an element that can be dragged and accepts drops. */
function dragging(channel: ServerChannel) {
  if (!mayChange(channel)) return {}
  const sideOf = (event: DragEvent): 'before' | 'after' | 'into' | undefined => {
    const other = draggedChannel.value
    if (!other || other.id === channel.id || other.server_id !== channel.server_id) return undefined
    if (channel.type === 'category' && other.type !== 'category') return 'into'
    if (channel.type !== 'category' && other.type === 'category') return undefined
    const { top, height } = (event.currentTarget as HTMLElement).getBoundingClientRect()
    return event.clientY < top + height / 2 ? 'before' : 'after'
  }
  const over = (event: DragEvent) => {
    const side = sideOf(event)
    if (!side) return
    event.preventDefault()
    if (landing.value?.id !== channel.id || landing.value.side !== side) landing.value = { id: channel.id, side }
  }
  const drop = (event: DragEvent) => {
    const [side, other] = [sideOf(event), draggedChannel.value]
    landing.value = undefined
    if (!side || !other) return
    event.preventDefault()
    event.stopPropagation()
    void moving().then(({ moveBeside, moveInto }) =>
      side === 'into' ? moveInto(other, channel.id) : moveBeside(other, channel, side),
    )
  }
  return {
    draggable: true,
    onDragStart: (event: DragEvent) => {
      draggedChannel.value = channel
      event.dataTransfer?.setData('text/plain', channel.name)
    },
    onDragEnd: () => {
      draggedChannel.value = undefined
      landing.value = undefined
    },
    onDragOver: over,
    onDragLeave: () => (landing.value = undefined),
    onDrop: drop,
  }
}

/** True while a channel of this type is being dragged; never for a category. */
const isHeld = (type: ServerChannel['type']): boolean => type !== 'category' && draggedChannel.value?.type === type

/** Attributes of the drop target that takes a channel out of its category if no other of its type is outside. */
function outside(type: ServerChannel['type']) {
  const channel = draggedChannel.value
  if (!channel || !isHeld(type)) return {}
  return {
    class: `make ${landingClass(0)}`,
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      if (landing.value?.id !== 0) landing.value = { id: 0, side: 'into' }
    },
    onDragLeave: () => (landing.value = undefined),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      landing.value = undefined
      void moving().then(({ moveInto }) => moveInto(channel, null))
    },
  }
}

const landingClass = (id: number): string => (landing.value?.id === id ? `drop-${landing.value.side}` : '')

/** The element that gets the focus back after its channel was moved by keys. */
function useFocusAfterMove<E extends HTMLElement>(id: number) {
  const element = useRef<E>(null)
  useLayoutEffect(() => {
    // In another category it is a new element, and the old one has lost the focus.
    if (movedId.value === id && document.activeElement !== element.current) element.current?.focus()
  })
  return element
}

/** Types with a button below the list: category, and channel types without a heading that has a button. */
const makeable = (channels: ServerChannel[], categories: number) =>
  (['text', 'voice', 'category'] as const).filter(
    (type) => type === 'category' || (categories > 0 && channels.every((channel) => channel.type !== type)),
  )

/** Channels that the account lists, and the one on the page. */
const shownOf = (channels: ServerChannel[]): ServerChannel[] => {
  const here = route.value
  return channels.filter(({ id }) => isListed(state, id) || (here.page === 'server' && here.channel_id === id))
}

/** The channels of a server: those without a category by kind, then each category with its own. */
export const ChannelNavigation = ({ server_id }: { server_id: number }) => {
  follow('shell')
  const all = state.channelsOf(server_id)
  const channels = shownOf(all.filter(({ parent_id }) => parent_id === null))
  const mayMake = state.may(server_id, 'manage_channels')
  useEffect(() => {
    if (connection.value === 'online' && state.isSynced) void loadPrivacy(server_id)
  }, [server_id, connection.value, state.isSynced])
  const categories = state.categoriesOf(server_id)
  return (
    <nav aria-label={words.channels.list} class="scroll">
      {(['text', 'voice'] as const).map((type) => {
        const ofType = channels.filter((channel) => isSpoken(channel) === (type === 'voice'))
        // With categories, an empty list says nothing: below, a channel can be made.
        return ofType.length === 0 && categories.length > 0 ? null : (
          <section key={type}>
            <header>
              <h3>{words.channels[type]}</h3>
              {mayMake ? (
                <IconButton
                  icon="add"
                  size={16}
                  label={words.channels.make[type]}
                  onClick={() => void showNewChannel({ server_id, type })}
                />
              ) : null}
            </header>
            <ChannelList channels={ofType} />
          </section>
        )
      })}
      {categories.map((category) => (
        <Category key={category.id} category={category} />
      ))}
      {all.some(({ opt_in_since }) => opt_in_since) ? (
        <button type="button" class="make" onClick={() => void showChoices(server_id)}>
          <Icon name="search" size={16} /> {words.channels.browse}
        </button>
      ) : null}
      {mayMake
        ? makeable(channels, categories.length).map((type) => (
            <button
              key={type}
              type="button"
              class="make"
              onClick={() => void showNewChannel({ server_id, type })}
              {...outside(type)}
            >
              <Icon name="add" size={16} /> {isHeld(type) ? words.channels.outside : words.channels.make[type]}
            </button>
          ))
        : null}
    </nav>
  )
}

/** A category. If collapsed, it shows only the open channel and unread ones. */
const Category = ({ category }: { category: ServerChannel }) => {
  follow('shell')
  const { id, server_id } = category
  const heading = useFocusAfterMove<HTMLButtonElement>(id)
  const isFolded = foldedCategories.value.has(id)
  const here = route.value
  const all = shownOf(state.channelsIn(server_id, id))
  const visible = isFolded
    ? all.filter(
        (each) =>
          isUnreadAloud(state, each) ||
          state.mentionsIn(each) > 0 ||
          (here.page === 'server' && here.channel_id === each.id),
      )
    : all
  const name = withoutBidi(category.name)
  const isMine = mayChange(category)
  return (
    <section class="category">
      <header class={landingClass(id)} {...dragging(category)}>
        <h3>
          <button
            ref={heading}
            type="button"
            aria-expanded={!isFolded}
            data-menu={`channel ${id}`}
            aria-keyshortcuts={isMine ? 'Alt+ArrowUp Alt+ArrowDown' : undefined}
            onClick={() => toggleFolded(id)}
            onKeyDown={(event) => isMine && moveByKey(event, category)}
          >
            <Icon name="chevron" size={14} />
            <bdi>{name}</bdi>
          </button>
        </h3>
        <NotificationButton server_id={server_id} channel_id={id} name={name} size={16} />
        {isMine ? (
          <IconButton
            icon="add"
            size={16}
            label={words.channels.addTo(name)}
            onClick={() => void showNewChannel({ server_id, type: 'text', parent_id: id })}
          />
        ) : null}
        {isMine || state.may(server_id, 'manage_roles') ? (
          <IconButton
            icon="gear"
            size={16}
            label={words.channels.settings(name)}
            onClick={() => void showChannelSettings(id)}
          />
        ) : null}
      </header>
      <ChannelList channels={visible} />
    </section>
  )
}

const ChannelList = ({ channels }: { channels: ServerChannel[] }) => (
  <ul>
    {channels.map((channel) => (
      <>
        <ChannelLink key={channel.id} channel={channel} />
        <FollowedThreads key={`threads of ${channel.id}`} channel_id={channel.id} />
        {voiceSlot.value?.below(channel)}
      </>
    ))}
  </ul>
)

/** The icon of a channel; a private text channel has a lock instead. */
export const iconOf = (channel: ServerChannel): IconName => {
  const { type } = channel
  if (type === 'voice' || type === 'stage') return type
  return type === 'forum' ? 'message' : isPrivate(channel) ? 'lock' : 'hash'
}

const ChannelLink = ({ channel }: { channel: ServerChannel }) => {
  follow('shell')
  const link = useFocusAfterMove<HTMLAnchorElement>(channel.id)
  // Only the previous and the next current link render again.
  const isHere = useComputed(() => route.value.page === 'server' && route.value.channel_id === channel.id).value
  const unread = isUnreadAloud(state, channel) && !isHere
  const mentions = badgeOf(state, channel)
  const { muted } = mutingIn(state, channel)
  const style = `${unread ? 'unread' : ''} ${muted ? 'muted' : ''}`
  const isLively = state.lively.has(channel.id) && !isHere
  const name = withoutBidi(channel.name)
  const isText = channel.type === 'text'
  const isHidden = isPrivate(channel)
  const may = (permission: Permission) => state.may(channel.server_id, permission)
  const isMine = mayChange(channel)
  return (
    <li class={`row ${isHere ? 'here' : ''} ${style} ${landingClass(channel.id)}`} {...dragging(channel)}>
      <a
        ref={link}
        href={channelPath(channel.server_id, channel.id)}
        data-menu={`channel ${channel.id}`}
        {...prefetching(channel.id)}
        // The row is dragged, not its address.
        draggable={false}
        aria-current={isHere && 'page'}
        aria-label={
          words.named({
            name: `${name}${isHidden ? words.channels.private : ''}${muted ? `, ${words.unread.muted}` : ''}`,
            n: mentions,
            isAny: unread,
          }) + (!isHere && hasUnsent(channel.id) ? words.withDraft : '')
        }
        aria-keyshortcuts={isMine ? 'Alt+ArrowUp Alt+ArrowDown' : undefined}
        onKeyDown={(event) => isMine && moveByKey(event, channel)}
      >
        <Icon name={iconOf(channel)} size={18} />
        <bdi>{name}</bdi>
        {isHidden && !isText ? <Icon name="lock" size={13} /> : null}
        {isHere ? null : <DraftSign channel_id={channel.id} />}
        {isLively ? (
          <span class="lively" role="img" aria-label={words.threads.show(true)} title={words.threads.show(true)} />
        ) : null}
        {voiceSlot.value?.beside(channel)}
        <Badge count={mentions} isNamed />
      </a>
      {isMine || may('manage_roles') || may('manage_server') ? (
        <IconButton
          icon="gear"
          size={16}
          class="aside"
          label={words.channels.settings(titleOf(channel))}
          onClick={() => void showChannelSettings(channel.id)}
        />
      ) : null}
    </li>
  )
}
