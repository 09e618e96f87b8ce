import type { ComponentProps } from 'preact'
import type { ApiError } from '../../client/rest.ts'
import { operatorWords } from '../../words/operator.ts'
import { Refusal } from '../kit/forms.tsx'
import { Empty } from '../kit/empty.tsx'
import { Pages } from '../kit/pages.tsx'

/** Why a request of the page was refused. */
export const Refused = ({ error }: { error: ApiError | undefined }) => (
  <Refusal error={error} says={operatorWords.problems} />
)

interface ListProps extends Pick<ComponentProps<typeof Pages>, 'list' | 'children'> {
  /** Text shown if there is no row. */
  emptyText: string
}

/** A list that is read page by page. */
export const PagedList = ({ emptyText, ...props }: ListProps) => (
  <Pages {...props} says={operatorWords.problems} empty={<Empty icon="search" title={emptyText} />} />
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
