import { runCases } from './hostile-case';
import { httpCases } from './http-cases';

runCases('servers over HTTP', httpCases);
