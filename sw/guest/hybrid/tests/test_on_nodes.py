# SPDX-License-Identifier: Apache-2.0
"""on-nodes in a guest on QEMU with two nodes: what it runs has the policy. `make guest` builds what is run here."""

import re
import subprocess

import pytest
import weir_machine as machine

PROGRAM = machine.GUEST / "hybrid" / "on-nodes"


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    maps = "busybox cat /proc/self/numa_maps"
    script = f"""exec 2>&1
echo '== bind'; on-nodes bind 1 {maps}
echo '== interleave'; on-nodes interleave 0,1 {maps}
echo '== weighted'; on-nodes weighted 0-1 {maps}
echo '== no node'; on-nodes bind 7 {maps}; echo "exit $?"
echo '== none such'; on-nodes bind 0 /bin/none; echo "exit $?"
echo '== code'; on-nodes bind 0 sh -c 'exit 5'; echo "exit $?"
echo '== end'
"""
    text, code = machine.run(tmp_path_factory.mktemp("nodes"), script, ranks=2, files={"/bin/on-nodes": PROGRAM})
    assert code == 0, text
    return machine.sections(text)


@pytest.mark.parametrize(
    ("policy", "said"), [("bind", "bind:1"), ("interleave", "interleave:0-1"), ("weighted", "weighted interleave:0-1")]
)
def test_a_command_has_the_policy(shown, policy, said):
    stacks = re.findall(r"^\w+ (.+?) .*stack.*$", shown[policy], re.MULTILINE)
    assert stacks and all(line.startswith(said.split()[0]) for line in stacks)
    assert said in shown[policy]


def test_pages_are_where_they_are_bound(shown):
    (anonymous,) = re.findall(r"^.*stack.*$", shown["bind"], re.MULTILINE)
    assert "N1=" in anonymous


def test_what_goes_wrong_is_told(shown):
    assert shown["no node"] == "on-nodes: bind of 7: Invalid argument\nexit 1"
    assert shown["none such"] == "on-nodes: /bin/none: No such file or directory\nexit 127"
    assert shown["code"] == "exit 5"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "too few arguments: ''"),
        (["bind", "0"], "too few arguments: '0'"),
        (["prefer", "0", "true"], "no policy: 'prefer'"),
        (["bind", "", "true"], "no list of nodes below 64: ''"),
        (["bind", "64", "true"], "no list of nodes below 64: '64'"),
        (["bind", "1-0", "true"], "no list of nodes below 64: '1-0'"),
        (["bind", "1,", "true"], "no list of nodes below 64: '1,'"),
        (["bind", "-1", "true"], "no list of nodes below 64: '-1'"),
        (["bind", "99999999999999999999", "true"], "no list of nodes"),
    ],
)
def test_bad_arguments_are_named(arguments, said):
    done = subprocess.run(["qemu-riscv64", PROGRAM, *arguments], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr and "usage: on-nodes" in done.stderr
