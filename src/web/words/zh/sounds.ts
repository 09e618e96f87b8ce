// Printed from locales/zh/sounds.json. After a change there: bun run words
import type { soundWords } from '../sounds.ts'

export default {
  message: '语音消息',
  recording: '正在录音。按 Enter 发送，按 Escape 放弃。',
  discard: '放弃录音',
  keep: '停止并稍后发送',
  send: '发送录音',
  over: '录音已达到最大长度。它已附加，但尚未发送。',
  noMicrophone: '没有麦克风，或浏览器阻止了对麦克风的访问。',
  play: (name) => `播放 ${name}`,
  pause: (name) => `暂停 ${name}`,
  position: (name) => `${name} 的播放位置`,
  of: ({ now, all }) => `${now} / ${all}`,
  rate: (rate) => `速度：${rate}`,
} satisfies typeof soundWords
