# SPDX-License-Identifier: Apache-2.0
"""weir_gen: from a YAML file to a Verilog core with AXI4 and Wishbone ports, for use outside LiteX.

Writes into the output folder NAME.v (the module NAME), Weir.sv (the controller, instantiated by it), NAME.f (both, for
Verilator's -f), NAME.json (Weir's parameters), csr.json, csr.csv and include/generated/ (C headers: CSRs, and the
initialisation of the DRAM). Nothing is written when the YAML file, or what it asks for, is wrong.
"""

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

from litex.soc.integration.builder import Builder

from litex_weir.core_file import CoreFile
from litex_weir.errors import WeirError
from litex_weir.standalone import StandaloneCore


def generate(file, output):
    """The core that the YAML file `file` asks for, into the folder `output`. Raises WeirError, and writes nothing, if
    something is wrong."""
    asked = CoreFile.load(file)
    output = Path(output)
    if output.exists() and not output.is_dir():
        raise WeirError(f"--output {output}: is no folder")
    with tempfile.TemporaryDirectory() as scratch:
        try:
            built = build(StandaloneCore(asked), Path(scratch) / "litex")
        except WeirError as error:
            raise WeirError(f"{file}: {error}") from error
        core, include = built / "gateware" / f"{asked.name}.v", built / "software" / "include" / "generated"
        output.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(core, output / core.name)
        shutil.copyfile(asked.design.verilog, output / "Weir.sv")
        shutil.copyfile(Path(asked.design.verilog).with_name("Weir.json"), output / f"{asked.name}.json")
        for name in ("csr.json", "csr.csv"):
            shutil.copyfile(built / name, output / name)
        shutil.copytree(include, output / "include" / "generated", dirs_exist_ok=True)
        (output / f"{asked.name}.f").write_text("".join(f"{output.resolve() / n}\n" for n in ("Weir.sv", core.name)))


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
        generate(options.file, options.output)
    except WeirError as error:
        sys.exit(f"weir_gen: {error}")


if __name__ == "__main__":
    main()
