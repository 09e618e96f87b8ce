// Printed from locales/zh/threads.json. After a change there: bun run words
import type { threadWords } from '../threads.ts'
import { digits } from '../plural.ts'

export default {
  threads: {
    title: '子区',
    show: (isLively) => (isLively ? '子区，有新消息' : '子区'),
    begin: '创建子区',
    open: '打开子区',
    archived: '已归档',
    close: '关闭子区',
    panel: (name) => `子区 ${name}`,
    messages: (n) => (n === 0 ? '还没有消息' : `${digits(n)} 条消息`),
    follow: '关注',
    unfollow: '已关注',
    followHint: '它的消息会计为未读',
    actions: '子区操作',
    rename: '重命名',
    settings: '子区设置',
    link: '复制子区链接',
    archive: '归档',
    bringBack: '取消归档',
    lock: '锁定',
    unlock: '解锁',
    locked: '已锁定',
    lockedHint: '此子区已锁定。',
    archivedHint: '此子区已归档。发送新消息即可恢复。',
    delete: '删除子区',
    deleteText: '这会为所有人删除该子区及其消息和文件。',
    answer: '标记为答案',
    noAnswer: '不再是答案',
  },
} satisfies typeof threadWords
