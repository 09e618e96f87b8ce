import type { Channel } from '../../../features/access/model.ts'
import { placeKey } from '../../client/outbox.ts'
import { canContact, nameOf, titleOf, withoutBidi } from '../../state/names.ts'
import { directPath, go, placePath, route } from '../../state/route.ts'
import { call, gateway, state } from '../../state/session.ts'
import { isSpoken } from '../../state/spoken.ts'
import { isServerChannel } from '../../state/state.ts'
import { callWords } from '../../words/call.ts'
import { friendWords } from '../../words/friends.ts'
import { arrivalWords } from '../../words/arrival.ts'
import { menuWords } from '../../words/menus.ts'
import { moderationWords } from '../../words/moderation.ts'
import { actionWords } from '../../words/actions.ts'
import { words } from '../../words/words.ts'
import { copyText } from '../kit/clipboard.ts'
import { type MenuItem, type Point } from '../kit/menu.tsx'
import { showMenu } from '../kit/open-menu.tsx'
import { showActions } from '../messages/action-bar.tsx'
import { active } from '../messages/current-message.ts'
import { showChoices } from '../arrival/show-arrival.tsx'
import { showNotifications } from '../notifications/buttons.tsx'
import { hasCommands, openCommands } from '../commands/open-commands.ts'
import { befriend, changeRelation, unfriend } from '../people/friends.tsx'
import { showAddPeople, showGroupSettings, showProfile } from '../people/show-people.tsx'
import { showReport } from '../people/show-report.tsx'
import { showEvents } from '../calendar/show-events.tsx'
import { askToDeleteChannel } from '../server/delete-channel.ts'
import { askToLeaveServer } from '../server/leave-server.ts'
import { showChannelSettings, showNewChannel, showNewInvite, showServerSettings } from '../server/show-server.tsx'
import { readChannel } from '../notifications/unread-keys.ts'
import { ask, type Entry, moderationOf } from './moderation-entries.ts'

/** Voice channels that a menu offers to move somebody to. */
const CHANNELS_MAX = 20

interface Entries {
  label: string
  items: Entry[]
}

/** The channel of the server that is shown now. */
const shownIn = (server_id: number | undefined): Channel | undefined =>
  route.value.page === 'server' && route.value.server_id === server_id
    ? state.channels.get(route.value.channel_id ?? 0)
    : undefined

/** Actions on a member in a call of the server. @param opener of the menu */
function inCallOf(user_id: number, server_id: number, opener: HTMLElement): Entry[] {
  const voice = state.voices.get(user_id)
  const channel = state.channels.get(voice?.channel_id ?? 0)
  if (!voice || channel?.server_id !== server_id) return []
  const targets = state
    .channelsOf(server_id)
    .filter((each) => isSpoken(each) && each.id !== channel.id && state.mayIn(each, 'move_members'))
  const mayMove = state.mayIn(channel, 'move_members')
  const target = { server_id, user_id }
  const move = () =>
    showMenu({
      label: menuWords.moveTo,
      opener,
      items: targets.slice(0, CHANNELS_MAX).map(({ id: channel_id, name }) => ({
        name: `${channel_id}`,
        icon: 'voice',
        label: withoutBidi(name),
        run: ask(() => gateway.command('voice.move_member', { ...target, channel_id })),
      })),
    })
  return [
    mayMove && targets.length > 0 && { name: 'move', icon: 'voice', label: menuWords.moveTo, run: move },
    state.mayIn(channel, 'mute_members') && {
      name: 'mute',
      icon: voice.server_mute ? 'mic' : 'micOff',
      label: voice.server_mute ? callWords.unmuteMember : callWords.muteMember,
      run: ask(() => gateway.command('voice.mute_member', { ...target, mute: !voice.server_mute })),
    },
    state.mayIn(channel, 'deafen_members') && {
      name: 'deafen',
      icon: voice.server_deaf ? 'undeaf' : 'deaf',
      label: voice.server_deaf ? callWords.undeafenMember : callWords.deafenMember,
      run: ask(() => gateway.command('voice.deafen_member', { ...target, deafen: !voice.server_deaf })),
    },
    mayMove && {
      name: 'disconnect',
      icon: 'hangUp',
      label: callWords.disconnectMember,
      isDangerous: true,
      run: ask(() => gateway.command('voice.disconnect_member', target)),
    },
  ]
}

