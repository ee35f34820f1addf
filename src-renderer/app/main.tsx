import '../ui/tokens.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { takePiece } from '../chat/conversation-store';
import { connectMirror } from '../host/connect-mirror';
import { App } from './App';

const place = document.getElementById('window');
if (!place) throw new Error('The page has no place for the window.');
connectMirror(window.host, takePiece);
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
