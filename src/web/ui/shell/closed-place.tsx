import type { ApiError } from '../../client/rest.ts'
import { reasonOf } from '../../state/reason.ts'
import { words } from '../../words/words.ts'
import { Empty } from '../kit/empty.tsx'

/** Says why the account cannot open a place. */
export const ClosedPlace = ({ error }: { error: ApiError }) => (
  <div role="alert">
    <Empty icon="message" title={error.code === 'cannot_contact' ? words.direct.cannot : reasonOf(error)}>
      <a class="button" href="/app">
        {words.friends.title}
      </a>
    </Empty>
  </div>
)
