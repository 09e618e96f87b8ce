// Printed from locales/zh/commands.json. After a change there: bun run words
import type { commandWords } from '../commands.ts'

export default {
  title: '命令',
  find: '查找命令',
  nothing: '没有匹配的命令。',
  none: '没有机器人提供可用于此处的命令。',
  by: (bot) => `来自 ${bot}`,
  use: (name) => `使用 /${name}`,
  choose: '选择…',
  chooseBetween: ({ min, max }) => `请选择 ${min} 到 ${max} 项。`,
  yes: '是',
  no: '否',
  send: '发送',
  uploading: '文件仍在上传。',
  waiting: (bot) => `${bot} 正在思考…`,
  silent: (bot) => `${bot} 没有响应。`,
  onlyYou: '只有你能看到此内容',
  dismiss: '忽略',
  answers: '仅你可见的机器人回复',
  answering: ({ name, command }) => `${name} 使用了 /${command}`,
  answeringComponent: (name) => `${name} 请求了此内容`,
  texts: {
    me: '用斜体写出你在做什么',
    shrug: '加上 ¯\\_(ツ)_/¯',
    spoiler: '隐藏文字，直到有人点击',
    tableflip: '加上 (╯°□°)╯︵ ┻━┻',
  },
} satisfies typeof commandWords
