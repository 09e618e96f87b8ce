import type { soundWords } from '../sounds.ts'

export default {
  message: '语音消息',
  recording: '正在录音。按 Enter 发送，按 Escape 放弃。',
  discard: '放弃录音',
  keep: '停止，稍后发送',
  send: '发送录音',
  over: '录音已达到最大长度。它已附上，尚未发送。',
  noMicrophone: '没有麦克风，或者浏览器不允许此页面使用它。',
  play: (name) => `播放 ${name}`,
  pause: (name) => `暂停 ${name}`,
  position: (name) => `${name} 的播放位置`,
  of: (now, all) => `${now} / ${all}`,
  rate: (rate) => `速度：${rate}`,
} satisfies typeof soundWords
