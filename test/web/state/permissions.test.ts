import { expect, test } from 'bun:test'
import {
  ALL_PERMISSIONS,
  bitOf,
  GUEST_PERMISSIONS,
  holds,
  permissionNames,
  without,
} from '../../../src/core/permissions.ts'
import type { Channel } from '../../../src/features/access/model.ts'
import type { Role } from '../../../src/features/roles/model.ts'
import { State } from '../../../src/web/state/state.ts'
import { PERMISSION_TOPICS } from '../../../src/web/ui/server/permission-topics.ts'

const at = '2026-01-01T00:00:00.000Z'
const [server_id, channel_id, everyoneId, role_id] = [1, 2, 3, 4]

/** A member with one role in a server with one channel, as the web client keeps them. */
function stateWith(permissions: { everyone: number; role: number }): { state: State; channel: Channel } {
  const state = new State()
  const common = { server_id, created_at: at, updated_at: at }
  const user = { id: 7, username: 'bob', email: '', email_verified_at: null, display_name: 'Bob' }
  state.user = { ...user, avatar_file_id: null, created_at: at }
  state.servers.set(server_id, {
    ...common,
    id: server_id,
    name: '',
    description: '',
    owner_id: 8,
    icon_file_id: null,
    system_channel_id: null,
    afk_channel_id: null,
    afk_minutes: 5 as const,
    calls_encryption: 'preferred' as const,
    member_count: 2,
    message_retention_days: null,
    default_notifications: 'mentions' as const,
    appeal_contact: null,
    verification: 'none' as const,
    verification_minutes: 10,
    public: false,
    public_indexed: true,
    rules_version: null,
  })
  const role = (id: number, sum: number, position: number): Role => ({
    ...common,
    id,
    name: '',
    color: null,
    permissions: sum,
    position,
    is_everyone: position === 0,
    hoist: false,
    mentionable: false,
    self_assignable: false,
    bot_id: null,
    icon_url: null,
  })
  state.roles.set(everyoneId, role(everyoneId, permissions.everyone, 0))
  state.roles.set(role_id, role(role_id, permissions.role, 1))
  state.membersOf(server_id).set(7, {
    server_id,
    user_id: 7,
    role_ids: [role_id],
    joined_at: at,
    nickname: null,
    timed_out_until: null,
    held_back: null,
    held_until: null,
    rules_version: null,
  })
  const channel: Channel = {
    ...common,
    id: channel_id,
    parent_id: null,
    name: '',
    type: 'text',
    topic: '',
    position: 0,
    recipients: null,
    owner_id: null,
    icon_file_id: null,
    last_message_id: null,
    last_message_at: null,
    slowmode_seconds: 0,
    message_id: null,
    message_count: 0,
    archived_at: null,
    locked: false,
    archive_after_seconds: null,
    message_retention_days: null,
    pruned_before_id: null,
    opt_in_since: null,
  }
  state.channels.set(channel_id, channel)
  return { state, channel }
}

test('the web client tells each bit from every other, below and above 32 bits', () => {
  for (const name of permissionNames.filter((each) => each !== 'administrator')) {
    const bit = bitOf(name)
    const rest = without(ALL_PERMISSIONS, bit + bitOf('administrator'))
    for (const [everyone, role] of [
      [bit, 0],
      [0, bit],
      [bit, bit],
    ] as const) {
      const { state, channel } = stateWith({ everyone, role })
      expect(permissionNames.filter((each) => state.may(server_id, each))).toEqual([name])
      expect(permissionNames.filter((each) => state.mayIn(channel, each))).toEqual([name])
    }
    const { state, channel } = stateWith({ everyone: rest, role: bit })
    expect(state.permissionsAt(channel)).toBe(rest + bit)
    state.overwrites.set(channel_id, [{ channel_id, role_id, allow: 0, deny: bit }])
    expect(state.permissionsAt(channel)).toBe(rest)
    state.overwrites.set(channel_id, [
      { channel_id, role_id: everyoneId, allow: 0, deny: rest + bit },
      { channel_id, role_id, allow: bit, deny: 0 },
    ])
    expect(state.permissionsAt(channel)).toBe(bit)
  }
})

test('an administrator holds every bit in the web client', () => {
  const { state, channel } = stateWith({ everyone: 0, role: bitOf('administrator') })
  state.overwrites.set(channel_id, [{ channel_id, role_id, allow: 0, deny: ALL_PERMISSIONS }])
  expect(permissionNames.filter((name) => !holds(state.permissionsAt(channel), name))).toEqual([])
})

test('a guest has at most the mask in the web client, even where everyone is an administrator', () => {
  for (const everyone of [ALL_PERMISSIONS, ALL_PERMISSIONS - bitOf('administrator')]) {
    const { state, channel } = stateWith({ everyone, role: 0 })
    state.users.set(7, { id: 7, display_name: 'Bob', avatar_file_id: null, kind: 'guest' })
    state.overwrites.set(channel_id, [{ channel_id, role_id: everyoneId, allow: ALL_PERMISSIONS, deny: 0 }])
    expect([state.permissionsIn(server_id), state.permissionsAt(channel)]).toEqual([
      GUEST_PERMISSIONS,
      GUEST_PERMISSIONS,
    ])
  }
})

test('the web client offers every bit, each once', () => {
  expect(Object.values(PERMISSION_TOPICS).flat().toSorted()).toEqual(permissionNames.toSorted())
})
