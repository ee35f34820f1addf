fetch('https://workerfetch.x.example/a', { mode: 'no-cors' }).catch(() => {});
new WebSocket('wss://workerws.x.example/');
try {
  importScripts('https://workerimport.x.example/a.js');
} catch (e) {}
