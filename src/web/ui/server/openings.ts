import { ApiError } from '../../client/rest.ts'
import { titleOf } from '../../state/names.ts'
import { state } from '../../state/session.ts'
import { arrivalWords } from '../../words/arrival.ts'
import { askToConfirm } from '../kit/ask.tsx'

/** Channels that a refused change would open to everybody; undefined for another refusal. */
function openedBy(error: unknown): number[] | undefined {
  if (!(error instanceof ApiError) || error.code !== 'opens_channels') return undefined
  return error.errors.flatMap(({ message }) => Number(/\d+/.exec(message)?.[0] ?? []))
}

const nameOf = (id: number): string => {
  const channel = state.channels.get(id)
  return channel ? titleOf(channel) : arrivalWords.hidden
}

/**
 * Makes a change that may open channels to everybody, by a role that members pick. If it does, the change waits for a
 * confirmation that names the channels.
 * @param done called once the change is made
 * @throws other errors of the request
 */
export async function orAskToOpen(
  work: (confirmedIds: number[]) => Promise<unknown>,
  done: () => unknown,
): Promise<void> {
  try {
    await work([])
  } catch (error) {
    const ids = openedBy(error)
    if (!ids) throw error
    return askToConfirm({
      title: arrivalWords.opens,
      text: arrivalWords.opensText([...new Set(ids.map(nameOf))].join(', ')),
      action: arrivalWords.open,
      work: async () => {
        await work(ids)
        return done
      },
    })
  }
  done()
}
