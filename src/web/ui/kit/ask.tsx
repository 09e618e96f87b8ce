import type { Question } from './confirm.tsx'
import { showLater } from './dialogs.tsx'

/**
 * Asks for confirmation of a request that cannot be undone.
 * @returns a promise that resolves once the question is open, or could not be loaded
 */
export const askToConfirm = (question: Question): Promise<void> =>
  showLater(async () => {
    const { Confirm } = await import('./confirm.tsx')
    return () => <Confirm {...question} />
  })
