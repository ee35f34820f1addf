const t = (n, f) => {
  try {
    const r = f();
    if (r && r.catch) r.then(() => console.log('OK ' + n)).catch((e) => console.log('ERR ' + n + ' ' + e.message));
  } catch (e) {
    console.log('THROW ' + n + ' ' + e.message);
  }
};
t('fetch', () => fetch('https://fetch.x.example/a', { mode: 'no-cors' }));
t('fetchip', () => fetch('https://198.51.100.12/a', { mode: 'no-cors' }));
t('fetchloop', () => fetch('http://127.0.0.1:8080/loop', { mode: 'no-cors' }));
t('fetchlocalhost', () => fetch('http://localhost:8080/localhost', { mode: 'no-cors' }));
t('keepalive', () => fetch('https://keepalive.x.example/a', { mode: 'no-cors', keepalive: true, method: 'POST', body: 'x' }));
t('xhr', () => {
  const x = new XMLHttpRequest();
  x.open('GET', 'https://xhr.x.example/a');
  x.send();
});
t('ws', () => {
  const s = new WebSocket('wss://ws.x.example/a');
});
t('wsip', () => {
  const s = new WebSocket('wss://198.51.100.14/a');
});
t('wsloop', () => {
  const s = new WebSocket('ws://127.0.0.1:8080/wsloop');
});
t('es', () => {
  new EventSource('https://eventsource.x.example/a');
});
t('beacon', () => {
  navigator.sendBeacon('https://beacon.x.example/a', 'x');
});
t('import', () => import('https://dynimport.x.example/a.js'));
t('worker', () => {
  const b = new Blob(
    [
      "fetch('https://blobworker.x.example/a',{mode:'no-cors'}).catch(()=>{});try{importScripts('https://importscripts.x.example/a.js')}catch(e){}",
    ],
    { type: 'text/javascript' },
  );
  new Worker(URL.createObjectURL(b));
});
t('selfworker', () => {
  new Worker('worker.js');
});
t('sw', () =>
  navigator.serviceWorker
    .register('sw.js')
    .then(() => navigator.serviceWorker.ready)
    .then((r) => r.active.postMessage('go')),
);
t('wt', () => {
  const w = new WebTransport('https://webtransport.x.example:443/a');
  w.ready.catch(() => {});
  return w.ready;
});
function rtc(n, cfg) {
  t(n, () => {
    const p = new RTCPeerConnection(cfg);
    p.createDataChannel('x');
    p.onicecandidate = (e) => {
      if (e.candidate) console.log('CAND ' + n + ' ' + e.candidate.candidate.slice(0, 120));
    };
    return p.createOffer().then((o) => p.setLocalDescription(o));
  });
}
rtc('rtcstun', { iceServers: [{ urls: 'stun:rtcstun.x.example:3478' }] });
rtc('rtcstunip', { iceServers: [{ urls: 'stun:198.51.100.15:3478' }] });
rtc('rtcturntcp', { iceServers: [{ urls: 'turn:rtcturntcp.x.example:3478?transport=tcp', username: 'a', credential: 'b' }] });
rtc('rtcturntls', { iceServers: [{ urls: 'turns:rtcturntls.x.example:443?transport=tcp', username: 'a', credential: 'b' }] });
rtc('rtcnone', {});
t('rtcpeer', () => {
  const p = new RTCPeerConnection();
  p.createDataChannel('x');
  return p
    .createOffer()
    .then((o) => p.setLocalDescription(o))
    .then(() =>
      p.setRemoteDescription({ type: 'answer', sdp: p.localDescription.sdp.replace('a=setup:actpass', 'a=setup:active') }),
    )
    .then(() =>
      p.addIceCandidate({ candidate: 'candidate:1 1 udp 2122260223 198.51.100.16 3478 typ host', sdpMid: '0', sdpMLineIndex: 0 }),
    )
    .then(() =>
      p.addIceCandidate({
        candidate: 'candidate:2 1 udp 2122260223 abcdefab-1111-2222-3333-abcdefabcdef.local 3478 typ host',
        sdpMid: '0',
        sdpMLineIndex: 0,
      }),
    )
    .then(() =>
      p.addIceCandidate({
        candidate: 'candidate:3 1 udp 2122260223 rtccand.x.example 3478 typ host',
        sdpMid: '0',
        sdpMLineIndex: 0,
      }),
    );
});
t('geo', () => {
  navigator.geolocation.getCurrentPosition(
    (p) => console.log('GEO ok'),
    (e) => console.log('GEO err ' + e.code + ' ' + e.message),
    { timeout: 5000 },
  );
});
t('notif', () => {
  new Notification('t', { icon: 'https://notificon.x.example/i.png' });
});
t('speech', () => {
  const S = self.SpeechRecognition || self.webkitSpeechRecognition;
  const s = new S();
  s.onerror = (e) => console.log('SPEECH ' + e.error);
  s.start();
});
t('late-fetch', () => fetchLater('https://fetchlater.x.example/'));
t('dynprefetch', () => {
  const l = document.createElement('link');
  l.rel = 'dns-prefetch';
  l.href = '//dyndns.x.example';
  document.head.append(l);
});
t('imgjs', () => {
  new Image().src = 'https://imgjs.x.example/a';
});
t('jsstyle', () => {
  const d = document.createElement('div');
  d.style.backgroundImage = 'url(https://inlinestyle.x.example/a)';
  document.body.append(d);
});
t('bgfetch', () =>
  navigator.serviceWorker.ready.then((r) => r.backgroundFetch && r.backgroundFetch.fetch('x', ['https://bgfetch.x.example/a'])),
);
t('push', () =>
  navigator.serviceWorker.ready.then((r) =>
    r.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: new Uint8Array(65).fill(4) }),
  ),
);
setTimeout(() => {
  t('ping', () => document.getElementById('ap').click());
  t('f1', () => document.getElementById('f1').submit());
}, 2500);
window.__late = () => {
  // with user gesture
  t('wopen', () => {
    window.open('https://windowopen.x.example/');
  });
  t('wopen2', () => {
    const w = window.open('about:blank', 'z');
    if (w) {
      w.document.write('<img src=https://aboutblankimg.x.example/a>');
      w.document.write('<script>fetch("https://aboutblankfetch.x.example/",{mode:"no-cors"})<\/script>');
    }
  });
  t('f2', () => document.getElementById('f2').submit());
  t('share', () => {});
  setTimeout(() => {
    t('dl', () => document.getElementById('dl').click());
  }, 1200);
};
