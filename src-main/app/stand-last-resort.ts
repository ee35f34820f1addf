// Imported before all else, so that it stands while the rest is loaded.
import { standLastResort } from './last-resort';

standLastResort(process);
