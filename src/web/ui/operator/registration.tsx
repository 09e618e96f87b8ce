import type { InviteSummary, RegistrationMode } from '../../../features/operator/model.ts'
import { momentOf } from '../../state/format.ts'
import { withoutBidi } from '../../state/names.ts'
import { operatorWords } from '../../words/operator.ts'
import { words } from '../../words/words.ts'
import { SelectField } from '../kit/dialog-forms.tsx'
import { showNote } from '../kit/dialogs.tsx'
import { useAttempt } from '../kit/forms.tsx'
import { usePages } from '../kit/pages.tsx'
import { ask, useAnswer } from './answers.ts'
import { PagedList, Refused } from './parts.tsx'

const { registration: w } = operatorWords
const MODES = Object.entries(w.modes) as [RegistrationMode, string][]

/** Registration policy, and the invites. */
export const RegistrationSection = () => {
  const { answer, load, error } = useAnswer(() => ask('GET /api/operator/registration'))
  const change = useAttempt()
  const choose = async (choice: RegistrationMode | '') => {
    const body = { chosen: choice === '' ? null : choice }
    if (await change.attempt(() => ask('PUT /api/operator/registration', {}, body))) showNote(words.saved)
    await load()
  }
  return (
    <>
      <Refused error={error ?? change.error} />
      {answer ? (
        <>
          <SelectField
            label={w.title}
            value={answer.chosen ?? ''}
            options={[['', w.asConfigured(w.modes[answer.configured])], ...MODES]}
            onChange={(choice) => void choose(choice)}
          />
          <p class="quiet">{w.hint}</p>
          <p>{w.now(w.modes[answer.mode])}</p>
        </>
      ) : null}
      <Invites />
    </>
  )
}

const Invites = () => {
  const list = usePages<InviteSummary>((page, last) =>
    ask('GET /api/operator/invites', { ...page, ...(last ? { before: last.id } : {}) }),
  )
  const { attempt, error } = useAttempt()
  const remove = async (invite: number) => {
    await attempt(() => ask('DELETE /api/operator/invites/:invite', { invite }))
    await list.again()
  }
  return (
    <>
      <h2>{w.invites}</h2>
      <Refused error={error} />
      <PagedList list={list} emptyText={w.none}>
        {list.rows.map((invite) => (
          <li key={invite.id} class="row">
            <span>
              <strong>
                <bdi>{withoutBidi(invite.server.name)}</bdi>
              </strong>
              <small>
                {w.line({ creator: invite.creator.username, uses: w.uses({ n: invite.uses, max: invite.max_uses }) })}
                {invite.expires_at === null ? '' : ` · ${w.until(momentOf(invite.expires_at))}`}
              </small>
            </span>
            <button type="button" onClick={() => void remove(invite.id)}>
              {w.delete}
            </button>
          </li>
        ))}
      </PagedList>
    </>
  )
}
