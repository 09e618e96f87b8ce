import type { commandWords } from '../commands.ts'

export default {
  title: '命令',
  find: '查找命令',
  nothing: '没有叫这个名称的命令。',
  none: '没有机器人为此提供功能。',
  by: (bot) => `来自 ${bot}`,
  use: (name) => `使用 /${name}`,
  choose: '选择…',
  yes: '是',
  no: '否',
  send: '发送',
  uploading: '文件仍在上传。',
  waiting: (bot) => `${bot} 正在思考…`,
  silent: (bot) => `${bot} 没有回应。`,
  onlyYou: '只有你能看到此内容',
  dismiss: '忽略',
  answers: '机器人给你的答复',
  answering: (name, command) => `${name} 使用了 /${command}`,
  answeringComponent: (name) => `${name} 请求了此内容`,
} satisfies typeof commandWords
