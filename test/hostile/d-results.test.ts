import { runCases } from './hostile-case';
import { resultCases } from './result-cases';

runCases('results', resultCases);
