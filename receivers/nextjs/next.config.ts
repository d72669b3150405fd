import type { NextConfig } from 'next';

const config: NextConfig = {
  // This folder lies in a larger repository, whose lock file Next.js would take for yours.
  turbopack: { root: import.meta.dirname },
};

export default config;
