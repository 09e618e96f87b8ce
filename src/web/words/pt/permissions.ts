// Printed from locales/pt/permissions.json. After a change there: bun run words
import type { permissionWords } from '../permissions.ts'

export default {
  topics: {
    general: 'Geral',
    messages: 'Mensagens',
    threads: 'Tópicos',
    voice: 'Voz',
    people: 'Pessoas',
    server: 'Gerenciamento do servidor',
    administrator: 'Tudo',
  },
  allowed: ({ n, all }) => `${n} de ${all} permitidas`,
  set: (n) => (n === 0 ? 'Herdadas' : `${n} definidas aqui`),
  inServer: (isAllowed) => (isAllowed ? 'Herdado do servidor: permitido' : 'Herdado do servidor: não permitido'),
  private: 'Canal privado',
  privateOn: 'Só o dono, os administradores e os cargos abaixo podem vê-lo.',
  privateOff: 'Todos os membros podem vê-lo.',
  privateHint: 'Só o dono e os administradores podem vê-lo até você escolher cargos nas configurações dele.',
  whoSees: 'Quem pode ver',
  noRoles: 'Não há cargos abaixo do seu para escolher.',
  choices: {
    deny: 'Negar',
    inherit: 'Herdar',
    allow: 'Permitir',
  },
  moderatorsOnly: 'Só moderadores escrevem',
  moderatorsOnlyText: 'Todos podem ler; cargos que gerenciam mensagens podem escrever.',
} satisfies typeof permissionWords
