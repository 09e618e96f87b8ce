// Printed from locales/es/search.json. After a change there: bun run words
import type { searchWords } from '../search.ts'
import { digits } from '../plural.ts'
import { count } from './plural.ts'

export default {
  title: 'Búsqueda',
  field: 'Buscar mensajes',
  hint: 'Palabras, "frases", -palabras o un filtro',
  where: 'Dónde buscar',
  everywhere: 'En todas partes',
  clear: 'Borrar búsqueda',
  searching: 'Buscando…',
  found: ({ n, hasMore }) =>
    n === 0
      ? 'No se ha encontrado nada.'
      : hasMore
        ? `${digits(n)} mensajes o más`
        : count(n, '# mensaje', '# de mensajes', '# mensajes'),
  nothing: 'No se han encontrado mensajes',
  nothingText: 'Prueba con menos palabras u otras, o busca en todas partes.',
  start: 'Primero salen los mensajes más nuevos. Solo se busca en lo que puedes leer.',
  suggestions: 'Filtros',
  jump: ({ author, place }) => `Ir al mensaje de ${author} en ${place}`,
  twice: (filter) => `«${filter}» solo puede usarse una vez.`,
  unknown: {
    from: (name) => `Aquí nadie se llama «${name}».`,
    mentions: (name) => `Aquí nadie se llama «${name}».`,
    in: (name) => `No hay ningún canal «${name}» que puedas ver.`,
    has: (name) => `«${name}» no es un valor válido. Usa link, file, image o embed.`,
    pinned: (name) => `«${name}» no es un valor válido. Usa true o false.`,
    before: (name) => `«${name}» no es una fecha. Escríbela así: 2026-01-31.`,
    after: (name) => `«${name}» no es una fecha. Escríbela así: 2026-01-31.`,
  },
  filters: {
    from: 'enviado por alguien',
    in: 'en un canal',
    has: 'link, file, image o embed',
    mentions: 'que menciona a alguien',
    before: 'antes de una fecha',
    after: 'en una fecha o después',
    pinned: 'true o false',
  },
} satisfies typeof searchWords
