// Printed from locales/pt/search.json. After a change there: bun run words
import type { searchWords } from '../search.ts'
import { digits } from '../plural.ts'
import { count } from './plural.ts'

export default {
  title: 'Busca',
  field: 'Buscar mensagens',
  hint: 'Palavras, "frases", -palavras ou um filtro',
  where: 'Onde buscar',
  everywhere: 'Em todos os lugares',
  clear: 'Limpar busca',
  searching: 'Buscando…',
  found: ({ n, hasMore }) =>
    n === 0
      ? 'Nada encontrado.'
      : hasMore
        ? `${digits(n)} mensagens ou mais`
        : count(n, '# mensagem', '# de mensagens', '# mensagens'),
  nothing: 'Nenhuma mensagem encontrada',
  nothingText: 'Tente menos palavras ou outras, ou busque em todos os lugares.',
  start: 'As mensagens mais novas vêm primeiro. Só se busca no que você pode ler.',
  suggestions: 'Filtros',
  jump: ({ author, place }) => `Ir para a mensagem de ${author} em ${place}`,
  twice: (filter) => `“${filter}” só pode ser usado uma vez.`,
  unknown: {
    from: (name) => `Ninguém aqui se chama “${name}”.`,
    mentions: (name) => `Ninguém aqui se chama “${name}”.`,
    in: (name) => `Não há canal “${name}” que você possa ver.`,
    has: (name) => `“${name}” não é um valor válido. Use link, file, image ou embed.`,
    pinned: (name) => `“${name}” não é um valor válido. Use true ou false.`,
    before: (name) => `“${name}” não é uma data. Escreva assim: 2026-01-31.`,
    after: (name) => `“${name}” não é uma data. Escreva assim: 2026-01-31.`,
  },
  filters: {
    from: 'enviada por alguém',
    in: 'em um canal',
    has: 'link, file, image ou embed',
    mentions: 'que menciona alguém',
    before: 'antes de uma data',
    after: 'em uma data ou depois',
    pinned: 'true ou false',
  },
} satisfies typeof searchWords
