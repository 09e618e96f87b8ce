import { useEffect, useRef, useState } from 'preact/hooks'
import type { Report, ReportState } from '../../../features/reports/model.ts'
import { momentOf } from '../../state/format.ts'
import { titleOf, withoutBidi } from '../../state/names.ts'
import { go, placePath } from '../../state/route.ts'
import { call, follow, gateway, state } from '../../state/session.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { moderationWords } from '../../words/moderation.ts'
import { listOf } from '../../words/plural.ts'
import { actionWords } from '../../words/actions.ts'
import { askToConfirm } from '../kit/ask.tsx'
import { Picture } from '../kit/controls.tsx'
import { SelectField, Switch } from '../kit/dialog-forms.tsx'
import { closeDialogs, showDialog } from '../kit/dialogs.tsx'
import { Empty } from '../kit/empty.tsx'
import { Pages, usePages } from '../kit/pages.tsx'
import { DecisionDialog } from '../kit/report-decision.tsx'
import { ReportEvidence } from '../kit/report-evidence.tsx'
import { askToKick, showBan, showTimeout, showWarning } from './moderation.tsx'
import { areKeysOn, switchKeys, useReportKeys } from './report-keys.ts'

const STATES: ReportState[] = ['open', 'resolved', 'dismissed']

/** An act on a report, with the key that does it. */
interface Act {
  name: string
  label: string
  key?: string
  isDangerous?: boolean
  run: () => unknown
}

/** The acts that the account's permissions allow. @param change applies the report as a decision has left it */
function actsOn(report: Report, server_id: number, change: (report: Report) => void): Act[] {
  const { channel_id, message_id, is_deleted, author } = report
  const channel = channel_id === null ? undefined : state.channels.get(channel_id)
  const isMember = author.kind !== 'webhook' && state.may(server_id, 'moderate_members')
  const decide = (to: ReportState) => () =>
    showDialog(() => (
      <DecisionDialog
        report={report}
        to={to}
        decide={(body) => call('PUT /api/reports/:report_id', { report_id: report.id }, body)}
        onDecided={change}
      />
    ))
  const acts: (Act | false)[] = [
    channel !== undefined &&
      message_id !== null &&
      !is_deleted && {
        name: 'jump',
        label: moderationWords.jump,
        run: () => (closeDialogs(), go(placePath(channel.id, message_id))),
      },
    channel !== undefined &&
      message_id !== null &&
      !is_deleted &&
      state.mayIn(channel, 'manage_messages') && {
        name: 'delete',
        label: actionWords.message.delete,
        key: 'd',
        isDangerous: true,
        run: () =>
          askToConfirm({
            title: actionWords.message.delete,
            text: actionWords.message.deleteText,
            action: actionWords.message.delete,
            work: async () => {
              await call('DELETE /api/messages/:message_id', { message_id })
              change({ ...report, is_deleted: true })
            },
          }),
      },
    isMember && { name: 'warn', label: moderationWords.warn, run: () => showWarning(author.id, server_id) },
    isMember && {
      name: 'timeout',
      label: dialogWords.timeouts.begin,
      key: 't',
      isDangerous: true,
      run: () => showTimeout(author.id, server_id),
    },
    author.kind !== 'webhook' &&
      state.may(server_id, 'kick_members') && {
        name: 'kick',
        label: dialogWords.bans.kick,
        isDangerous: true,
        run: () => askToKick(author.id, server_id, false),
      },
    author.kind !== 'webhook' &&
      state.may(server_id, 'ban_members') && {
        name: 'ban',
        label: dialogWords.bans.ban,
        key: 'b',
        isDangerous: true,
        run: () => showBan(author.id, server_id, false),
      },
    report.state === 'open' && { name: 'resolve', label: moderationWords.resolve, run: decide('resolved') },
    report.state === 'open' && { name: 'dismiss', label: moderationWords.dismiss, key: 'x', run: decide('dismissed') },
    report.state !== 'open' && { name: 'reopen', label: moderationWords.reopen, run: decide('open') },
  ]
  return acts.filter((act): act is Act => act !== false)
}

