import type { searchWords } from '../search.ts'
import { digits } from '../plural.ts'
import { count } from './plural.ts'

export default {
  title: 'Arama',
  field: 'Mesajlarda ara',
  hint: 'Sözcükler, "öbekler", -sözcükler veya bir süzgeç',
  where: 'Nerede aranacak',
  everywhere: 'Her yerde',
  clear: 'Aramayı temizle',
  searching: 'Aranıyor…',
  found: (n, more) =>
    n === 0 ? 'Bir şey bulunamadı.' : more ? `${digits(n)} veya daha fazla mesaj` : count(n, '# mesaj', '# mesaj'),
  nothing: 'Uyan mesaj yok',
  nothingText: 'Daha az veya başka sözcükler dene ya da her yerde ara.',
  start: 'Önce en yeni mesajlar gelir. Yalnızca okuyabildiklerinde aranır.',
  suggestions: 'Süzgeçler',
  jump: (author, place) => `${author} kişisinin ${place} içindeki mesajına git`,
  twice: (filter) => `“${filter}” yalnızca bir kez verilebilir.`,
  unknown: {
    from: (name) => `Burada “${name}” diye bilinen kimse yok.`,
    mentions: (name) => `Burada “${name}” diye bilinen kimse yok.`,
    in: (name) => `Görebildiğin “${name}” adlı bir kanal yok.`,
    has: (name) => `Mesajlarda link, file, image veya embed olur ama “${name}” olmaz.`,
    pinned: (name) => `Pinned, true veya false olur ama “${name}” olmaz.`,
    before: (name) => `“${name}” bir tarih değil. 2026-01-31 biçiminde yaz.`,
    after: (name) => `“${name}” bir tarih değil. 2026-01-31 biçiminde yaz.`,
  },
  filters: {
    from: 'birinin yazdığı',
    in: 'bir kanalda',
    has: 'link, file, image veya embed',
    mentions: 'birinden bahseden',
    before: 'bir tarihten önce',
    after: 'bir tarihte veya sonra',
    pinned: 'true veya false',
  },
} satisfies typeof searchWords
