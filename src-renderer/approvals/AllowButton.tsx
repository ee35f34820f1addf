import { Button } from '../ui/Button';
import buttons from '../ui/Button.module.css';
import type { AllowProps } from './use-arming';

/** Plain, at the far end; dashed and without effect until it is armed, and of the same size throughout. */
export function AllowButton({
  allow,
  armed,
  stop = false,
  children,
}: {
  allow: AllowProps;
  armed: boolean;
  stop?: boolean;
  children: string;
}) {
  return (
    <Button {...allow} look={stop ? 'stop' : 'plain'} className={armed ? undefined : buttons.buttonArming}>
      {children}
    </Button>
  );
}
