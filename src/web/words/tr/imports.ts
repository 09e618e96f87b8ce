// Printed from locales/tr/imports.json. After a change there: bun run words
import type { importWords } from '../imports.ts'

export default {
  title: 'Mesajlarını sahiplen',
  text: 'Başka yerden içe aktarılan mesajlar, dosyaları ve tepkileriyle birlikte senin olur. Roller ve izinler değişmez. Bu geri alınamaz.',
  take: 'Bunlar benim',
  taken: 'Mesajlar birkaç dakika içinde senin olur.',
  gone: 'Bağlantının süresi doldu, zaten kullanıldı veya başka bir hesap için.',
  go: 'Devam',
} satisfies typeof importWords
