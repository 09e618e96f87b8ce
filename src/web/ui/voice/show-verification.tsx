import { showLater } from '../kit/dialogs.tsx'

/** Opens the numbers that this person and another one compare. */
export const showVerification = (userId: number) =>
  showLater(async () => {
    const { VerificationDialog } = await import('./verification.tsx')
    return () => <VerificationDialog user_id={userId} />
  })
