// Printed from locales/tr/servers.json. After a change there: bun run words
import type { serverWords } from '../servers.ts'
import { digits } from '../plural.ts'

export default {
  servers: {
    list: 'Sunucular',
    add: 'Sunucu ekle',
    name: 'Sunucu adı',
    viewedAs: (role) =>
      role === undefined
        ? 'Sunucuyu rolü olmayan bir üye olarak görüntülüyorsun.'
        : `Sunucuyu ${role} olarak görüntülüyorsun.`,
    stopViewing: 'Bitir',
    gone: (name) => `${name} silindi.`,
  },
  channels: {
    browse: 'Kanallara göz at',
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
    taken: ({ n, limit }) => `${digits(limit)} kişiden ${digits(n)}`,
  },
  invite: {
    people: 'Kişi davet et',
  },
} satisfies typeof serverWords
