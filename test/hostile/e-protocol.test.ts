import { runCases } from './hostile-case';
import { protocolCases } from './protocol-cases';

runCases('the protocol', protocolCases);
