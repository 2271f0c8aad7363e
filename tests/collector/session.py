# SPDX-License-Identifier: Apache-2.0
"""The processes of a session: how much processor time they have had, and how they are ended.

A command that is started as the leader of a session has all of its descendants in it, also those that a shell put into
process groups of their own.
"""

import asyncio
import os
import signal

import psutil

_PATIENCE = 5
"""Seconds from SIGTERM to SIGKILL."""


def processes(session: int) -> list[psutil.Process]:
    """The processes of the session that live; `session` is its leader's process id."""
    found = []
    for process in psutil.process_iter():
        try:
            if os.getsid(process.pid) == session and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except (ProcessLookupError, psutil.NoSuchProcess):
            continue
    return found


def cpu_seconds(session: int) -> float:
    """Processor time of the session's processes and of the children that they have waited for."""
    total = 0.0
    for process in processes(session):
        try:
            total += sum(process.cpu_times()[:4])
        except psutil.NoSuchProcess:
            continue
    return total


async def end(session: int) -> None:
    """End every process of the session, by SIGTERM and, where it stays, SIGKILL."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        for process in processes(session):
            try:
                process.send_signal(number)
            except psutil.NoSuchProcess:
                continue
        for _ in range(10 * _PATIENCE):
            if not processes(session):
                return
            await asyncio.sleep(0.1)
