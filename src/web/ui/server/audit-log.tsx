import { useState } from 'preact/hooks'
import { holds, permissionNames } from '../../../core/permissions.ts'
import type { AuditEntry } from '../../../features/audit/model.ts'
import { knownNameOf, withoutBidi } from '../../state/names.ts'
import { call, follow, loader, state, store } from '../../state/session.ts'
import { clockOf, isSameDay, momentOf } from '../../state/format.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { moderationWords } from '../../words/moderation.ts'
import { settingsWords } from '../../words/settings.ts'
import { digits, listOf, spanOf } from '../../words/plural.ts'
import { words } from '../../words/words.ts'
import { Pages, usePages } from '../kit/pages.tsx'
import { shownChangesOf } from './audit-changes.ts'
import { AuditFilters, type Filter } from './audit-filters.tsx'

/** The name of an account; fetched if unknown, for example after the account has left. */
function personOf(id: number): string {
  const name = knownNameOf(id)
  if (name === undefined && !requestedIds.has(id)) {
    requestedIds.add(id)
    store.unknown.people.add(id)
    void loader.catchUp()
  }
  return name ?? settingsWords.auditValues.unknown
}
const requestedIds = new Set<number>()

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
    sound: () => undefined,
    sticker: () => undefined,
    rule: () => undefined,
    report: () => undefined,
    webhook: () => (changes.name ? undefined : personOf(target_id)),
  }[target_type]()
  return withoutBidi(name ?? String(after ?? before ?? ''))
}

const namesOf = (sum: number): string[] =>
  permissionNames.filter((name) => holds(sum, name)).map((name) => settingsWords.permissions[name][0])

const PERMISSIONS = ['permissions', 'allow', 'deny']

/** Name of the object with an id, by the field that has the id; undefined for fields without ids. */
function namedBy(field: string, id: number): string | undefined {
  if (/^(owner|creator|uploader|author|user|inviter)_ids?$|^banned_by$/.test(field)) return personOf(id)
  if (/channel_ids?$/.test(field)) return withoutBidi(state.channels.get(id)?.name ?? settingsWords.auditValues.unknown)
  if (/role_ids?$/.test(field)) return withoutBidi(state.roles.get(id)?.name ?? settingsWords.auditValues.unknown)
  return field.endsWith('file_id') ? settingsWords.auditValues.picture : undefined
}

const kindNames: Record<string, string | undefined> = {
  text: words.channels.text,
  voice: words.channels.voice,
  category: settingsWords.channels.category,
}

const moderationNames: Record<string, string | undefined> = { ...moderationWords.states, ...moderationWords.kinds }

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** A time as people say it: the clock today, else the day with it. */
const sayTime = (time: string): string =>
  isSameDay(time, new Date().toISOString()) ? settingsWords.auditToday(clockOf(time)) : momentOf(time)

/** A value of a field in words. */
function valueText(field: string, value: unknown): string {
  const { yes, no, none } = settingsWords.auditValues
  if (typeof value === 'boolean') return value ? yes : no
  if (field === 'message_ids' && Array.isArray(value)) return digits(value.length)
  if (Array.isArray(value)) return listOf(value.map((each) => valueText(field, each))) || none
  if (field.endsWith('_seconds') && typeof value === 'number') return value === 0 ? no : spanOf(value)
  if (PERMISSIONS.includes(field) && typeof value === 'number') return listOf(namesOf(value)) || none
  if (field === 'max_uses' && typeof value === 'number') return dialogWords.invite.times(value)
  if (typeof value === 'number') return namedBy(field, value) ?? digits(value)
  if (typeof value !== 'string') return JSON.stringify(value)
  if (field === 'type') return kindNames[value] ?? value
  if (field === 'state' || field === 'kind') return moderationNames[value] ?? value
  return TIME.test(value) ? sayTime(value) : withoutBidi(value) || none
}

const fieldNames: Record<string, string | undefined> = settingsWords.auditFields
const nameOfField = (field: string): string =>
  fieldNames[field] ?? fieldNames[field.replace(/s$/, '')] ?? field.replace(/_ids?$/, '').replaceAll('_', ' ')

interface ChangeProps {
  field: string
  before: unknown
  after: unknown
  /** True if the entry is about a delete: the old values are not struck out. */
  isGone: boolean
}

/** The old and new value; for permissions, only the bits that changed. */
const Change = ({ field, before, after, isGone }: ChangeProps) => {
  if (PERMISSIONS.includes(field) && typeof before === 'number' && typeof after === 'number') {
    const [old, now] = [new Set(namesOf(before)), new Set(namesOf(after))]
    const [added, removed] = [[...now].filter((name) => !old.has(name)), [...old].filter((name) => !now.has(name))]
    return (
      <dd>
        {added.length > 0 ? <span>+ {listOf(added)} </span> : null}
        {removed.length > 0 ? <s>{listOf(removed)}</s> : null}
      </dd>
    )
  }
  if (isGone) return <dd>{valueText(field, before ?? after)}</dd>
  return (
    <dd>
      {before === null ? null : <s>{valueText(field, before)}</s>}
      {before === null || after === null ? ' ' : ' → '}
      {after === null ? null : <span>{valueText(field, after)}</span>}
    </dd>
  )
}

/** The audit log of a server, newest entry first. */
export const AuditLog = ({ server_id }: { server_id: number }) => {
  follow('members')
  const [filter, setFilter] = useState<Filter>({})
  const list = usePages<AuditEntry>(
    (page, last) =>
      call('GET /api/servers/:server_id/audit-log', {
        server_id,
        ...filter,
        ...page,
        ...(last ? { before: last.id } : {}),
      }),
    server_id,
    JSON.stringify(filter),
  )
  return (
    <>
      <AuditFilters server_id={server_id} filter={filter} entries={list.rows} onChange={setFilter} />
      <Pages list={list} class="audit" empty={<p class="quiet">{settingsWords.auditFilters.nothing}</p>}>
        {list.rows.map((entry) => (
          <li key={entry.id}>
            <p>
              <strong>
                <bdi>{withoutBidi(entry.actor.display_name)}</bdi>
              </strong>{' '}
              {settingsWords.audit[entry.action]} <bdi>{targetOf(entry)}</bdi>
            </p>
            <small title={momentOf(entry.created_at)}>{sayTime(entry.created_at)}</small>
            <dl>
              {shownChangesOf(entry).map(([field, { before, after }]) => (
                <div key={field}>
                  <dt>{nameOfField(field)}</dt>
                  <Change field={field} before={before} after={after} isGone={entry.action.endsWith('deleted')} />
                </div>
              ))}
            </dl>
          </li>
        ))}
      </Pages>
    </>
  )
}
