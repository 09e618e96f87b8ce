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
  choices: 'Canais e cargos',
  pick: 'Cargos que você pode escolher',
  pickHint: 'Você pode mudar sua escolha a qualquer momento.',
  nothing: 'Ainda não há nada para escolher',
  nothingText: 'Este servidor não oferece escolhas aos membros.',
  mayNotChoose: 'Você poderá escolher assim que puder escrever aqui.',
  selfAssignable: 'Os membros podem escolher este cargo',
  selfAssignableHint:
    'Um cargo assim não tem hierarquia e só tem as permissões iniciais de todos. Os membros ficam com ele se ' +
    'você desativar isto.',
  opens: 'Abrir canais para todos?',
  opensText: (channels) => `Qualquer pessoa pode escolher o cargo, então todos poderão ver: ${channels}`,
  open: 'Abrir',
  hidden: 'um canal que você não vê',
} satisfies typeof arrivalWords
