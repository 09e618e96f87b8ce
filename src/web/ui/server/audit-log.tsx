import { holds, permissionNames } from '../../../core/permissions.ts'
import type { AuditEntry } from '../../../features/audit/model.ts'
import { knownNameOf, withoutBidi } from '../../state/names.ts'
import { call, follow, loader, state, store } from '../../state/session.ts'
import { momentOf } from '../../state/format.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { settingsWords } from '../../words/settings.ts'
import { digits } from '../../words/plural.ts'
import { words } from '../../words/words.ts'
import { Pages, usePages } from '../kit/pages.tsx'

/** The name of an account; fetched if it is not known, for example of somebody who has left. */
function personOf(id: number): string {
  const name = knownNameOf(id)
  if (name === undefined && !asked.has(id)) {
    asked.add(id)
    store.unknown.people.add(id)
    void loader.catchUp()
  }
  return name ?? settingsWords.auditValues.unknown
}
const asked = new Set<number>()

/** The name of an entry's target, or what the entry says about it if it is gone. */
function targetOf({ target_type, target_id, changes }: AuditEntry): string {
  const { before, after } = changes.name ?? changes.filename ?? changes.code ?? { before: null, after: null }
  const name = {
    server: () => state.servers.get(target_id)?.name,
    channel: () => state.channels.get(target_id)?.name,
    role: () => state.roles.get(target_id)?.name,
    member: () => personOf(target_id),
    invite: () => undefined,
    message: () => undefined,
    file: () => undefined,
    emoji: () => undefined,
    webhook: () => (changes.name ? undefined : personOf(target_id)),
  }[target_type]()
  return withoutBidi(name ?? String(after ?? before ?? ''))
}

const permissionsOf = (sum: number): string =>
  permissionNames
    .filter((name) => holds(sum, name))
    .map((name) => settingsWords.permissions[name][0])
    .join(', ') || settingsWords.auditValues.none

/** What the ids of a field name; undefined for fields without ids. */
function namedBy(field: string, id: number): string | undefined {
  if (/^(owner|creator|uploader|author|user|inviter)_ids?$|^banned_by$/.test(field)) return personOf(id)
  if (field === 'channel_id') return withoutBidi(state.channels.get(id)?.name ?? settingsWords.auditValues.unknown)
  if (field === 'role_id' || field === 'role_ids')
    return withoutBidi(state.roles.get(id)?.name ?? settingsWords.auditValues.unknown)
  return field.endsWith('file_id') ? settingsWords.auditValues.picture : undefined
}

const kindNames: Record<string, string | undefined> = {
  text: words.channels.text,
  voice: words.channels.voice,
  category: settingsWords.channels.category,
}

/** A value of a field in words. */
function shown(field: string, value: unknown): string {
  const { yes, no, none } = settingsWords.auditValues
  if (typeof value === 'boolean') return value ? yes : no
  if (Array.isArray(value)) return value.map((each) => shown(field, each)).join(', ') || none
  if (['permissions', 'allow', 'deny'].includes(field) && typeof value === 'number') return permissionsOf(value)
  if (field === 'max_uses' && typeof value === 'number') return dialogWords.invite.times(value)
  if (typeof value === 'number') return namedBy(field, value) ?? digits(value)
  if (typeof value !== 'string') return JSON.stringify(value)
  if (field === 'type') return kindNames[value] ?? value
  return field.endsWith('_at') ? momentOf(value) : withoutBidi(value) || none
}

const fieldNames: Record<string, string | undefined> = settingsWords.auditFields
const nameOfField = (field: string): string =>
  fieldNames[field] ?? fieldNames[field.replace(/s$/, '')] ?? field.replace(/_ids?$/, '').replaceAll('_', ' ')

/** The audit log of a server, newest entry first. */
export const AuditLog = ({ server_id }: { server_id: number }) => {
  follow('members')
  const list = usePages<AuditEntry>(
    (page, last) =>
      call('GET /api/servers/:server_id/audit-log', { server_id, ...page, ...(last ? { before: last.id } : {}) }),
    server_id,
  )
  return (
    <Pages list={list} class="audit">
      {list.rows.map((entry) => (
        <li key={entry.id}>
          <p>
            <strong>
              <bdi>{withoutBidi(entry.actor.display_name)}</bdi>
            </strong>{' '}
            {settingsWords.audit[entry.action]} <bdi>{targetOf(entry)}</bdi>
          </p>
          <small>{momentOf(entry.created_at)}</small>
          <dl>
            {Object.entries(entry.changes).map(([field, { before, after }]) => (
              <div key={field}>
                <dt>{nameOfField(field)}</dt>
                <dd>
                  {before === null ? null : <s>{shown(field, before)}</s>} {after === null ? null : shown(field, after)}
                </dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </Pages>
  )
}
