import { runCases } from './hostile-case';
import { listCases } from './list-cases';

runCases('tool lists', listCases);
