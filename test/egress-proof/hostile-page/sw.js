self.addEventListener('install', (e) => {
  self.skipWaiting();
  e.waitUntil(fetch('https://swinstall.x.example/a', { mode: 'no-cors' }).catch(() => {}));
});
self.addEventListener('activate', (e) => e.waitUntil(clients.claim()));
self.addEventListener('message', (e) => {
  fetch('https://swfetch.x.example/a', { mode: 'no-cors' }).catch(() => {});
  try {
    new WebSocket('wss://swws.x.example/');
  } catch {}
});
