import { useState } from 'preact/hooks'
import type { Report, ReportState } from '../../../features/reports/model.ts'
import { momentOf } from '../../state/format.ts'
import { withoutBidi } from '../../state/names.ts'
import { moderationWords } from '../../words/moderation.ts'
import { listOf } from '../../words/plural.ts'
import { words } from '../../words/words.ts'
import { askToConfirm } from '../kit/ask.tsx'
import { SelectField } from '../kit/dialog-forms.tsx'
import { showDialog } from '../kit/dialogs.tsx'
import { usePages } from '../kit/pages.tsx'
import { DecisionDialog } from '../kit/report-decision.tsx'
import { ReportEvidence } from '../kit/report-evidence.tsx'
import { ask } from './answers.ts'
import { PagedList } from './parts.tsx'

const STATES: ReportState[] = ['open', 'resolved', 'dismissed']

/** Reports that only operators read. Each view is in the admin log. */
export const ReportsSection = () => {
  const [stateFilter, setFilter] = useState<ReportState>('open')
  const list = usePages<Report>(
    (page, last) =>
      ask('GET /api/operator/reports', { state: stateFilter, ...page, ...(last ? { before: last.id } : {}) }),
    stateFilter,
  )
  const apply = (report: Report) =>
    report.state === stateFilter
      ? list.change((row) => (row.id === report.id ? report : row))
      : list.drop(({ id }) => id === report.id)
  return (
    <>
      <SelectField
        label={moderationWords.shownState}
        value={stateFilter}
        options={STATES.map((each) => [each, moderationWords.states[each]])}
        onChange={setFilter}
      />
      <PagedList list={list} emptyText={moderationWords.none}>
        {list.rows.map((report) => (
          <ReportRow key={report.id} report={report} onChange={apply} />
        ))}
      </PagedList>
    </>
  )
}

const ReportRow = ({ report, onChange }: { report: Report; onChange: (report: Report) => void }) => {
  const [isOpen, setOpen] = useState(false)
  const { id: report_id, author, reasons, count, content, server_id, message_id, is_deleted, created_at } = report
  const decide = (to: ReportState) => () =>
    showDialog(() => (
      <DecisionDialog
        report={report}
        to={to}
        decide={(body) => ask('PUT /api/operator/reports/:report_id', { report_id }, body)}
        onDecided={onChange}
      />
    ))
  const remove = () =>
    askToConfirm({
      title: words.messages.delete,
      text: words.messages.deleteText,
      action: words.messages.delete,
      work: async () => {
        await ask('DELETE /api/operator/reports/:report_id/message', { report_id })
        onChange({ ...report, is_deleted: true })
      },
    })
  const facts = [
    listOf(reasons.map((reason) => moderationWords.reasons[reason])),
    moderationWords.count(count),
    momentOf(created_at),
    ...(server_id === null ? [] : [`#${server_id}`]),
    ...(is_deleted ? [moderationWords.deleted] : []),
  ]
  return (
    <li>
      <p>
        <strong>
          <bdi>{withoutBidi(author.display_name)}</bdi>
        </strong>{' '}
        <code>{author.id}</code>
      </p>
      <small>{facts.join(' · ')}</small>
      {content === '' ? null : <blockquote dir="auto">{content}</blockquote>}
      <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? moderationWords.hideContext : moderationWords.context}
      </button>
      {isOpen ? (
        <ReportEvidence
          load={() => ask('GET /api/operator/reports/:report_id', { report_id })}
          urlOf={(file_id, variant) =>
            ask('GET /api/operator/reports/:report_id/files/:file_id/download-url', { report_id, file_id, variant })
          }
        />
      ) : null}
      <span class="choices">
        {message_id !== null && !is_deleted ? (
          <button type="button" class="danger" onClick={() => void remove()}>
            {words.messages.delete}
          </button>
        ) : null}
        {report.state === 'open' ? (
          <>
            <button type="button" onClick={decide('resolved')}>
              {moderationWords.resolve}
            </button>
            <button type="button" onClick={decide('dismissed')}>
              {moderationWords.dismiss}
            </button>
          </>
        ) : (
          <button type="button" onClick={decide('open')}>
            {moderationWords.reopen}
          </button>
        )}
      </span>
    </li>
  )
}
