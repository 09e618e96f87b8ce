// Printed from locales/tr/servers.json. After a change there: bun run words
import type { serverWords } from '../servers.ts'

export default {
  servers: {
    list: 'Sunucular',
    add: 'Sunucu ekle',
    name: 'Sunucu adı',
    settings: 'Sunucu ayarları',
    leave: 'Sunucudan ayrıl',
    viewedAs: (role) =>
      role === undefined
        ? 'Sunucuyu rolü olmayan bir üye olarak görüntülüyorsun.'
        : `Sunucuyu ${role} olarak görüntülüyorsun.`,
    stopViewing: 'Bitir',
    gone: (name) => `${name} silindi.`,
    leaveText: (name) => `${name} sunucusuna dönmek için yeni bir davet gerekir.`,
  },
  channels: {
    list: 'Kanallar',
    private: ', özel',
    text: 'Metin',
    voice: 'Ses',
    none: 'Burada henüz görecek bir şey yok',
    noneText: 'Rollerin hiçbir kanalı görmene izin vermiyor. Sunucunun bir moderatörü bunu değiştirebilir.',
    noneToMake: 'Konuşmalar kanallarda geçer. İlkini oluştur.',
    addTopic: 'Konu ekle',
    outside: 'Kategori yok',
    moved: ({ name, place, category }) =>
      category === undefined ? `${name} artık ${place}. sırada.` : `${name} artık ${category} içinde ${place}. sırada.`,
    moveHint: 'Taşımak için Alt ve bir ok tuşuna bas.',
    addTo: (name) => `${name} içinde yeni kanal`,
    make: {
      text: 'Yeni metin kanalı',
      voice: 'Yeni ses kanalı',
      category: 'Yeni kategori',
    },
    settings: (name) => `${name} ayarları`,
  },
  invite: {
    people: 'Kişi davet et',
    join: 'Sunucuya katıl',
    notNow: 'Şimdi değil',
    back: 'Konuşmalarına dön',
  },
} satisfies typeof serverWords
