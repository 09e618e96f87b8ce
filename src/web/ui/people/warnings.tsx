import type { Warning } from '../../../features/cases/model.ts'
import { momentOf } from '../../state/format.ts'
import { withoutBidi } from '../../state/names.ts'
import { call, state } from '../../state/session.ts'
import { moderationWords } from '../../words/moderation.ts'
import { Dialog } from '../kit/dialog.tsx'
import { showDialog, topDialogCloser } from '../kit/dialogs.tsx'
import { Refusal, useAttempt } from '../kit/forms.tsx'
import { Pages, usePages } from '../kit/pages.tsx'

/** True while the notice is open, so that it opens once. */
let isOpen = false

/** Shows the warnings that the account has not read. The notice comes again until they are read. */
export async function showUnreadWarnings(): Promise<void> {
  const all = await call('GET /api/users/@me/warnings', { limit: 100 }).catch(() => [])
  const warnings = all.filter(({ read_at }) => read_at === null)
  if (warnings.length === 0 || isOpen || !state.user) return
  isOpen = true
  showDialog(() => <UnreadWarnings warnings={warnings} closeThis={closeThis} />)
  const closeThis = topDialogCloser()
}

const UnreadWarnings = ({ warnings, closeThis }: { warnings: Warning[]; closeThis: () => void }) => {
  const { attempt, busy, error } = useAttempt()
  const close = () => {
    isOpen = false
    closeThis()
  }
  const read = () =>
    attempt(async () => {
      for (const { id: case_id } of warnings) await call('POST /api/users/@me/warnings/:case_id/read', { case_id })
      close()
    })
  return (
    <Dialog title={moderationWords.noticeTitle} onClose={close} class="small">
      <ul class="table">
        {warnings.map((warning) => (
          <WarningRow key={warning.id} warning={warning} />
        ))}
      </ul>
      <Refusal error={error} />
      <div class="footer">
        <button type="button" class="primary" disabled={busy} onClick={() => void read()}>
          {moderationWords.understood}
        </button>
      </div>
    </Dialog>
  )
}

const WarningRow = ({ warning: { server_name, reason, appeal_contact, created_at } }: { warning: Warning }) => (
  <li>
    <strong>{moderationWords.noticeFrom(withoutBidi(server_name))}</strong> <small>{momentOf(created_at)}</small>
    <p dir="auto">{withoutBidi(reason)}</p>
    {appeal_contact ? <p class="quiet">{moderationWords.appeal(withoutBidi(appeal_contact))}</p> : null}
  </li>
)

/** All warnings of the account, newest first. */
export const OwnWarnings = () => {
  const list = usePages<Warning>((page, last) =>
    call('GET /api/users/@me/warnings', { ...page, ...(last ? { before: last.id } : {}) }),
  )
  return (
    <Pages list={list} empty={<p class="quiet">{moderationWords.noOwn}</p>}>
      {list.rows.map((warning) => (
        <WarningRow key={warning.id} warning={warning} />
      ))}
    </Pages>
  )
}
