import { useEffect, useState } from 'preact/hooks'
import { holds, permissionNames } from '../../../core/permissions.ts'
import type { AuditEntry } from '../../../features/audit/model.ts'
import { nameOf, withoutBidi } from '../../state/names.ts'
import { call, state } from '../../state/session.ts'
import { momentOf } from '../../state/format.ts'
import { words } from '../../words/words.ts'
import { Refusal, useAttempt } from '../kit/forms.tsx'

const PAGE = 50

/** The name of an entry's target, or its id if it is gone. */
function targetOf({ target_type, target_id }: AuditEntry): string {
  const name = {
    server: () => state.servers.get(target_id)?.name,
    channel: () => state.channels.get(target_id)?.name,
    role: () => state.roles.get(target_id)?.name,
    member: () => nameOf(target_id, ''),
    invite: () => undefined,
    message: () => undefined,
    file: () => undefined,
  }[target_type]()
  return withoutBidi(name || `#${target_id}`)
}

/** Fields that hold sums of permissions. */
const SUMS = ['permissions', 'allow', 'deny']

function shown(field: string, value: unknown): string {
  if (SUMS.includes(field) && typeof value === 'number')
    return permissionNames
      .filter((name) => holds(value, name))
      .map((name) => words.permissions[name][0])
      .join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The audit log of a server, newest entry first. */
export const AuditLog = ({ server_id }: { server_id: number }) => {
  const [entries, setEntries] = useState<AuditEntry[]>([])
  const [ended, setEnded] = useState(false)
  const { attempt, busy, error } = useAttempt()
  const more = async () => {
    const last = entries.at(-1)?.id
    const query = { server_id, limit: PAGE, ...(last === undefined ? {} : { before: last }) }
    const rows = await attempt(() => call('GET /api/servers/:server_id/audit-log', query))
    if (!rows) return
    setEntries((known) => [...known, ...rows])
    setEnded(rows.length < PAGE)
  }
  useEffect(() => void more(), [server_id])
  return (
    <>
      <ul class="table audit">
        {entries.map((entry) => (
          <li key={entry.id}>
            <p>
              <strong>
                <bdi>{withoutBidi(entry.actor.display_name)}</bdi>
              </strong>{' '}
              {words.audit[entry.action]} <bdi>{targetOf(entry)}</bdi>
            </p>
            <small>{momentOf(entry.created_at)}</small>
            <dl>
              {Object.entries(entry.changes).map(([field, { before, after }]) => (
                <div key={field}>
                  <dt>{field}</dt>
                  <dd>
                    {before === null ? null : <s>{shown(field, before)}</s>}{' '}
                    {after === null ? null : shown(field, after)}
                  </dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
      <Refusal error={error} />
      {ended ? null : (
        <button type="button" disabled={busy} onClick={() => void more()}>
          {words.more}
        </button>
      )}
    </>
  )
}