/** The reports of a server that the account sees, newest first. They are acted on in place. */
export const Reports = ({ server_id }: { server_id: number }) => {
  follow('shell', 'members')
  const [stateFilter, setFilter] = useState<ReportState>('open')
  const [freshIds, setFresh] = useState<ReadonlySet<number>>(new Set())
  const element = useRef<HTMLDivElement>(null)
  /** Index of the row that the keys reached last, or that was decided. */
  const position = useRef(0)
  /** True once a decided row leaves the list: the row that takes its place gets the focus, so that no key skips it. */
  const isRowDue = useRef(false)
  const list = usePages<Report>(
    (page, last) => {
      setFresh(new Set())
      const before = last ? { before: last.id } : {}
      return call('GET /api/servers/:server_id/reports', { server_id, state: stateFilter, ...page, ...before })
    },
    server_id,
    stateFilter,
  )
  const apply = (report: Report) => {
    if (report.state === stateFilter) return list.change((row) => (row.id === report.id ? report : row))
    position.current = Math.max(
      0,
      list.rows.findIndex(({ id }) => id === report.id),
    )
    isRowDue.current = true
    list.drop(({ id }) => id === report.id)
  }
  // After the question has given the focus back.
  useEffect(() => {
    if (!isRowDue.current) return
    isRowDue.current = false
    const all = rows()
    all[Math.min(position.current, all.length - 1)]?.focus()
  })
  useEffect(
    () =>
      gateway.listen(({ t, d }) => {
        if ((t !== 'report.created' && t !== 'report.updated') || d.server_id !== server_id) return
        if (d.state !== stateFilter) return list.drop(({ id }) => id === d.id)
        if (list.rows.some(({ id }) => id === d.id))
          list.change((row) => (row.id === d.id ? { ...row, count: d.count } : row))
        else setFresh((before) => new Set([...before, d.id]))
      }),
    [list.rows, stateFilter],
  )
  const rows = () => [...(element.current?.querySelectorAll<HTMLElement>('li.report') ?? [])]
  useReportKeys((key) => {
    const all = rows()
    const at = all.findIndex((row) => row.contains(document.activeElement))
    if (key === 'j' || key === 'k') {
      const step = key === 'j' ? at + 1 : at - 1
      // The row that had the focus may be gone: go on with the one that took its place.
      const next = at < 0 ? position.current : step
      position.current = Math.max(0, Math.min(next, all.length - 1))
      all[position.current]?.focus()
      return all.length > 0
    }
    const report = list.rows[at]
    const act = report && actsOn(report, server_id, apply).find((each) => each.key === key)
    if (act) void act.run()
    return act !== undefined
  })
  return (
    <div ref={element}>
      <SelectField
        label={moderationWords.shownState}
        value={stateFilter}
        options={STATES.map((each) => [each, moderationWords.states[each]])}
        onChange={setFilter}
      />
      <div class="for-keys">
        <Switch label={moderationWords.useKeys} on={areKeysOn.value} onChange={switchKeys} />
        {areKeysOn.value ? <p class="quiet">{moderationWords.keysHint}</p> : null}
      </div>
      <p role="status">
        {freshIds.size > 0 ? (
          <button type="button" onClick={() => void list.again()}>
            {moderationWords.fresh(freshIds.size)}
          </button>
        ) : null}
      </p>
      <Pages
        list={list}
        class="reports"
        empty={<Empty icon="flag" title={moderationWords.none} text={moderationWords.noneText} />}
      >
        {list.rows.map((report) => (
          <ReportRow
            key={report.id}
            report={report}
            server_id={server_id}
            acts={actsOn(report, server_id, apply)}
            onIgnored={() => void list.again()}
          />
        ))}
      </Pages>
    </div>
  )
}

/** Ignores a reporter after a confirmation. @param onIgnored called once the reports are fewer */
const askToIgnore = (user_id: number, server_id: number, onIgnored: () => void) =>
  askToConfirm({
    title: moderationWords.ignore,
    text: moderationWords.ignoreText,
    action: moderationWords.ignore,
    work: async () => {
      await call('PUT /api/servers/:server_id/ignored-reporters/:user_id', { server_id, user_id })
      return onIgnored
    },
  })

interface ReportRowProps {
  report: Report
  server_id: number
  acts: Act[]
  onIgnored: () => void
}

const ReportRow = ({ report, server_id, acts, onIgnored }: ReportRowProps) => {
  const [isOpen, setOpen] = useState(false)
  const { id: report_id } = report
  const { author, channel_id, reasons, count, content, is_deleted, created_at, note, closed_by } = report
  const channel = channel_id === null ? undefined : state.channels.get(channel_id)
  const name = withoutBidi(author.display_name)
  const facts = [
    listOf(reasons.map((reason) => moderationWords.reasons[reason])),
    moderationWords.count(count),
    ...(channel ? [titleOf(channel)] : []),
    momentOf(created_at),
    ...(is_deleted ? [moderationWords.deleted] : []),
  ]
  return (
    <li class="report" tabIndex={-1} aria-label={`${name}: ${facts.join(' · ')}`}>
      <div class="row person">
        <Picture id={author.id} name={author.display_name} file_id={author.avatar_file_id} size={36} />
        <span>
          <strong>
            <bdi>{name}</bdi>
          </strong>
          <small>{facts.join(' · ')}</small>
        </span>
      </div>
      {content === '' ? null : <blockquote dir="auto">{content}</blockquote>}
      {closed_by ? (
        <p class="quiet">
          <bdi>{withoutBidi(closed_by.display_name)}</bdi>
          {note ? `: ${withoutBidi(note)}` : null}
        </p>
      ) : null}
      <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? moderationWords.hideContext : moderationWords.context}
      </button>
      {isOpen ? (
        <ReportEvidence
          load={() => call('GET /api/reports/:report_id', { report_id })}
          urlOf={(file_id, variant) =>
            call('GET /api/reports/:report_id/files/:file_id/download-url', { report_id, file_id, variant })
          }
          onIgnore={(user_id) => void askToIgnore(user_id, server_id, onIgnored)}
        />
      ) : null}
      <span class="choices">
        {acts.map(({ name: act, label, key, isDangerous, run }) => (
          <button
            type="button"
            key={act}
            class={isDangerous ? 'danger' : ''}
            aria-keyshortcuts={areKeysOn.value ? key : undefined}
            onClick={() => void run()}
          >
            {label}
          </button>
        ))}
      </span>
    </li>
  )
}
