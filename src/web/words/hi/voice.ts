// Printed from locales/hi/voice.json. After a change there: bun run words
import type { voiceWords } from '../voice.ts'

export default {
  voice: {
    members: 'इस कॉल के सदस्य',
    start: 'कॉल शुरू करें',
    underway: 'कॉल चल रही है',
    muted: 'म्यूट',
    deafened: 'आवाज़ बंद',
    sharing: 'स्क्रीन साझा कर रहे हैं',
  },
} satisfies typeof voiceWords
