import { showLater } from '../kit/dialogs.tsx'

/** Opens the numbers that this person and another one compare. */
export const showVerification = (user_id: number) =>
  showLater(async () => {
    const { VerificationDialog } = await import('./verification.tsx')
    return () => <VerificationDialog user_id={user_id} />
  })
