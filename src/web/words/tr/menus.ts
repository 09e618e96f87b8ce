// Printed from locales/tr/menus.json. After a change there: bun run words
import type { menuWords } from '../menus.ts'

export default {
  of: (name) => `${name} menüsü`,
  write: 'Mesaj gönder',
  accept: 'Arkadaşlık isteğini kabul et',
  read: 'Okundu say',
  notifications: 'Bildirimler…',
  copyLink: 'Bağlantıyı kopyala',
  settings: 'Ayarlar…',
  events: 'Etkinlikler',
  hide: 'Konuşmayı gizle',
  deleteChannel: 'Kanalı sil',
  deleteCategory: 'Kategoriyi sil',
  moveTo: 'Şuraya taşı…',
  serverSettings: 'Sunucu ayarları',
  leaveServer: 'Sunucudan ayrıl',
  leaveServerText: (name) => `${name} sunucusuna dönmek için yeni bir davet gerekir.`,
} satisfies typeof menuWords
