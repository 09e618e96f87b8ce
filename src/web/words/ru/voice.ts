// Printed from locales/ru/voice.json. After a change there: bun run words
import type { voiceWords } from '../voice.ts'

export default {
  voice: {
    members: 'Участники звонка',
    start: 'Начать звонок',
    underway: 'Идёт звонок',
    muted: 'микрофон выключен',
    deafened: 'звук выключен',
    sharing: 'показывает экран',
  },
} satisfies typeof voiceWords
