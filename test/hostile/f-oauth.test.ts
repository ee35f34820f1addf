import { runCases } from './hostile-case';
import { oauthCases } from './oauth-cases';

runCases('signing in', oauthCases);
