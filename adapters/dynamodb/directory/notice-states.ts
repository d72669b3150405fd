import type { NoticeState } from '../../../core/changes/notice-policy.ts';
import type { NoticeStates } from '../../../core/changes/send-notice.ts';
import { type DirectoryItems, noticeKey } from './directory-items.ts';

/** As long as changes: without it, events that were set aside long ago would be told as new ones. */
const STORED_MS = 400 * 86_400_000;

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
