// Printed from locales/en/commands.json. After a change there: bun run words
import { inLanguage } from './plural.ts'

/** Words of bots’ commands, loaded with the first command. */
export const commandWords = inLanguage('commands', {
  title: 'Commands',
  find: 'Find a command',
  nothing: 'No matching commands.',
  none: 'No bot has a command for this.',
  by: (bot: string) => `by ${bot}`,
  use: (name: string) => `Use /${name}`,
  choose: 'Choose…',
  chooseBetween: ({ min, max }: { min: string; max: string }) => `Choose at least ${min} and at most ${max}.`,
  yes: 'Yes',
  no: 'No',
  send: 'Send',
  uploading: 'The file is still uploading.',
  waiting: (bot: string) => `${bot} is thinking…`,
  silent: (bot: string) => `${bot} did not respond.`,
  onlyYou: 'Only you can see this',
  dismiss: 'Dismiss',
  answers: 'Bot replies that only you can see',
  answering: ({ name, command }: { name: string; command: string }) => `${name} used /${command}`,
  answeringComponent: (name: string) => `${name} asked for this`,
  texts: {
    me: 'Says what you do, in italics',
    shrug: 'Adds ¯\\_(ツ)_/¯',
    spoiler: 'Hides the text until somebody clicks it',
    tableflip: 'Adds (╯°□°)╯︵ ┻━┻',
  },
})
