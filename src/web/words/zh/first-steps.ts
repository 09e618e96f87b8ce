// Printed from locales/zh/first-steps.json. After a change there: bun run words
import type { firstWords } from '../first-steps.ts'
import { digits } from '../plural.ts'

export default {
  templates: {
    friends: {
      title: '朋友和家人',
      text: '制定计划、分享照片，和几个人一起聊天。',
      example: '湖边小屋',
      channels: [
        {
          name: '计划',
          topic: '接下来的计划和时间',
        },
        {
          name: '照片',
          topic: '分享拍得好的照片',
        },
        {
          name: '客厅',
        },
      ],
    },
    community: {
      title: '俱乐部或社区',
      text: '面向所有人的公告、打招呼的地方，以及各种话题的频道。',
      example: '观鸟爱好者',
      channels: [
        {
          name: '公告',
          topic: '大家都应该知道的事',
        },
        {
          name: '自我介绍',
          topic: '新来的？打个招呼吧',
        },
        {
          name: '提问',
          topic: '什么都可以问',
        },
        {
          name: '聚会地点',
        },
      ],
    },
    team: {
      title: '团队或公司',
      text: '在子区中讨论任务，记录决定，用语音开会。',
      example: '堤坝修复',
      channels: [
        {
          name: '任务',
          topic: '谁在何时之前做什么',
        },
        {
          name: '决定',
          topic: '我们决定了什么，为什么',
        },
        {
          name: '咖啡角',
          topic: '除工作以外的一切',
        },
        {
          name: '站会',
        },
      ],
    },
    gaming: {
      title: '游戏',
      text: '寻找队友，边玩边聊，分享精彩瞬间。',
      example: '暗夜猎手',
      channels: [
        {
          name: '公告',
          topic: '更新与活动',
        },
        {
          name: '找队友',
          topic: '谁在何时玩什么',
        },
        {
          name: '精彩片段',
          topic: '你的精彩瞬间',
        },
        {
          name: '大厅',
        },
        {
          name: '开黑',
        },
      ],
    },
    study: {
      title: '学习小组',
      text: '寻求帮助，分享笔记，一起学习。',
      example: '代数 II',
      channels: [
        {
          name: '公告',
          topic: '日程与通知',
        },
        {
          name: '作业',
          topic: '求助与帮助',
        },
        {
          name: '笔记',
          topic: '摘要与链接',
        },
        {
          name: '自习室',
        },
      ],
    },
    project: {
      title: '开源项目',
      text: '发布新版本，帮助用户，讨论代码。',
      example: '苍鹭',
      channels: [
        {
          name: '公告',
          topic: '版本与通知',
        },
        {
          name: '求助',
          topic: '用户的问题',
        },
        {
          name: '开发',
          topic: '代码、评审与计划',
        },
        {
          name: '作品展示',
          topic: '你用它做了什么',
        },
        {
          name: '会议',
        },
      ],
    },
  },
  register: {
    title: '创建你的账号',
    closed: '此服务器已关闭注册。',
    invited: (server) => `接下来你将加入 ${server}。`,
    name: '大家该怎么称呼你？',
    nameHint: '所有人都能看到。你可以随时更改。',
    usernameHint: '你用它登录。其他人看不到。',
    nameNotKept: '你的账号已创建，但名称未能保存。请在设置中重新填写。',
  },
  home: {
    title: (name) => `欢迎，${name}`,
    text: '在服务器中聊天，或与好友聊天。你想从哪里开始？',
    make: '创建服务器',
    makeText: '属于你自己的地方，由你选择成员。',
    join: '通过邀请加入',
    joinText: '有人给你发了链接吗？粘贴到这里。',
    link: '邀请链接或代码',
    open: '打开邀请',
    find: '查找好友',
    findText: '按用户名或显示名称搜索。',
  },
  setup: {
    steps: {
      name: '名称',
      picture: '图片',
      channels: '频道',
      rules: '规则',
      invite: '邀请',
    },
    moderators: '管理员',
    power: '可管理的身份组',
    file: '来自文件',
    fileText: '在其他服务器设置中保存的模板。',
    fileWrong: '此文件不是模板。',
    rulesTitle: '制定规则',
    rulesText: '新成员接受后才能发言。',
    rulesExample: '1. 友善待人。\n2. 禁止刷屏。',
    progress: '步骤',
    whom: '为谁而建？',
    next: '继续',
    skip: '暂时跳过',
    pictureTitle: '添加图片',
    pictureText: '图片比名称更容易认出。PNG、JPEG、WebP、GIF 或 AVIF。',
    channelsTitle: '你们会聊些什么？',
    channelsText: '频道把话题分开。先选几个开始；之后可以随时更改。',
    general: '已有，用于各种话题',
    readOnly: (topic) => `${topic}。所有人可以查看，只有管理人员可以发言`,
    another: '另一个频道',
    add: '添加',
    make: (n) => (n === 0 ? '继续' : `创建 ${digits(n)} 个频道`),
    inviteTitle: '邀请第一批成员',
    inviteText: '拥有此链接的人都可以加入。有效期一周。',
    share: '分享…',
    open: (name) => `打开 ${name}`,
  },
  invite: {
    from: '邀请你加入',
    without: '你被邀请加入',
    online: (n) => `${digits(n)} 人在线`,
    until: (time) => `此邀请有效期至 ${time}。`,
    call: '你的成员身份将保留到你在此处的最后一次通话结束五分钟后。',
    day: '你的成员身份将持续一天。',
    isMember: '你已经是成员。',
    over: '此邀请已失效',
    overText: '它已过期、用完或被撤销。请向发送者索要新的邀请。',
    unknown: '未找到邀请',
    unknownText: '链接可能不完整。请重新打开你收到的完整链接。',
    banned: '你无法加入此服务器',
    bannedText: '管理人员已将你封禁。',
    join: '加入服务器',
    notNow: '以后再说',
    back: '返回你的对话',
  },
} satisfies typeof firstWords
