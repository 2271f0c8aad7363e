# SPDX-License-Identifier: Apache-2.0
"""weir_gen: from a YAML file to a Verilog core with AXI4 and Wishbone ports, for use outside LiteX.

Writes into the output folder NAME.v (the module NAME), Weir.sv (the controller, instantiated by it), NAME.f (both, for
Verilator's -f), NAME.json (Weir's parameters), csr.json, csr.csv and include/generated/ (C headers: CSRs, and the
initialisation of the DRAM). Nothing is written when the YAML file, or what it asks for, is wrong.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

from litex.soc.integration.builder import Builder

from litex_weir import whole_files
from litex_weir.core_file import CoreFile
from litex_weir.errors import WeirError
from litex_weir.standalone import StandaloneCore


def generate(file, output):
    """The core that the YAML file `file` asks for, into the folder `output`; returns the CoreFile. Raises WeirError,
    and writes nothing, if something is wrong."""
    asked = CoreFile.load(file)
    output = Path(output)
    _check_folder(output)
    try:
        with tempfile.TemporaryDirectory() as scratch:
            texts = _texts(asked, build(StandaloneCore(asked), Path(scratch) / "litex"))
    except WeirError as error:
        raise WeirError(f"{file}: {error}") from error
    except OSError as error:
        raise WeirError(f"scratch files of LiteX: cannot be written: {error.strerror}") from error
    names = (output.resolve() / name for name in ("Weir.sv", f"{asked.name}.v"))
    texts[f"{asked.name}.f"] = "".join(f"{path}\n" for path in names).encode()
    try:
        whole_files.write(output, texts)
    except OSError as error:
        raise WeirError(f"--output {output}: cannot be written: {error.strerror}") from error
    return asked


def _texts(asked, built):
    """What is written, by the name of its file, of the core as LiteX has built it."""
    core, include = built / "gateware" / f"{asked.name}.v", built / "software" / "include" / "generated"
    files = {core.name: core, "Weir.sv": Path(asked.design.verilog)}
    files[f"{asked.name}.json"] = files["Weir.sv"].with_name("Weir.json")
    files |= {name: built / name for name in ("csr.json", "csr.csv")}
    files |= {f"include/generated/{path.name}": path for path in include.iterdir()}
    return {name: path.read_bytes() for name, path in files.items()}


def _check_folder(output):
    """WeirError if there is no folder `output` and none can be made."""
    try:
        there = next(path for path in (output, *output.absolute().parents) if path.exists())
        str(output).encode()
    except (OSError, UnicodeEncodeError) as error:
        raise WeirError(f"--output {str(output)!r}: cannot be a folder: {error}") from None
    if not there.is_dir():
        raise WeirError(f"--output {output}: {'is' if there == output else f'{there} is'} no folder")


def build(core, folder):
    """Write the Verilog and the headers of a StandaloneCore into `folder`, anew, as LiteX arranges them."""
    folder.mkdir()
    was = Path.cwd()
    os.chdir(folder)  # LiteX leaves memory images where it stands
    try:
        Builder(
            core,
            output_dir=str(folder),
            compile_software=False,
            compile_gateware=False,
            csr_json=str(folder / "csr.json"),
            csr_csv=str(folder / "csr.csv"),
        ).build(build_name=core.platform.name)
    finally:
        os.chdir(was)
    return folder


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="weir_gen", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("file", type=Path, help="YAML file: what core (docs/generator.md)")
    parser.add_argument("--output", type=Path, required=True, help="folder to write into")
    options = parser.parse_args(arguments)
    try:
        asked = generate(options.file, options.output)
    except WeirError as error:
        sys.exit(f"weir_gen: {error}")
    print(f"{asked.name}: a clock of {asked.system_clock / 1e6:.6g} MHz; {asked.design.clocks()}")


if __name__ == "__main__":
    main()
