// SPDX-License-Identifier: Apache-2.0
package weir.regs

import weir.config.WeirConfig
import weir.registers.RegisterBundle

/** Registers that tell what this controller is and what its config has made of it; all of them constant. */
class Identity(config: WeirConfig) extends RegisterBundle {
  import config.{axi, geometry, phy, policies, timing}

  register("identity", 0x000, "Tells that this is Weir.")
    .constant("magic", 0, 32, Identity.magic, "The letters WEIR, W in the highest byte.")
  register(
    "version",
    0x004,
    "Version of the controller; the register map changes incompatibly only with `major`."
  )
    .constant("major", 16, 8, Identity.version._1, "Major version.")
    .constant("minor", 8, 8, Identity.version._2, "Minor version.")
    .constant("patch", 0, 8, Identity.version._3, "Patch level.")

  private def flag(set: Boolean): Int = if (set) 1 else 0
  feature("programmable_timings", 0, 1, flag(policies.programmableTimings), "Timings can be written.")
  feature("programmable_policies", 3, 1, flag(policies.programmablePolicies), "Policies can be written.")
  feature(
    "pseudo_ranks",
    16,
    1,
    flag(geometry.pseudoRanks > 1),
    "What is called a rank is a group of banks of the only rank: they share its timings and the bus without a gap."
  )

  register("geometry", 0x010, "Layout of a channel of DRAM.")
    .constant("ranks", 0, 4, geometry.ranks, "Ranks.")
    .constant("bank_groups", 4, 4, geometry.bankGroups, "Bank groups of a rank; 1 where there are none.")
    .constant("banks", 8, 8, geometry.banks, "Banks of a rank, all bank groups together.")
    .constant("row_bits", 16, 8, geometry.rowBits, "Row address bits.")
    .constant("column_bits", 24, 8, geometry.columnBits, "Column address bits.")
  register("bus", 0x014, "The data buses and the DFIs.")
    .constant("dq_bits", 0, 8, geometry.dqBits, "Width of the data bus in bits.")
    .constant("phases", 8, 4, phy.phases, "DFI phases: DRAM clocks in a controller cycle.")
    .constant("channels", 12, 4, config.channels, "Channels, each with a data bus and a DFI of its own.")
    .constant("line_bytes", 16, 16, geometry.lineBytes, "Bytes of a DRAM burst, the unit of access.")

  /** A register that shows a word of a constant. */
  private def word(name: String, offset: Int, about: String, text: String, constant: BigInt, number: Int): Unit =
    register(name, offset, about).constant("value", 0, 32, (constant >> (32 * number)) & 0xffffffffL, text)
  word("memory_bytes_low", 0x018, "Size of the memory.", "Bytes, bits 31:0.", config.memoryBytes, 0)
  word("memory_bytes_high", 0x01c, "Size of the memory.", "Bytes, bits 63:32.", config.memoryBytes, 1)
  word("base_low", 0x020, "Bus address of the first byte of memory.", "Bits 31:0.", axi.base, 0)
  word("base_high", 0x024, "Bus address of the first byte of memory.", "Bits 63:32.", axi.base, 1)

  register("ports", 0x028, "The AXI4 ports.")
    .constant("ports", 0, 4, axi.ports, "AXI4 ports.")
    .constant("id_bits", 4, 4, axi.idBits, "Id width of a port in bits.")
    .constant("data_bits", 8, 12, axi.dataBits, "Data width of a port in bits.")
    .constant("sources", 20, 12, axi.sources, "Sources (harts or other masters) that are told apart.")
  register("queues", 0x02c, "Depths of the queues.")
    .constant("read", 0, 8, policies.readQueue, "Entries of the read queue.")
    .constant("write", 8, 8, policies.writeQueue, "Entries of the write queue, all ranks together.")
  register("clock", 0x030, "The DRAM clock.").constant("tCK", 0, 16, timing.tCKps, "Clock period in picoseconds.")
  register(
    "latency",
    0x034,
    "CAS latencies in DRAM clocks; they follow from the mode registers and the PHY."
  )
    .constant("cl", 0, 8, timing.cl, "Read command to first data (CL).")
    .constant("cwl", 8, 8, timing.cwl, "Write command to first data (CWL).")
}

object Identity {

  /** The letters WEIR. */
  val magic: BigInt = BigInt("WEIR".getBytes("US-ASCII"))

  /** Version of the controller: major, minor, patch. */
  val version: (Int, Int, Int) = (0, 1, 0)
}
