# SPDX-License-Identifier: Apache-2.0
"""nvm-journal in a guest on QEMU, on a file: what it finds, what it appends, and what it takes for torn. `make guest`
builds what is run here."""

import pytest
import weir_machine as machine

PROGRAM = machine.GUEST / "hybrid" / "nvm-journal"


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    script = """exec 2>&1
: >empty; echo '== no room'; nvm-journal empty 1; echo "exit $?"
head -c 32768 /bin/busybox >ring; echo '== strange'; nvm-journal ring 0
nvm-journal ring clear
echo '== new'; nvm-journal ring 3
echo '== again'; nvm-journal ring 10
(head -c 20479 ring; printf x; tail -c +20481 ring) >torn
echo '== torn'; nvm-journal torn 1
(head -c 12288 ring; tail -c +16385 ring | head -c 4096; tail -c +16385 ring) >moved
echo '== moved'; nvm-journal moved 0
echo '== no file'; nvm-journal none 1; echo "exit $?"
echo '== no number'; nvm-journal ring -1; echo "exit $?"
echo '== end'
"""
    text, code = machine.run(tmp_path_factory.mktemp("journal"), script, files={"/bin/nvm-journal": PROGRAM})
    assert code == 0, text
    return {name: text.split("\n") for name, text in machine.sections(text).items()}


def found(numbers):
    return [f"record {number}" for number in numbers]


def test_what_is_no_ring_is_torn(shown):
    assert shown["strange"] == [
        *(f"torn place {place}" for place in range(8)),
        "last 0",
        "journal begins",
        "",
        "journal ends",
        *(f"torn place {place}" for place in range(8)),
        "last 0",
    ]


def test_an_empty_ring_begins_with_record_1(shown):
    assert shown["new"] == ["last 0", "journal begins", "+++", "journal ends", *found([1, 2, 3]), "last 3"]


def test_records_are_found_and_gone_over(shown):
    assert shown["again"][:6] == [*found([1, 2, 3]), "last 3", "journal begins", "+" * 10]
    assert shown["again"][6:] == ["journal ends", *found([8, 9, 10, 11, 12, 13, 6, 7]), "last 13"]


def test_a_record_whose_last_byte_is_another_is_torn(shown):
    assert shown["torn"][:8] == [*found([8, 9, 10, 11]), "torn place 4", *found([13, 6, 7])]
    assert shown["torn"][8:12] == ["last 13", "journal begins", "+", "journal ends"]
    assert shown["torn"][12:] == [*found([8, 9, 10, 11]), "torn place 4", *found([13, 14, 7]), "last 14"]


def test_a_record_in_the_place_of_another_is_torn(shown):
    assert "torn place 3" in shown["moved"]
    assert "record 12" in shown["moved"]


def test_bad_arguments_and_devices_are_told(shown):
    assert shown["no room"] == ["nvm-journal: empty: No space left on device", "exit 1"]
    assert shown["no file"] == ["nvm-journal: none: No such file or directory", "exit 1"]
    assert shown["no number"] == ["usage: nvm-journal DEVICE clear|RECORDS [UART]", "exit 2"]
