import { useState } from 'preact/hooks'
import type { AccountSummary } from '../../../features/operator/model.ts'
import { withoutBidi } from '../../state/names.ts'
import { operatorWords } from '../../words/operator.ts'
import { Switch } from '../kit/dialog-forms.tsx'
import { Field } from '../kit/forms.tsx'
import { AccountPage } from './account.tsx'
import { usePages } from '../kit/pages.tsx'
import { ask } from './answers.ts'
import { PagedList } from './parts.tsx'

const { accounts: w } = operatorWords

/** Finding accounts, and the one that is open. */
export const AccountsSection = () => {
  const [input, setInput] = useState('')
  const [q, setQ] = useState('')
  const [onlySuspended, setOnlySuspended] = useState(false)
  const [open, setOpen] = useState<number>()
  const list = usePages<AccountSummary>(
    (page, last) =>
      ask('GET /api/operator/accounts', {
        ...page,
        ...(last ? { after: last.id } : {}),
        ...(q ? { q } : {}),
        ...(onlySuspended ? { suspended: 'true' as const } : {}),
      }),
    q,
    onlySuspended,
  )
  const search = (event: Event) => {
    event.preventDefault()
    setQ(input.trim())
  }
  if (open !== undefined)
    return <AccountPage key={open} user_id={open} onClose={() => (setOpen(undefined), void list.again())} />
  return (
    <>
      <form class="look-up" role="search" onSubmit={search}>
        <Field label={w.search} value={input} onInput={setInput} maxLength={254} />
        <button>{w.find}</button>
      </form>
      <Switch label={w.onlySuspended} on={onlySuspended} onChange={setOnlySuspended} />
      <PagedList list={list} emptyText={w.none}>
        {list.rows.map((account) => (
          <li key={account.id} class="row">
            <span>
              <strong>
                <bdi>{withoutBidi(account.username)}</bdi>
              </strong>
              <small>
                <bdi>{withoutBidi(account.display_name)}</bdi> · <bdi>{withoutBidi(account.email)}</bdi>
              </small>
            </span>
            <Marks account={account} />
            <button type="button" aria-label={w.open(account.username)} onClick={() => setOpen(account.id)}>
              {w.show}
            </button>
          </li>
        ))}
      </PagedList>
    </>
  )
}

const Marks = ({ account }: { account: AccountSummary }) => (
  <small>
    {account.operator_since ? w.operator : ''} {account.suspended_at ? w.suspended : ''}
  </small>
)
