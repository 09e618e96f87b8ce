import { AsyncLocalStorage } from 'node:async_hooks'

interface Act {
  actor_id: number
  reason: string
  isOver: boolean
}

/**
 * The reason that a program sends along with a request, for the entries of audit logs that the request makes. Any part
 * of the server may make one, so the reason accompanies the request instead of each call. Jobs that the request wakes
 * inherit it: therefore it counts only for acts of the same account, and only until the request is answered.
 */
const acts = new AsyncLocalStorage<Act>()

/** Runs an account's request with a reason. */
export async function withReason<T>(actor_id: number, reason: string, run: () => Promise<T>): Promise<T> {
  const act = { actor_id, reason, isOver: false }
  try {
    return await acts.run(act, run)
  } finally {
    act.isOver = true
  }
}

/** The reason of an account for what it does now; undefined without one. */
export function reasonOfActor(actor_id: number): string | undefined {
  const act = acts.getStore()
  return act && !act.isOver && act.actor_id === actor_id ? act.reason : undefined
}
