/** Commands of the composer that only change the text: what they write is an ordinary message. */
export const TEXT_COMMANDS = {
  me: '_',
  shrug: '¯\\\\\\_(ツ)\\_/¯',
  spoiler: '||',
  tableflip: '(╯°□°)╯︵ ┻━┻',
} as const

export type TextCommand = keyof typeof TEXT_COMMANDS

/** The text that a command at the beginning makes of the rest; any other text as it is. */
export function withTextCommand(content: string): string {
  const [, name, rest = ''] = /^\/(me|shrug|spoiler|tableflip)(?:\s+([\s\S]+))?$/.exec(content) ?? []
  if (name === undefined) return content
  const [text, sign] = [rest.trim(), TEXT_COMMANDS[name as TextCommand]]
  // Marks stand around the text, figures after it.
  if (sign.length > 2) return `${text} ${sign}`.trim()
  return text ? sign + text + sign : content
}