/**
 * The entries of an account's menu.
 * @param server_id the server in which the account is shown as a member
 * @param owner the element that has the menu
 */
function ofPerson(user_id: number, server_id: number | undefined, owner: HTMLElement): Entries {
  const isMe = user_id === state.me()
  const channel = shownIn(server_id)
  const relation = isMe || !canContact(user_id) ? undefined : (state.relations.get(user_id)?.state ?? 'none')
  return {
    label: menuWords.of(nameOf(user_id)),
    items: [
      { name: 'profile', icon: 'members', label: words.profile.open, run: () => showProfile(user_id, server_id) },
      hasCommands(channel) && {
        name: 'commands',
        icon: 'next',
        label: actionWords.message.commands,
        run: () => openCommands(channel, { kind: 'user', target_id: user_id }),
      },
      relation !== undefined &&
        relation !== 'blocked' && {
          name: 'write',
          icon: 'message',
          label: menuWords.write,
          run: () => go(directPath(user_id)),
        },
      relation === 'none' && {
        name: 'befriend',
        icon: 'invite',
        label: friendWords.add,
        run: ask(() => befriend(user_id)),
      },
      relation === 'pending_incoming' && {
        name: 'accept',
        icon: 'invite',
        label: menuWords.accept,
        run: ask(() => changeRelation(user_id, 'accept')),
      },
      relation === 'friends' && {
        name: 'unfriend',
        icon: 'close',
        label: friendWords.remove,
        run: ask(() => unfriend(user_id)),
      },
      ...(server_id === undefined || isMe ? [] : inCallOf(user_id, server_id, owner)),
      ...(server_id === undefined || isMe ? [] : moderationOf({ user_id, server_id })),
      !isMe && {
        name: 'report',
        icon: 'flag',
        label: moderationWords.reportProfile,
        run: () => showReport({ author_id: user_id, server_id: server_id ?? null }),
      },
      relation === 'blocked'
        ? {
            name: 'unblock',
            icon: 'hide',
            label: friendWords.unblock,
            run: ask(() => changeRelation(user_id, 'unblock')),
          }
        : !isMe && {
            name: 'block',
            icon: 'hide',
            label: friendWords.block,
            isDangerous: true,
            run: ask(() => changeRelation(user_id, 'block')),
          },
    ],
  }
}

/** The entries of a menu of any channel, categories, dms and groups included. */
function ofChannel(channel: Channel): Entries {
  const { id } = channel
  const partner = state.partnerOf(channel)
  const title = titleOf(channel)
  const copy: MenuItem = {
    name: 'copy-link',
    icon: 'link',
    label: menuWords.copyLink,
    run: () => copyText(location.origin + placePath(id), actionWords.message.linked),
  }
  return {
    label: menuWords.of(title),
    items: [
      state.isUnread(channel) && {
        name: 'read',
        icon: 'unread',
        label: menuWords.read,
        run: () => readChannel(id),
      },
      partner !== undefined && {
        name: 'profile',
        icon: 'members',
        label: words.profile.open,
        run: () => showProfile(partner),
      },
      {
        name: 'notifications',
        icon: 'bell',
        label: menuWords.notifications,
        run: () => showNotifications({ server_id: channel.server_id, channel_id: id }),
      },
      ...(isServerChannel(channel) ? ofServerChannel(channel, channel.server_id) : []),
      channel.type !== 'category' && copy,
      channel.type === 'group' && {
        name: 'add',
        icon: 'invite',
        label: words.groups.add,
        run: () => showAddPeople(id),
      },
      channel.type === 'group' && {
        name: 'settings',
        icon: 'gear',
        label: words.groups.settings,
        run: () => showGroupSettings(id),
      },
      partner !== undefined && {
        name: 'hide',
        icon: 'close',
        label: menuWords.hide,
        run: ask(() => call('DELETE /api/dm/:user_id/hide', { user_id: partner })),
      },
      isServerChannel(channel) &&
        channel.type !== 'thread' &&
        state.mayIn(channel, 'manage_channels') && {
          name: 'delete',
          icon: 'trash',
          label: channel.type === 'category' ? menuWords.deleteCategory : menuWords.deleteChannel,
          isDangerous: true,
          run: () => askToDeleteChannel(channel),
        },
    ],
  }
}

