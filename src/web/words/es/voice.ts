// Printed from locales/es/voice.json. After a change there: bun run words
import type { voiceWords } from '../voice.ts'

export default {
  voice: {
    members: 'Miembros de esta llamada',
    start: 'Empezar una llamada',
    underway: 'Hay una llamada en curso',
    muted: 'silenciado',
    deafened: 'ensordecido',
    sharing: 'está compartiendo pantalla',
  },
} satisfies typeof voiceWords
