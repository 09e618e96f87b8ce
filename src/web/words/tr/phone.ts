import type { phoneWords } from '../phone.ts'

export default {
  tabs: 'Bölümler',
  home: 'Ana sayfa',
  servers: 'Sunucular',
  inbox: 'Gelenler',
  you: 'Sen',
  noServers: 'Henüz sunucu yok',
  noServersText: 'Bir sunucu oluşturun ya da bir davet bağlantısıyla katılın.',
} satisfies typeof phoneWords
