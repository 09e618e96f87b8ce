// Printed from locales/de/status.json. After a change there: bun run words
import type { statusWords } from '../status.ts'

export default {
  title: 'Dein Status',
  choice: 'Andere sehen',
  about: {
    online: 'Abwesend nach zehn Minuten ohne Eingabe',
    idle: 'Immer abwesend',
    dnd: 'Keine Benachrichtigungen und keine Töne auf deinen Geräten',
    invisible: 'Offline. Niemand erfährt, dass du tippst, und @here benachrichtigt dich nicht.',
  },
  text: 'Was machst du gerade?',
  emoji: 'Emoji wählen',
  noEmoji: (emoji) => `${emoji} entfernen`,
  ends: 'Endet',
  never: 'nie',
  callers: 'Freunde, deren Anrufe trotzdem klingeln, höchstens 50',
  seen: {
    title: 'Andere werden dich sehen',
    text: 'Du bist unsichtbar, aber alle, die diesen Anruf sehen, werden sehen, dass du dabei bist.',
    action: 'Dem Anruf beitreten',
  },
} satisfies typeof statusWords