function ofServerChannel(channel: Channel, server_id: number): Entry[] {
  const { id, type, name } = channel
  const mayChange = state.mayIn(channel, 'manage_channels')
  const may = (...bits: Parameters<typeof state.may>[1][]) => bits.some((bit) => state.may(server_id, bit))
  return [
    type === 'category' &&
      mayChange && {
        name: 'make',
        icon: 'add',
        label: words.channels.addTo(withoutBidi(name)),
        run: () => showNewChannel({ server_id, type: 'text', parent_id: id }),
      },
    type !== 'category' &&
      may('create_invite') && {
        name: 'invite',
        icon: 'invite',
        label: words.invite.people,
        run: () => showNewInvite(server_id),
      },
    type !== 'thread' &&
      (mayChange || may('manage_roles', 'manage_server')) && {
        name: 'settings',
        icon: 'gear',
        label: menuWords.settings,
        run: () => showChannelSettings(id),
      },
  ]
}

function ofServer(server_id: number): Entries {
  const server = state.servers.get(server_id)
  const isOwner = server?.owner_id === state.me()
  return {
    label: menuWords.of(withoutBidi((server ?? state.listed.get(server_id))?.name ?? '')),
    items: [
      {
        name: 'read',
        icon: 'unread',
        label: menuWords.read,
        run: ask(() => call('POST /api/servers/:server_id/read-all', { server_id })),
      },
      {
        name: 'notifications',
        icon: 'bell',
        label: menuWords.notifications,
        run: () => showNotifications({ server_id, channel_id: null }),
      },
      state.may(server_id, 'create_invite') && {
        name: 'invite',
        icon: 'invite',
        label: words.invite.people,
        run: () => showNewInvite(server_id),
      },
      { name: 'events', icon: 'calendar', label: menuWords.events, run: () => showEvents(server_id) },
      { name: 'choices', icon: 'check', label: arrivalWords.choices, run: () => showChoices(server_id) },
      { name: 'settings', icon: 'gear', label: menuWords.serverSettings, run: () => showServerSettings(server_id) },
      server !== undefined &&
        !isOwner && {
          name: 'leave',
          icon: 'leave',
          label: menuWords.leaveServer,
          isDangerous: true,
          run: () => askToLeaveServer(server),
        },
    ],
  }
}

/** Shows the menu of an element, whose `data-menu` names the object. @param at position of the click */
export function showMenuOf(owner: HTMLElement, at?: Point): void {
  const [kind, ...ids] = (owner.dataset['menu'] ?? '').split(' ')
  const [id = 0, other] = ids.map(Number)
  if (kind === 'message') {
    const entry = state.timelines.get(placeKey({ channel_id: other ?? 0 }))?.entries.find((each) => each.id === id)
    if (!entry) return
    active.value = id
    return showActions(entry, owner, at)
  }
  const channel = kind === 'channel' ? state.channels.get(id) : undefined
  const entries =
    kind === 'person'
      ? ofPerson(id, other || undefined, owner)
      : kind === 'server'
        ? ofServer(id)
        : channel
          ? ofChannel(channel)
          : undefined
  if (!entries) return
  const items = entries.items.filter((item): item is MenuItem => Boolean(item))
  showMenu({ label: entries.label, opener: owner, items, ...(at ? { at } : {}) })
}
