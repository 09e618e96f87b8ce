import type { arrivalWords } from '../arrival.ts'

export default {
  tab: 'Novos membros',
  rules: 'Regras',
  rulesHint:
    'Quem entrar depois aceita estas regras antes de poder escrever. Uma alteração mostra um aviso aos ' +
    'membros e não bloqueia ninguém.',
  rulesField: 'Regras (Markdown, no máximo 16 linhas)',
  saveRules: 'Salvar regras',
  waiting: 'Quase lá: aceite as regras para participar.',
  changed: 'As regras deste servidor mudaram.',
  read: 'Ler as regras',
  rulesOf: (server) => `Regras de ${server}`,
  accept: 'Aceitar as regras',
  goIn: 'Entrar',
  noRules: 'Este servidor não tem regras. Você pode entrar.',
  readAgain: 'As regras acabaram de mudar. Leia-as de novo.',
  welcome: 'Boas-vindas!',
  wave: 'Acenar',
} satisfies typeof arrivalWords
