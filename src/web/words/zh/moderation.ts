import type { moderationWords } from '../moderation.ts'

export default {
  reportMessage: '举报消息',
  reportProfile: '举报个人资料',
  reason: '原因',
  note: '还有什么需要说明？（可选）',
  readers: '由谁阅读？',
  toModerators: (server) => `${server} 的管理员`,
  toOperator: '仅本站的运营者',
  readByModerators: (server) => `由 ${server} 中级别高于此成员且能阅读此频道的管理员阅读。他们会看到是谁举报的。`,
  readByOperator: '只有本站的运营者会阅读，管理员不会。运营者会看到是谁举报的。',
  kept: '他们会收到此刻的文字、之前的五条消息和文件。',
  keptProfile: '他们会收到此刻的名称和头像。',
  send: '发送举报',
  sent: '举报已发送，谢谢。',
  reasons: {
    spam: '垃圾信息或广告',
    harassment: '骚扰或欺凌',
    hate: '针对群体的仇恨',
    violence: '暴力或威胁',
    sexual: '不受欢迎的色情内容',
    minor_safety: '危害未成年人',
    self_harm: '自残或自杀',
    illegal: '违法内容',
    impersonation: '冒充他人',
    other: '其他',
  },
} satisfies typeof moderationWords
