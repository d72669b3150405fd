/** Of the brand that the console is built with. */
declare const PRODUCT_NAME: string;

declare module 'virtual:verification-samples' {
  interface VerificationSample {
    readonly name: string;
    readonly title: string;
    readonly language: 'javascript' | 'typescript' | 'python' | 'go' | 'java' | 'ruby' | 'php';
    readonly code: string;
  }

  export const VERIFICATION_SAMPLES: readonly VerificationSample[];
}
