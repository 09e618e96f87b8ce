// Printed from locales/tr/threads.json. After a change there: bun run words
import type { threadWords } from '../threads.ts'
import { digits } from '../plural.ts'

export default {
  threads: {
    show: (isLively) => (isLively ? 'Alt başlıklar, yeni mesajlar var' : 'Alt başlıklar'),
    open: 'Alt başlığı aç',
    archived: 'Arşivlenmiş',
    panel: (name) => `${name} alt başlığı`,
    messages: (n) => (n === 0 ? 'henüz mesaj yok' : `${digits(n)} mesaj`),
    lockedHint: 'Bu alt başlık kilitli.',
  },
} satisfies typeof threadWords
