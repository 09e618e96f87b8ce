import type { Question } from './confirm.tsx'
import { showLater } from './dialogs.tsx'

/**
 * Asks for confirmation of a request that cannot be undone.
 * @returns once the question is shown, or cannot be
 */
export const askToConfirm = (question: Question): Promise<void> =>
  showLater(async () => {
    const { Confirm } = await import('./confirm.tsx')
    return () => <Confirm {...question} />
  })
