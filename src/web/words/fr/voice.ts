// Printed from locales/fr/voice.json. After a change there: bun run words
import type { voiceWords } from '../voice.ts'

export default {
  voice: {
    members: 'Membres de cet appel',
    start: 'Lancer un appel',
    underway: 'Un appel est en cours',
    muted: 'micro coupé',
    deafened: 'son coupé',
    sharing: 'partage un écran',
  },
} satisfies typeof voiceWords
