import type { ApiError } from '../../client/rest.ts'
import { words } from '../../words/words.ts'
import { Later } from '../kit/later.tsx'
import { Pane } from '../kit/pane.tsx'

const closedPlace = async (error: ApiError) => {
  const { ClosedPlace } = await import('./closed-place.tsx')
  return () => <ClosedPlace error={error} />
}

/** A place whose channel is on its way, or that the account cannot open. */
export const Waiting = ({ title, error }: { title: string; error: ApiError | undefined }) => (
  <Pane title={title}>
    {error ? <Later key={error.code} load={() => closedPlace(error)} /> : <p class="empty loading">{words.loading}</p>}
  </Pane>
)
