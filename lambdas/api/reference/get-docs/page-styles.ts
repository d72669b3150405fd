/** Swagger UI's colours where WCAG asks for more contrast: 4.5 to 1. */
export const PAGE_STYLES = `
.swagger-ui .info .title small.version-stamp { background: #3f6900; }
.swagger-ui .info a, .swagger-ui .info .link .url { color: #1f5fb0; }
.swagger-ui .btn.authorize { border-color: #0f6b43; color: #0f6b43; }
.swagger-ui .btn.authorize svg { fill: #0f6b43; }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #1a62b3; }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #0f6b43; }
.swagger-ui .opblock.opblock-put .opblock-summary-method { background: #8a4d00; }
.swagger-ui .opblock.opblock-patch .opblock-summary-method { background: #0b6b62; }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #b91c1c; }
.swagger-ui .parameter__in,
.swagger-ui table.headers .header-example,
.swagger-ui .json-schema-2020-12-expand-deep-button { color: #555; }
.swagger-ui .microlight span[style*="rgb(211, 99, 99)"] { color: #f2a1a1 !important; }
`;
