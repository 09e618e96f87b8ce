// Printed from locales/pt/servers.json. After a change there: bun run words
import type { serverWords } from '../servers.ts'
import { digits } from '../plural.ts'

export default {
  servers: {
    list: 'Servidores',
    add: 'Adicionar um servidor',
    name: 'Nome do servidor',
    viewedAs: (role) =>
      role === undefined
        ? 'Você está vendo o servidor como um membro sem cargos.'
        : `Você está vendo o servidor como ${role}.`,
    stopViewing: 'Parar',
    gone: (name) => `${name} foi excluído.`,
  },
  channels: {
    browse: 'Explorar canais',
    list: 'Canais',
    private: ', privado',
    text: 'Texto',
    voice: 'Voz',
    none: 'Nada para ver aqui ainda',
    noneText: 'Seus cargos não deixam você ver nenhum canal. Um moderador do servidor pode mudar isso.',
    noneToMake: 'As conversas acontecem em canais. Crie o primeiro.',
    addTopic: 'Adicionar um assunto',
    outside: 'Sem categoria',
    moved: ({ name, place, category }) =>
      category === undefined
        ? `${name} agora está na posição ${place}.`
        : `${name} agora está na posição ${place} em ${category}.`,
    moveHint: 'Pressione Alt e uma seta para movê-lo.',
    addTo: (name) => `Novo canal em ${name}`,
    make: {
      text: 'Novo canal de texto',
      voice: 'Novo canal de voz',
      category: 'Nova categoria',
    },
    settings: (name) => `Configurações de ${name}`,
    taken: ({ n, limit }) => `${digits(n)} de ${digits(limit)} pessoas`,
  },
  invite: {
    people: 'Convidar pessoas',
  },
} satisfies typeof serverWords
