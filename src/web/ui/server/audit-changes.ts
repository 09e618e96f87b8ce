import type { AuditEntry } from '../../../features/audit/model.ts'

/** True for an empty value, and for fields that every new object has or that the entry's sentence contains. */
const isNoise = (field: string, value: unknown): boolean =>
  value === null ||
  value === false ||
  value === 0 ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  ['name', 'code', 'filename', 'position', 'uses', 'hoist', 'owner_id', 'archive_after_seconds'].includes(field) ||
  /^(creator|uploader|inviter)_id$/.test(field)

/** The changes of an entry. After a create or delete, empty values and uninformative fields are omitted. */
export function shownChangesOf({
  action,
  changes,
}: AuditEntry): [field: string, change: { before: unknown; after: unknown }][] {
  const isWhole = /\.(created|deleted)$/.test(action) && action !== 'messages.deleted'
  return Object.entries(changes).filter(([field, { before, after }]) => !isWhole || !isNoise(field, after ?? before))
}
