// Printed from locales/tr/phone.json. After a change there: bun run words
import type { phoneWords } from '../phone.ts'

export default {
  tabs: 'Bölümler',
  home: 'Ana sayfa',
  servers: 'Sunucular',
  inbox: 'Gelenler',
  you: 'Sen',
  noServers: 'Henüz sunucu yok',
  noServersText: 'Bir sunucu oluşturun ya da bir davet bağlantısıyla katılın.',
  toCall: (name) => `${name} içindeki aramaya dön`,
  shrinkCall: 'Aramayı küçült',
} satisfies typeof phoneWords
