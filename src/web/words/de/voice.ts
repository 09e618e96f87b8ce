// Printed from locales/de/voice.json. After a change there: bun run words
import type { voiceWords } from '../voice.ts'

export default {
  voice: {
    members: 'Mitglieder dieses Anrufs',
    start: 'Anruf starten',
    underway: 'Ein Anruf läuft',
    muted: 'stumm',
    deafened: 'hört nichts',
    sharing: 'teilt einen Bildschirm',
  },
} satisfies typeof voiceWords
