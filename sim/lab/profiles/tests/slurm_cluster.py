# SPDX-License-Identifier: Apache-2.0
"""A Slurm cluster of this machine alone, with all that it writes in one folder, but for a link in /etc to its settings:
Snakemake's jobs look nowhere else. It needs root."""

from __future__ import annotations

import os
import socket
import subprocess
from contextlib import ExitStack, contextmanager
from pathlib import Path

SETTINGS = Path("/etc/slurm/slurm.conf")
"""Where Debian's Slurm looks for them."""
CONFIGURATION = """
ClusterName=weir
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MailProg=/bin/true
MinJobAge=3600
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} RealMemory={memory} State=UNKNOWN
PartitionName=lab Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def _free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def _memory_mebibytes() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20


def _munge(folder: Path) -> list[str]:
    key = folder / "munge.key"
    key.write_bytes(os.urandom(1024))
    key.chmod(0o600)
    files = {"socket": "socket", "pid-file": "pid", "log-file": "log", "seed-file": "seed"}
    words = [f"--{option}={folder}/munge.{end}" for option, end in files.items()]
    return ["munged", "--foreground", "--force", f"--key-file={key}", *words]


@contextmanager
def cluster(folder: Path):
    """Slurm's commands speak to it; it ends with the context. Raises FileExistsError where the machine is one of
    another cluster."""
    for name in ("state", "spool"):
        (folder / name).mkdir()
    configuration = folder / "slurm.conf"
    text = CONFIGURATION.format(
        host=socket.gethostname().split(".")[0],
        ports=_free_ports(2),
        folder=folder,
        cores=len(os.sched_getaffinity(0)),
        memory=_memory_mebibytes() * 9 // 10,
    )
    configuration.write_text(text)
    SETTINGS.parent.mkdir(exist_ok=True)
    SETTINGS.symlink_to(configuration)
    daemons = []
    try:
        for words in (_munge(folder), ["slurmctld", "-D"], ["slurmd", "-D"]):
            daemons.append(subprocess.Popen(words, stderr=subprocess.DEVNULL))
        # waits until the node is there and has done a job
        subprocess.run(["srun", "--immediate=120", "true"], check=True)
        yield
    finally:
        for daemon in reversed(daemons):
            daemon.terminate()
        for daemon in daemons:
            daemon.wait()
        SETTINGS.unlink()
