// Printed from locales/en/status.json. After a change there: bun run words
import { inLanguage } from './plural.ts'

/** Words of the dialog in which an account chooses its status. */
export const statusWords = inLanguage('status', {
  title: 'Your status',
  choice: 'Others see',
  about: {
    online: 'Idle after ten minutes without input',
    idle: 'Idle at all times',
    dnd: 'No notices and no sounds on your devices',
    invisible: 'Offline. Nobody sees that you type, and @here does not notify you.',
  },
  text: 'What are you doing?',
  emoji: 'Choose an emoji',
  noEmoji: (emoji: string) => `Remove ${emoji}`,
  ends: 'Ends',
  never: 'never',
  callers: 'Friends whose calls ring anyway, at most 50',
  seen: {
    title: 'Others will see you',
    text: 'You are invisible, but everyone who sees this call will see that you are in it.',
    action: 'Join the call',
  },
})
