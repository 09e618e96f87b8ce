// Printed from locales/zh/files.json. After a change there: bun run words
import type { fileWords } from '../files.ts'
import { digits } from '../plural.ts'

export default {
  tooMany: (n) => `一条消息最多包含 10 个文件。已略去${` ${digits(n)} 个文件`}。`,
  unnamed: '文件',
  interrupted: '上传中断。',
  remove: (name) => `移除 ${name}`,
  progress: (name) => `正在上传 ${name}`,
  download: '下载',
  downloadOne: (name) => `下载 ${name}`,
  mark: (name) => `将 ${name} 标记为剧透`,
  describe: (name) => `描述 ${name}`,
  description: '内容说明',
  descriptionHint: '会读给看不见的人听，也能被搜索到。',
} satisfies typeof fileWords
