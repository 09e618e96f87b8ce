import type { Question } from './confirm.tsx'
import { showLater } from './dialogs.tsx'

/** Asks for confirmation of a request that cannot be undone. */
export const askToConfirm = (question: Question): void =>
  void showLater(async () => {
    const { Confirm } = await import('./confirm.tsx')
    return () => <Confirm {...question} />
  })
