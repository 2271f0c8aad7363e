# SPDX-License-Identifier: Apache-2.0
"""programs.yaml: what is refused, by file, program, field and value; and the inputs that it names."""

import inputs
import programs
import pytest
import tables

GOOD = """
bzip2:
  stands_for: a relative
  package: bzip2
  program: /usr/bin/bzip2
  opens: []
  arguments: ["-9", /input]
  input: {kind: text, size: 1000, seed: 1}
  skip: 0
  memory: 128
  memory_bound: true
"""


def test_the_programs_of_the_lab_are_right():
    for name, program in programs.load().items():
        assert program.name == name
        assert program.input is None or program.input.kind in inputs.MAKERS
        assert (program.package is None) != (program.kernel is None)


@pytest.mark.parametrize(
    ("good", "bad", "message"),
    [
        ("  skip: 0\n", "", "bzip2.skip: missing"),
        ("skip: 0", "skip: -1", "bzip2.skip: -1 must be at least 0"),
        ("skip: 0", "skip: true", "bzip2.skip: True must be a int"),
        ("skip: 0", "skips: 0", "bzip2.skips: no such field; there are stands_for, package"),
        ("kind: text", "kind: film", "bzip2.input.kind: film must be one of text, sql"),
        ("size: 1000", "size: 0", "bzip2.input.size: 0 must be at least 1 of text"),
        ("kind: text, size: 1000", "kind: linear_program, size: 5", "bzip2.input.size: 5 must be at least 6 of linear"),
        ("size: 1000", "size: big", "bzip2.input.size: 'big' must be a int"),
        ('"-9"', "-9", r"bzip2.arguments: \[-9, '/input'\] must be strings"),
        ("{kind: text, size: 1000, seed: 1}", "/input", "bzip2.input: '/input' must be a dict"),
        ("package: bzip2", "kernel: gups", "bzip2.program: no such field; there are stands_for, kernel, threads"),
        ("package: bzip2\n  program: /usr/bin/bzip2\n  opens: []", "kernel: gups", "bzip2.skip: no such field"),
        ("memory_bound: true", "memory_bound: 1", "bzip2.memory_bound: 1 must be a bool"),
        ("opens: []", "opens: [1]", r"bzip2.opens: \[1\] must be strings"),
    ],
)
def test_what_is_wrong_is_told(tmp_path, good, bad, message):
    assert good in GOOD
    path = tmp_path / "programs.yaml"
    path.write_text(GOOD.replace(good, bad))
    with pytest.raises(tables.TableError, match=rf"^{path}: {message}"):
        programs.load(path)


def test_a_wrong_kernel_is_told(tmp_path):
    path = tmp_path / "programs.yaml"
    source = "package: bzip2\n  program: /usr/bin/bzip2\n  opens: []"
    kernel = "kernel: NAME\n  threads: []"
    for name, threads, complaint in (
        ("hpl", "[]", r"bzip2\.kernel: hpl is none of "),
        ("gups", "[8]", r"bzip2\.threads: \[8\] must be strings"),
    ):
        written = kernel.replace("NAME", name).replace("[]", threads)
        path.write_text(GOOD.replace(source, written).replace("  skip: 0\n", ""))
        with pytest.raises(tables.TableError, match=complaint):
            programs.load(path)


def test_a_file_without_programs_is_refused(tmp_path):
    with pytest.raises(tables.TableError, match="No such file"):
        programs.load(tmp_path / "none.yaml")
    (tmp_path / "list.yaml").write_text("- bzip2\n")
    with pytest.raises(tables.TableError, match="must be a mapping"):
        programs.load(tmp_path / "list.yaml")


@pytest.mark.parametrize("kind", inputs.MAKERS)
def test_an_input_is_the_same_for_the_same_seed_only(kind):
    size = 20 if kind == "video" else 2000
    made = inputs.MAKERS[kind](size, 1)
    assert made == inputs.MAKERS[kind](size, 1) != inputs.MAKERS[kind](size, 2)


@pytest.mark.parametrize("kind", inputs.MAKERS)
def test_an_input_of_the_least_size_is_made(kind):
    assert programs.Input(kind, programs.LEAST[kind], 0).bytes()


def test_the_frequent_words_of_a_text_are_few():
    words = inputs.text(100_000, 1).split()
    counts = sorted((words.count(word) for word in set(words)), reverse=True)
    assert sum(counts[:100]) > 0.3 * len(words)
    assert len(counts) > 3000
