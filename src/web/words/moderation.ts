import type { ReportReason } from '../../features/reports/model.ts'
import { inLanguage } from './plural.ts'

/** Words of reports and moderation. */
export const moderationWords = inLanguage('moderation', {
  reportMessage: 'Report message',
  reportProfile: 'Report profile',
  reason: 'Reason',
  note: 'What should they know? (optional)',
  readers: 'Who should read it?',
  toModerators: (server: string) => `The moderators of ${server}`,
  toOperator: 'Only the operator of this installation',
  readByModerators: (server: string) =>
    `Read by the moderators of ${server} who rank above this member and can read this channel. ` +
    'They see who reported it.',
  readByOperator: 'Read only by the operator of this installation, not by moderators. They see who reported it.',
  kept: 'They get the text, the five messages before it and the files, as they are now.',
  keptProfile: 'They get the names and the picture, as they are now.',
  send: 'Send report',
  sent: 'Your report was sent. Thank you.',
  reasons: {
    spam: 'Spam or advertising',
    harassment: 'Harassment or bullying',
    hate: 'Hate against a group',
    violence: 'Violence or threats',
    sexual: 'Unwanted sexual content',
    minor_safety: 'Harm to a minor',
    self_harm: 'Self-harm or suicide',
    illegal: 'Something illegal',
    impersonation: 'Pretending to be somebody else',
    other: 'Something else',
  } satisfies Record<ReportReason, string>,
})
