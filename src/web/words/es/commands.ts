// Printed from locales/es/commands.json. After a change there: bun run words
import type { commandWords } from '../commands.ts'

export default {
  title: 'Comandos',
  find: 'Buscar un comando',
  nothing: 'Ningún comando coincide.',
  none: 'Ningún bot tiene un comando para esto.',
  by: (bot) => `de ${bot}`,
  use: (name) => `Usar /${name}`,
  choose: 'Elegir…',
  chooseBetween: ({ min, max }) => `Elige de ${min} a ${max}.`,
  yes: 'Sí',
  no: 'No',
  send: 'Enviar',
  uploading: 'El archivo aún se está subiendo.',
  waiting: (bot) => `${bot} está pensando…`,
  silent: (bot) => `${bot} no ha respondido.`,
  onlyYou: 'Solo tú puedes ver esto',
  dismiss: 'Descartar',
  answers: 'Respuestas de bots que solo tú puedes ver',
  answering: ({ name, command }) => `${name} usó /${command}`,
  answeringComponent: (name) => `${name} lo pidió`,
  texts: {
    me: 'Dice en cursiva lo que haces',
    shrug: 'Añade ¯\\_(ツ)_/¯',
    spoiler: 'Oculta el texto hasta que alguien haga clic',
    tableflip: 'Añade (╯°□°)╯︵ ┻━┻',
  },
} satisfies typeof commandWords
