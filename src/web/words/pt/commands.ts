// Printed from locales/pt/commands.json. After a change there: bun run words
import type { commandWords } from '../commands.ts'

export default {
  title: 'Comandos',
  find: 'Buscar um comando',
  nothing: 'Nenhum comando encontrado.',
  none: 'Nenhum bot tem um comando para isto.',
  by: (bot) => `de ${bot}`,
  use: (name) => `Usar /${name}`,
  choose: 'Escolher…',
  chooseBetween: ({ min, max }) => `Escolha de ${min} a ${max}.`,
  yes: 'Sim',
  no: 'Não',
  send: 'Enviar',
  uploading: 'O arquivo ainda está sendo enviado.',
  waiting: (bot) => `${bot} está pensando…`,
  silent: (bot) => `${bot} não respondeu.`,
  onlyYou: 'Só você pode ver isto',
  dismiss: 'Dispensar',
  answers: 'Respostas de bots que só você pode ver',
  answering: ({ name, command }) => `${name} usou /${command}`,
  answeringComponent: (name) => `${name} pediu isto`,
  texts: {
    me: 'Diz em itálico o que você faz',
    shrug: 'Acrescenta ¯\\_(ツ)_/¯',
    spoiler: 'Oculta o texto até alguém clicar nele',
    tableflip: 'Acrescenta (╯°□°)╯︵ ┻━┻',
  },
} satisfies typeof commandWords
