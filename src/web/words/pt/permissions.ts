import type { permissionWords } from '../permissions.ts'

export default {
  topics: {
    general: 'Geral',
    messages: 'Mensagens',
    threads: 'Tópicos',
    voice: 'Voz',
    people: 'Pessoas',
    server: 'Cuidar do servidor',
    administrator: 'Tudo',
  },
  allowed: (n, all) => `${n} de ${all} permitidas`,
  set: (n) => (n === 0 ? 'Como no nível acima' : `${n} definidas aqui`),
  inServer: (isAllowed) => (isAllowed ? 'Como no servidor: permitido' : 'Como no servidor: não permitido'),
  private: 'Canal privado',
  privateOn: 'Só o dono, os administradores e os cargos abaixo o veem.',
  privateOff: 'Todos os membros o veem.',
  privateHint: 'Só o dono e os administradores o veem, até você escolher cargos nas configurações dele.',
  whoSees: 'Quem vê',
  noRoles: 'Não há cargo abaixo do seu para escolher.',
  choices: {
    deny: 'Negar',
    inherit: 'Como no nível acima',
    allow: 'Permitir',
  },
} satisfies typeof permissionWords
