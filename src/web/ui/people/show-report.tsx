import { showLater } from '../kit/dialogs.tsx'

/** Opens the form that reports a message, or an account's profile if no message is named. */
export const showReport = (subject: { author_id: number; server_id: number | null; message_id?: number }) =>
  showLater(async () => {
    const { ReportDialog } = await import('./report.tsx')
    return () => <ReportDialog {...subject} />
  })
