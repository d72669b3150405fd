/** No foreign sources, no inline code, no framing. Swagger UI has `data:` images in its styles. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The page, as HTML. All its addresses are relative, since it may be served below a stage's path.
 * `folder` leads from the page to the assets; `version` changes when the assets change.
 */
export const pageOf = ({
  folder,
  version,
}: {
  folder: string;
  version: string;
}): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Integrations API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${folder}swagger-ui.css?v=${version}">
<link rel="stylesheet" href="${folder}page.css?v=${version}">
</head>
<body>
<div id="reference"></div>
<noscript><p>This page needs JavaScript. The same is in <a href="${folder}../openapi.json">openapi.json</a>.</p></noscript>
<script src="${folder}swagger-ui-bundle.js?v=${version}"></script>
<script src="${folder}start.js?v=${version}"></script>
</body>
</html>
`;
