import type { Answers } from '../../features/interactions/answer.ts'
import { absentRoutes } from './absent.ts'
import { auditRoutes } from './audit.ts'
import { automodRoutes } from './automod.ts'
import { channelRoutes } from './channels.ts'
import { commandRoutes } from './commands.ts'
import { emojiRoutes } from './emoji.ts'
import { followUpRoutes } from './follow-ups.ts'
import { guildRoutes } from './guilds.ts'
import { integrationRoutes } from './integrations.ts'
import { interactionRoutes } from './interactions.ts'
import { inviteRoutes } from './invites.ts'
import { messageRoutes } from './messages.ts'
import { moderationRoutes } from './moderation.ts'
import { ownGuildRoutes } from './own-guilds.ts'
import { pollRoutes } from './polls.ts'
import { pruneRoutes } from './prune.ts'
import { reactionRoutes } from './reactions.ts'
import { scheduledEventRoutes } from './scheduled-events.ts'
import { soundRoutes } from './sounds.ts'
import { stageRoutes } from './stages.ts'
import { stickerRoutes } from './stickers.ts'
import { threadRoutes } from './threads.ts'
import { userRoutes } from './users.ts'
import { webhookRoutes } from './webhooks.ts'
import { widgetRoutes } from './widget.ts'
import type { Route } from './router.ts'

/** All routes of Discord's API. docs/discord.md has a row for each. */
export const discordRoutes = (answers: Answers): Route[] => [
  ...userRoutes,
  ...ownGuildRoutes,
  ...channelRoutes,
  ...threadRoutes,
  ...guildRoutes,
  ...messageRoutes,
  ...reactionRoutes,
  ...pollRoutes,
  ...inviteRoutes,
  ...emojiRoutes,
  ...stickerRoutes,
  ...soundRoutes,
  ...webhookRoutes,
  ...auditRoutes,
  ...moderationRoutes,
  ...pruneRoutes,
  ...automodRoutes,
  ...commandRoutes,
  ...interactionRoutes(answers),
  ...followUpRoutes,
  ...scheduledEventRoutes,
  ...stageRoutes,
  ...integrationRoutes,
  ...widgetRoutes,
  ...absentRoutes,
]
