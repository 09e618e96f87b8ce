import { momentOf } from '../../state/format.ts'
import { withoutBidi } from '../../state/names.ts'
import type { lostServer } from '../../state/session.ts'
import { dialogWords } from '../../words/dialogs.ts'
import { moderationWords } from '../../words/moderation.ts'
import { words } from '../../words/words.ts'
import { showNote } from '../kit/dialogs.tsx'

const SHOWN_MS = 20_000

/** Shows the reason why the account is no longer in a server, once the page is active. */
export async function tellLost({
  name,
  cause,
  reason,
  until,
  appeal_contact,
}: NonNullable<typeof lostServer.value>): Promise<void> {
  while (document.hidden)
    await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }))
  const serverName = withoutBidi(name)
  const sentence = cause === 'deleted' ? words.servers.gone(serverName) : dialogWords.bans[cause](serverName)
  const sentences = [
    sentence,
    ...(until === null ? [] : [`(${moderationWords.until(momentOf(until))})`]),
    ...(reason === null ? [] : [dialogWords.bans.because(withoutBidi(reason))]),
    ...(appeal_contact === null || cause === 'left' ? [] : [moderationWords.appeal(withoutBidi(appeal_contact))]),
  ]
  showNote(sentences.join(' '), SHOWN_MS)
}
