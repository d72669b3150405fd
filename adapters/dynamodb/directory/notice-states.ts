import type { NoticeState } from '../../../core/changes/notice-policy.ts';
import type { NoticeStates } from '../../../core/changes/send-notice.ts';
import { DirectoryPart, noticeKey } from './directory-items.ts';

/** Reminders renew the item of an integration that stays failed every day. */
const KEPT_MS = 30 * 86_400_000;

export class DynamoDbNoticeStates extends DirectoryPart implements NoticeStates {
  async find(integration: string): Promise<NoticeState | undefined> {
    const item = await this.items.get<NoticeState>(noticeKey(integration));
    if (item === undefined) return undefined;
    const { notifiedSince, sentAt, setAsideAt, setAside } = item;
    return { notifiedSince, sentAt, setAsideAt, setAside };
  }

  async put(integration: string, state: NoticeState): Promise<void> {
    const expiresAt = Math.floor((Date.parse(state.sentAt) + KEPT_MS) / 1_000);
    await this.items.put(noticeKey(integration), { ...state, expiresAt });
  }
}
