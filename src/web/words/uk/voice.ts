// Printed from locales/uk/voice.json. After a change there: bun run words
import type { voiceWords } from '../voice.ts'

export default {
  voice: {
    members: 'Учасники дзвінка',
    start: 'Почати дзвінок',
    underway: 'Триває дзвінок',
    muted: 'мікрофон вимкнено',
    deafened: 'звук вимкнено',
    sharing: 'показує екран',
  },
} satisfies typeof voiceWords
