// Printed from locales/tr/voice.json. After a change there: bun run words
import type { voiceWords } from '../voice.ts'

export default {
  voice: {
    members: 'Bu aramanın katılımcıları',
    start: 'Arama başlat',
    underway: 'Bir arama sürüyor',
    muted: 'sessizde',
    deafened: 'sesi kapalı',
    sharing: 'ekran paylaşıyor',
  },
} satisfies typeof voiceWords
