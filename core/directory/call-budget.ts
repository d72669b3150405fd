/** Counts the costly calls of each account, whichever of its tokens make them. */
export interface CallBudget {
  /** Counts a call. False if the account has already made all calls that it may make in a minute. */
  spend(account: string): Promise<boolean>;
}
