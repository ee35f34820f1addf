import { create } from 'zustand';
import type { ViewName, ViewValue } from '../../src-shared/ipc/contract';

export type Mirror = { [N in ViewName]: ViewValue<N> };

export interface MirrorState {
  views: Mirror;
  /** Which views main has published at least once: tells "none" from "not known yet". */
  arrived: { readonly [N in ViewName]?: true };
}

/** What the window shows before main has said anything. */
export const EMPTY_MIRROR: MirrorState = {
  views: {
    shell: { appVersion: '', platform: '', keychain: 'ready', banners: [], goTo: null },
    servers: [],
    workspaces: [],
    tools: [],
    attachables: [],
    approvals: [],
    grants: { rows: [], unsealed: 0 },
    conversations: [],
    models: [],
    egress: { routes: [], use: [], ledger: [], ledgerCount: 0, chainProblem: null, erasedCount: 0 },
  },
  arrived: {},
};

/** Takes one published view whole. The other views keep their identity, so nothing else renders again. */
export function withView(state: MirrorState, view: ViewName, value: unknown): MirrorState {
  return { views: { ...state.views, [view]: value }, arrived: { ...state.arrived, [view]: true } };
}

/** The window's read-only copy of what main has published. Only `connectMirror` writes to it. */
export const useMirror = create<MirrorState>(() => EMPTY_MIRROR);

/** Reads one view. `select` keeps the component from re-rendering for changes it does not show. */
export function useView<N extends ViewName, S>(name: N, select: (value: ViewValue<N>) => S): S {
  return useMirror((mirror) => select(mirror.views[name]));
}

export function useArrived(name: ViewName): boolean {
  return useMirror((mirror) => mirror.arrived[name] === true);
}
