// Any Node can run this, from 0.12 on: it says that the Node of npm is too old.
var floor = require('../../package.json').engines.node;
var version = process.version.slice(1).split('.').map(Number);
var isEnough = floor.split(' || ').some((range) => {
  var least = range.replace(/^\D+/, '').split('.').map(Number);
  if (version[0] !== least[0]) return range[0] === '>' && version[0] > least[0];
  return version[1] >= least[1];
});
if (!isEnough) {
  console.error(
    'error: npm runs on Node ' +
      process.version +
      ', and needs ' +
      floor +
      '. Install it, then repeat.',
  );
  process.exit(1);
}
