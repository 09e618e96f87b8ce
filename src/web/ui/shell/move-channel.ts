import { ApiError } from '../../client/rest.ts'
import { goalBeside, type Goal, goalOfStep } from '../../state/channel-order.ts'
import { titleOf, withoutBidi } from '../../state/names.ts'
import { reasonOf } from '../../state/reason.ts'
import { call, state } from '../../state/session.ts'
import type { ServerChannel } from '../../state/state.ts'
import { words } from '../../words/words.ts'
import { showNote } from '../kit/dialogs.tsx'

/** Moves a channel, and announces its new position or the reason of a refusal. */
async function move(channel: ServerChannel, { parent_id, position }: Goal): Promise<void> {
  const { id, server_id } = channel
  try {
    await call('PUT /api/servers/:server_id/channels/order', { server_id }, [{ id, parent_id, position }])
    const category = parent_id === null ? undefined : state.channels.get(parent_id)
    showNote(
      words.channels.moved({
        name: titleOf(channel),
        place: position + 1,
        category: category && withoutBidi(category.name),
      }),
    )
  } catch (error) {
    showNote(error instanceof ApiError ? reasonOf(error) : words.channels.moveHint)
  }
}

/** Moves a channel to the top of a category, or out of all. */
export const moveInto = (channel: ServerChannel, parent_id: number | null): Promise<void> =>
  move(channel, { parent_id, position: 0 })

/** Moves a channel before or after another one. */
export const moveBeside = (channel: ServerChannel, other: ServerChannel, side: 'before' | 'after'): Promise<void> =>
  move(channel, goalBeside(channel, other, side))

/** Moves a channel one step up or down. @returns false at the end of the list */
export function moveStep(channel: ServerChannel, step: -1 | 1): boolean {
  const goal = goalOfStep(state, channel, step)
  if (goal) void move(channel, goal)
  return goal !== undefined
}
