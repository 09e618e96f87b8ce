// Printed from locales/tr/status.json. After a change there: bun run words
import type { statusWords } from '../status.ts'

export default {
  title: 'Durumun',
  choice: 'Başkalarının gördüğü',
  about: {
    online: 'On dakika işlem yapmazsan boşta',
    idle: 'Her zaman boşta',
    dnd: 'Cihazlarında bildirim ve ses yok',
    invisible: 'Çevrimdışı. Yazdığını kimse görmez ve @here sana bildirim göndermez.',
  },
  text: 'Ne yapıyorsun?',
  emoji: 'Emoji seç',
  noEmoji: (emoji) => `${emoji} emojisini kaldır`,
  ends: 'Bitiş',
  never: 'asla',
  callers: 'Aramaları yine de çalan arkadaşlar, en fazla 50',
  seen: {
    title: 'Başkaları seni görecek',
    text: 'Görünmezsin, ama bu aramayı gören herkes senin de orada olduğunu görecek.',
    action: 'Aramaya katıl',
  },
} satisfies typeof statusWords
