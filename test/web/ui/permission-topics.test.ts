import { expect, test } from 'bun:test'
import { permissionNames } from '../../../src/core/permissions.ts'
import { isSetInChannels, PERMISSION_TOPICS } from '../../../src/web/ui/server/permission-topics.ts'

test('every permission is in one topic of the settings', () => {
  expect(Object.values(PERMISSION_TOPICS).flat().toSorted()).toEqual(permissionNames.toSorted())
})

test('channels offer no permission that only a server gives', () => {
  expect(permissionNames.filter((name) => !isSetInChannels(name)).toSorted()).toEqual([
    'administrator',
    'ban_members',
    'change_nickname',
    'create_events',
    'create_invite',
    'kick_members',
    'manage_emoji',
    'manage_events',
    'manage_nicknames',
    'manage_server',
    'moderate_members',
    'view_audit_log',
  ])
})
