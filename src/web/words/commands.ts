import { inLanguage } from './plural.ts'

/** Words of bots' commands, loaded with the first command. */
export const commandWords = inLanguage('commands', {
  title: 'Commands',
  find: 'Find a command',
  nothing: 'No command has this name.',
  none: 'No bot offers anything for this.',
  by: (bot: string) => `by ${bot}`,
  use: (name: string) => `Use /${name}`,
  choose: 'Choose…',
  yes: 'Yes',
  no: 'No',
  send: 'Send',
  uploading: 'The file is still being uploaded.',
  waiting: (bot: string) => `${bot} is thinking…`,
  silent: (bot: string) => `${bot} did not answer.`,
  onlyYou: 'Only you can see this',
  dismiss: 'Dismiss',
  answers: 'Answers of bots for you',
  answering: (name: string, command: string) => `${name} used /${command}`,
  answeringComponent: (name: string) => `${name} asked for this`,
})
