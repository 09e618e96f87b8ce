// Printed from locales/tr/search.json. After a change there: bun run words
import type { searchWords } from '../search.ts'
import { digits } from '../plural.ts'

export default {
  title: 'Arama',
  field: 'Mesajlarda ara',
  hint: 'Sözcükler, "öbekler", -sözcükler veya bir süzgeç',
  where: 'Nerede aranacak',
  everywhere: 'Her yerde',
  clear: 'Aramayı temizle',
  searching: 'Aranıyor…',
  found: ({ n, hasMore }) =>
    n === 0 ? 'Bir şey bulunamadı.' : hasMore ? `${digits(n)} veya daha fazla mesaj` : `${digits(n)} mesaj`,
  nothing: 'Mesaj bulunamadı',
  nothingText: 'Daha az veya başka sözcükler dene ya da her yerde ara.',
  start: 'Önce en yeni mesajlar gelir. Yalnızca okuyabildiklerinde aranır.',
  suggestions: 'Süzgeçler',
  jump: ({ author, place }) => `${author} kişisinin ${place} içindeki mesajına git`,
  twice: (filter) => `“${filter}” yalnızca bir kez kullanılabilir.`,
  unknown: {
    from: (name) => `Burada “${name}” adlı kimse yok.`,
    mentions: (name) => `Burada “${name}” adlı kimse yok.`,
    in: (name) => `Görebildiğin “${name}” adlı bir kanal yok.`,
    has: (name) => `“${name}” geçerli bir değer değil. link, file, image veya embed kullan.`,
    pinned: (name) => `“${name}” geçerli bir değer değil. true veya false kullan.`,
    before: (name) => `“${name}” bir tarih değil. 2026-01-31 biçiminde yaz.`,
    after: (name) => `“${name}” bir tarih değil. 2026-01-31 biçiminde yaz.`,
  },
  filters: {
    from: 'birinin gönderdiği',
    in: 'bir kanalda',
    has: 'link, file, image veya embed',
    mentions: 'birinden bahseden',
    before: 'bir tarihten önce',
    after: 'bir tarihte veya sonrasında',
    pinned: 'true veya false',
  },
} satisfies typeof searchWords
