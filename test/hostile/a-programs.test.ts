import { runCases } from './hostile-case';
import { stdioCases } from './stdio-cases';

runCases('programs', stdioCases);
