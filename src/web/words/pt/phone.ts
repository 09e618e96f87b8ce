// Printed from locales/pt/phone.json. After a change there: bun run words
import type { phoneWords } from '../phone.ts'

export default {
  tabs: 'Seções',
  home: 'Início',
  servers: 'Servidores',
  inbox: 'Caixa',
  you: 'Você',
  noServers: 'Ainda não há servidores',
  noServersText: 'Crie um, ou entre em um com um link de convite.',
  toCall: (name) => `Voltar à chamada em ${name}`,
  shrinkCall: 'Minimizar a chamada',
} satisfies typeof phoneWords
