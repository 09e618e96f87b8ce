import { expect, test } from 'bun:test'
import type { AuditEntry } from '../../../src/features/audit/model.ts'
import { shownChangesOf } from '../../../src/web/ui/server/audit-changes.ts'

/** The fields that the log shows of an entry with these changes. */
const fieldsOf = (action: AuditEntry['action'], changes: AuditEntry['changes']): string[] =>
  shownChangesOf({ action, changes } as AuditEntry).map(([field]) => field)
const creationOf = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).map(([field, after]) => [field, { before: null, after }]))
const deletionOf = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).map(([field, before]) => [field, { before, after: null }]))

const CHANNEL = {
  name: 'weir',
  type: 'text',
  position: 3,
  topic: null,
  parent_id: null,
  slowmode_seconds: 0,
  message_retention_days: null,
}

test('the log shows every field of a change, and of a new or deleted row only what its sentence lacks', () => {
  expect(fieldsOf('channel.created', creationOf(CHANNEL))).toEqual(['type'])
  expect(fieldsOf('channel.created', creationOf({ ...CHANNEL, topic: 'Herons', slowmode_seconds: 5 }))).toEqual([
    'type',
    'topic',
    'slowmode_seconds',
  ])
  expect(fieldsOf('channel.deleted', deletionOf({ ...CHANNEL, topic: 'Herons' }))).toEqual(['type', 'topic'])
  expect(fieldsOf('invite.created', creationOf({ code: 'abc', uses: 0, inviter_id: 8, max_uses: 5 }))).toEqual([
    'max_uses',
  ])
  const change = { name: { before: 'a', after: 'b' }, position: { before: 1, after: 0 } }
  expect(fieldsOf('channel.updated', change)).toEqual(['name', 'position'])
  expect(fieldsOf('messages.deleted', deletionOf({ message_ids: [], channel_id: 8 }))).toEqual([
    'message_ids',
    'channel_id',
  ])
})
