import type { ComponentChildren } from 'preact'
import type { ApiError } from '../../client/rest.ts'
import { operatorWords } from '../../words/operator.ts'
import { words } from '../../words/words.ts'
import { Refusal } from '../kit/forms.tsx'
import { Empty } from '../kit/empty.tsx'

/** Why a request of the page was refused. */
export const Refused = ({ error }: { error: ApiError | undefined }) => (
  <Refusal error={error} says={operatorWords.problems} />
)

interface ListProps {
  list: { rows: unknown[]; ended: boolean; busy: boolean; error: ApiError | undefined; more: () => Promise<void> }
  /** What is said when there is no row. */
  none: string
  children: ComponentChildren
}

/** A list that is read page by page. */
export const PagedList = ({ list: { rows, ended, busy, error, more }, none, children }: ListProps) => (
  <>
    <ul class="table">{children}</ul>
    {ended && rows.length === 0 ? <Empty icon="search" title={none} /> : null}
    <Refused error={error} />
    {ended ? null : (
      <button type="button" disabled={busy} onClick={() => void more()}>
        {words.more}
      </button>
    )}
  </>
)

/** Names with their values. */
export const Facts = ({ facts }: { facts: (readonly [name: string, value: string])[] }) => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          <bdi>{value}</bdi>
        </dd>
      </div>
    ))}
  </dl>
)
