// Printed from locales/pt/public-pages.json. After a change there: bun run words
import type { publicWords } from '../public-pages.ts'

export default {
  title: 'Páginas públicas',
  server: 'Os canais deste servidor podem ser públicos',
  serverText: 'Escolha canais e fóruns nas configurações deles. Sem isso, nada é público.',
  indexed: 'Mecanismos de busca podem mostrá-las',
  channel: 'Qualquer pessoa lê este canal, sem conta',
  channelText: 'Mensagens de membros retidos e de quem entrou nas últimas 24 horas ficam de fora.',
  serverOff: 'Primeiro permita páginas públicas nas configurações do servidor.',
  older: 'Também o que foi escrito antes',
  olderText: ({ people, messages }) => `Pessoas que escreveram aqui: ${people}. Mensagens delas: ${messages}.`,
  open: 'Abrir a página pública',
  here: 'Qualquer pessoa pode ler o que se escreve aqui, sem conta.',
  name: 'Páginas públicas mostram meu nome',
  nameText: 'Senão, elas chamam você de “A member”.',
} satisfies typeof publicWords
