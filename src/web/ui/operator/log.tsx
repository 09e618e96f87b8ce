import type { AdminLogEntry } from '../../../features/operator/model.ts'
import { momentOf } from '../../state/format.ts'
import { withoutBidi } from '../../state/names.ts'
import { operatorWords } from '../../words/operator.ts'
import { usePages } from '../kit/pages.tsx'
import { ask } from './answers.ts'
import { PagedList } from './parts.tsx'

const { log: w } = operatorWords

/** Actions of operators, newest first. */
export const LogSection = () => {
  const list = usePages<AdminLogEntry>((page, last) =>
    ask('GET /api/operator/log', { ...page, ...(last ? { before: last.id } : {}) }),
  )
  return (
    <PagedList list={list} emptyText={w.none}>
      {list.rows.map((entry) => (
        <li key={entry.id}>
          <p>
            <code>
              <strong>{entry.action}</strong> {entry.target_type} {entry.target_id}
            </code>
          </p>
          <small>
            {entry.operator_id === null ? w.commandLine(entry.operator) : w.account(entry.operator_id)} ·{' '}
            {momentOf(entry.created_at)}
          </small>
          {Object.keys(entry.changes).length > 0 ? (
            <code class="changes">{withoutBidi(JSON.stringify(entry.changes))}</code>
          ) : null}
        </li>
      ))}
    </PagedList>
  )
}
