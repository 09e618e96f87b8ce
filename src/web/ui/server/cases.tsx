import { useState } from 'preact/hooks'
import type { Case, CaseKind } from '../../../features/cases/model.ts'
import { momentOf } from '../../state/format.ts'
import { withoutBidi } from '../../state/names.ts'
import { call } from '../../state/session.ts'
import { moderationWords } from '../../words/moderation.ts'
import { askToConfirm } from '../kit/ask.tsx'
import { IconButton, Picture } from '../kit/controls.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { SelectField } from '../kit/dialog-forms.tsx'
import { closeDialog } from '../kit/dialogs.tsx'
import { Empty } from '../kit/empty.tsx'
import { Pages, usePages } from '../kit/pages.tsx'
import { showNoteForm, showWarning } from './moderation.tsx'

const kinds = Object.entries(moderationWords.kinds) as [CaseKind, string][]

/** The cases of a server, newest first. */
export const Cases = ({ server_id }: { server_id: number }) => {
  const [kind, setKind] = useState<CaseKind | ''>('')
  const list = usePages<Case>(
    (page, last) => {
      const query = { ...page, ...(kind === '' ? {} : { kind }), ...(last ? { before: last.id } : {}) }
      return call('GET /api/servers/:server_id/cases', { server_id, ...query })
    },
    server_id,
    kind,
  )
  return (
    <>
      <SelectField
        label={moderationWords.kind}
        value={kind}
        options={[['', moderationWords.allKinds], ...kinds]}
        onChange={setKind}
      />
      <CaseList list={list} />
    </>
  )
}

/** The dialog with the cases of one member. */
export const MemberCases = ({ server_id, user_id, name }: { server_id: number; user_id: number; name: string }) => {
  const list = usePages<Case>(
    (page, last) => {
      const query = { ...page, ...(last ? { before: last.id } : {}) }
      return call('GET /api/servers/:server_id/members/:user_id/cases', { server_id, user_id, ...query })
    },
    server_id,
    user_id,
  )
  const again = () => void list.again()
  return (
    <Dialog title={`${moderationWords.casesTab}: ${name}`} onClose={closeDialog} class="small">
      <span class="choices">
        <button type="button" onClick={() => showNoteForm(user_id, server_id, again)}>
          {moderationWords.addNote}
        </button>
        <button type="button" class="danger" onClick={() => showWarning(user_id, server_id, again)}>
          {moderationWords.warn}
        </button>
      </span>
      <CaseList list={list} />
    </Dialog>
  )
}

const CaseList = ({ list }: { list: ReturnType<typeof usePages<Case>> }) => (
  <Pages
    list={list}
    class="cases"
    empty={<Empty icon="flag" title={moderationWords.noCases} text={moderationWords.noCasesText} />}
  >
    {list.rows.map((each) => (
      <CaseRow key={each.id} of={each} onDeleted={() => list.drop(({ id }) => id === each.id)} />
    ))}
  </Pages>
)

const CaseRow = ({ of, onDeleted }: { of: Case; onDeleted: () => void }) => {
  const { id: case_id, user, actor, kind, reason, until, read_at, created_at } = of
  const facts = [
    moderationWords.kinds[kind],
    ...(kind === 'automod' ? [] : [withoutBidi(actor.display_name)]),
    momentOf(created_at),
    ...(until === null ? [] : [moderationWords.until(momentOf(until))]),
    ...(kind === 'warning' ? [read_at ? moderationWords.read(momentOf(read_at)) : moderationWords.unread] : []),
  ]
  const ask = () =>
    askToConfirm({
      title: moderationWords.deleteCase,
      text: moderationWords.deleteCaseText,
      action: moderationWords.deleteCase,
      work: async () => {
        await call('DELETE /api/cases/:case_id', { case_id })
        return onDeleted
      },
    })
  return (
    <li class="row person">
      <Picture id={user.id} name={user.display_name} file_id={user.avatar_file_id} size={36} />
      <span>
        <bdi>{withoutBidi(user.display_name)}</bdi>
        {reason ? <span dir="auto">{withoutBidi(reason)}</span> : null}
        <small>{facts.join(' · ')}</small>
      </span>
      {kind === 'warning' || kind === 'note' ? (
        <IconButton icon="trash" size={18} label={moderationWords.deleteCase} onClick={() => void ask()} />
      ) : null}
    </li>
  )
}
