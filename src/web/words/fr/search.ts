// Printed from locales/fr/search.json. After a change there: bun run words
import type { searchWords } from '../search.ts'
import { digits } from '../plural.ts'
import { count } from './plural.ts'

export default {
  title: 'Recherche',
  field: 'Rechercher des messages',
  hint: 'Mots, "expressions", -mots ou un filtre',
  where: 'Où rechercher',
  everywhere: 'Partout',
  clear: 'Effacer la recherche',
  searching: 'Recherche…',
  found: ({ n, hasMore }) =>
    n === 0
      ? 'Rien trouvé.'
      : hasMore
        ? `${digits(n)} messages ou plus`
        : count(n, '# message', '# de messages', '# messages'),
  nothing: 'Aucun message trouvé',
  nothingText: 'Essaie moins de mots ou d’autres, ou cherche partout.',
  start: 'Les messages les plus récents viennent d’abord. La recherche ne porte que sur ce que tu peux lire.',
  suggestions: 'Filtres',
  jump: ({ author, place }) => `Aller au message de ${author} dans ${place}`,
  twice: (filter) => `« ${filter} » ne peut être utilisé qu’une fois.`,
  unknown: {
    from: (name) => `Personne ici ne s’appelle « ${name} ».`,
    mentions: (name) => `Personne ici ne s’appelle « ${name} ».`,
    in: (name) => `Il n’y a aucun salon « ${name} » que tu peux voir.`,
    has: (name) => `« ${name} » n’est pas un filtre. Utilise link, file, image ou embed.`,
    pinned: (name) => `« ${name} » n’est pas un filtre. Utilise true ou false.`,
    before: (name) => `« ${name} » n’est pas une date. Écris-la ainsi : 2026-01-31.`,
    after: (name) => `« ${name} » n’est pas une date. Écris-la ainsi : 2026-01-31.`,
  },
  filters: {
    from: 'envoyé par quelqu’un',
    in: 'dans un salon',
    has: 'link, file, image ou embed',
    mentions: 'mentionne quelqu’un',
    before: 'avant une date',
    after: 'à une date ou après',
    pinned: 'true ou false',
  },
} satisfies typeof searchWords
