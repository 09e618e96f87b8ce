// Printed from locales/ar/voice.json. After a change there: bun run words
import type { voiceWords } from '../voice.ts'

export default {
  voice: {
    members: 'أعضاء هذه المكالمة',
    start: 'بدء مكالمة',
    underway: 'هناك مكالمة جارية',
    muted: 'مكتوم',
    deafened: 'لا يسمع',
    sharing: 'يشارك شاشته',
  },
} satisfies typeof voiceWords
