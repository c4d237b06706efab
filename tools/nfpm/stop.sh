#!/bin/sh
# Before removal, but not before an upgrade: Debian says "remove", RPM 0, others only come then.
if [ -d /run/systemd/system ]; then
	case ${1:-remove} in
	upgrade | deconfigure | failed-upgrade | 1) ;;
	*) systemctl --quiet disable --now jfrec-collect.service jfrec-collect-pass.timer || : ;;
	esac
fi
