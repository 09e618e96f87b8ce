// Printed from locales/pl/voice.json. After a change there: bun run words
import type { voiceWords } from '../voice.ts'

export default {
  voice: {
    members: 'Uczestnicy połączenia',
    start: 'Rozpocznij połączenie',
    underway: 'Trwa połączenie',
    muted: 'wyciszony',
    deafened: 'wyłączony dźwięk',
    sharing: 'udostępnia ekran',
  },
} satisfies typeof voiceWords
