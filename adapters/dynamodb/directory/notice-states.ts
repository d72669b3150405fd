import type { NoticeState } from '../../../core/changes/notice-policy.ts';
import type { NoticeStates } from '../../../core/changes/send-notice.ts';
import { type DirectoryItems, noticeKey } from './directory-items.ts';

/** Reminders renew the item of an integration that stays failed every day. */
const STORED_MS = 30 * 86_400_000;

export const dynamoDbNoticeStates = (items: DirectoryItems): NoticeStates => ({
  find: async (integration) => {
    const item = await items.get<NoticeState>(noticeKey(integration));
    if (item === undefined) return undefined;
    const { failedSince, sentAt, setAsideAt, setAside } = item;
    return { failedSince, sentAt, setAsideAt, setAside };
  },
  put: async (integration, state) => {
    const expiresAt = Math.floor((Date.parse(state.sentAt) + STORED_MS) / 1_000);
    await items.put(noticeKey(integration), { ...state, expiresAt });
  },
});
