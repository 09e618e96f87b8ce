// Printed from locales/tr/voice.json. After a change there: bun run words
import type { voiceWords } from '../voice.ts'

export default {
  voice: {
    members: 'Bu aramanın katılımcıları',
    start: 'Arama başlat',
    underway: 'Bir arama sürüyor',
    declined: (name) => `${name} aramayı reddetti.`,
    muted: 'sessizde',
    deafened: 'sesi kapalı',
    sharing: 'ekran paylaşıyor',
    noMicrophone: 'Mikrofon yok: dinleyebilirsin ama başkaları seni duyamaz.',
    noCalls: 'Bu tarayıcı aramaları desteklemiyor (WebRTC). Başka bir tarayıcı veya cihaz kullan.',
    ended: {
      taken_over: 'Arama başka bir cihazda sürüyor.',
      access: 'Artık bu aramaya erişimin yok.',
      disconnected: 'Bir moderatör seni aramadan çıkardı.',
      media_unavailable: 'Sunucu bu aramayı şu an yürütemiyor.',
    },
    endedOtherwise: 'Arama sona erdi.',
  },
} satisfies typeof voiceWords
